#!/usr/bin/env python3
"""Changes one bit of what a long command has kept, in 200 places, and wants it refused each time.

    damaged.py [--long] [KIND…]   with --long every place of hunt and regrade through the whole command

The kinds are the resume files of explore (sampling), fuzz, hunt and regrade, and the parts that merge
reads. A damaged file is refused with its name and a message, exit status 2, and stays as it is. The last line
is `N passed, N failed`. Exit 0 if all were refused.
"""

import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from journal import Journal, Refused  # noqa: E402
from lane import Call, play_checks  # noqa: E402
from long_commands import ROOT, WATCHLAB, long_commands  # noqa: E402

PLACES = 200
SECONDS_MAX = 60  # what continues instead of refusing is ended then
SAMPLE = 8  # so many places of a lane through the whole command, without --long


def damaged(content):
    """The content with one bit changed, in so many places, the first and the last byte among them."""
    for place in range(PLACES):
        at = place * (len(content) - 1) // (PLACES - 1)
        yield f"bit {place % 8} of byte {at}", \
            content[:at] + bytes([content[at] ^ 1 << place % 8]) + content[at + 1:]


def cut(content):
    """The content without its end, from so many places on."""
    for place in range(PLACES):
        at = place * (len(content) - 1) // (PLACES - 1)
        yield f"all from byte {at} on", content[:at]


def refusal(words, environment, path, content):
    """What is wrong with how a command takes a file; "" where it refuses that as it should."""
    path.write_bytes(content)
    try:
        ended = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
                               stdin=subprocess.DEVNULL, timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return "it went on"
    if ended.returncode != 2:
        return f"it ended with {ended.returncode}: {ended.stdout[-300:]}{ended.stderr[-300:]}"
    if str(path) not in ended.stderr or len(ended.stderr.splitlines()) != 1:
        return f"it says {ended.stderr!r} instead of what is wrong with {path}"
    return "" if path.read_bytes() == content else "it changed the file"


def kept_by(command):
    """What a command has kept with a finding in it, when it is killed."""
    process = command.start()
    while process.poll() is None and not command.has_finding():
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return command.files()[-1].read_bytes()


def wrong_with_command(command, place):
    """Of a program: each changed bit and each cut."""
    content = kept_by(command)
    path = place / "damaged.resume"
    for changes in (damaged, cut):
        for what, changed in changes(content):
            wrong = refusal([*command.words, "--resume", str(path)], command.environment, path, changed)
            if wrong:
                return f"without {what}: {wrong}" if changes is cut else f"{what}: {wrong}"
    return ""


def lane_file(name, place):
    """What a lane keeps, with four results: its path, its content and its options."""
    options = {"hunt": {"mutants": "core/d01_updates_collapse", "tries": 1, "runs": 20_000},
               "regrade": {"full": 2, "cached": 8}}[name]
    os.environ["XDG_STATE_HOME"] = str(place / "state")
    journal = Journal(name, options)
    for number in range(4):
        journal.add({"mutant": "core/no_such", "try": number, "found": [number, "violation|I1 …"]}
                    if name == "hunt" else {"kind": "in full", "number": number, "name": "empty"})
    return journal.path, options


def read_again(name, options, path):
    """The results that a lane continues with; what it says of a line that is not whole is not shown."""
    with contextlib.redirect_stderr(io.StringIO()):
        return Journal(name, options, path).entries


def wrong_with_lane(name, words, place, is_long):
    """Of a lane: each changed bit is refused; each cut leaves the results before it."""
    path, options = lane_file(name, place)
    content = path.read_bytes()
    entries = read_again(name, options, path)
    environment = {**os.environ, "NO_COLOR": "1"}
    for number, (what, changed) in enumerate(damaged(content)):
        if is_long or number % (PLACES // SAMPLE) == 0 or number == PLACES - 1:
            wrong = refusal([*words, "--resume", str(path)], environment, path, changed)
            if wrong:
                return f"{what}: {wrong}"
        path.write_bytes(changed)
        with contextlib.suppress(Refused):
            return f"{what}: it continues with {read_again(name, options, path)}"
    for what, changed in cut(content):
        path.write_bytes(changed)
        try:
            found = read_again(name, options, path)
        except Refused:
            if b"\n" in changed:
                return f"without {what}: refused, although its results are whole"
            continue
        if found != entries[:changed.count(b"\n") - 1]:
            return f"without {what}: it continues with {found}"
    return ""


def wrong_with_parts(place):
    """Of the parts of an exploration: each changed bit. A cut between lines is a part that is missing."""
    parts = place / "parts.jsonl"
    with parts.open("wb") as file:
        for shard in ("0/2", "1/2"):
            subprocess.run([WATCHLAB, "explore", "slow_handler", "--json", "--schedules", "20", "--shard", shard],
                           cwd=ROOT, stdout=file, check=True)
    content = parts.read_bytes()
    for what, changed in damaged(content):
        wrong = refusal([WATCHLAB, "merge", str(parts)], {**os.environ, "NO_COLOR": "1"}, parts, changed)
        if wrong:
            return f"{what}: {wrong}"
    return ""


def kinds(place, is_long):
    """Name -> what is wrong with that kind of file."""
    commands = long_commands(place)
    python = sys.executable
    hunt = [python, "tests/mutants/hunt.py", "core/d01_updates_collapse"]
    regrade = [python, "tests/course/regrade.py", "--full", "2", "--cached", "8"]
    return {name: lambda name=name: wrong_with_command(commands[name](), place)
            for name in ("sampling", "fuzz")} | {
        "hunt": lambda: wrong_with_lane("hunt", hunt, place, is_long),
        "regrade": lambda: wrong_with_lane("regrade", regrade, place, is_long),
        "merge": lambda: wrong_with_parts(place),
    }


def checks(place):
    call = Call()
    for name, find_wrong in kinds(place, call.is_long).items():
        if call.wants(name):
            yield f"{name}, {PLACES} places", find_wrong()


if __name__ == "__main__":
    sys.exit(play_checks("damaged", checks))
