#!/usr/bin/env python3
"""Lets each command write to a disk that is full, and wants a message, exit status 1, and nothing lost.

    full_disk.py [--long]   with --long also hunt, regrade and grade, which compile

First every command prints into /dev/full, then every option that names an output names it, then both again with
files that may not grow (`ulimit -f`), which ends a program by a signal unless it has asked for an error. At last a small
disk becomes full while explore and fuzz are at work on it: what was kept before must be whole, and continue. That
disk is a tmpfs: without the right to mount one it is left out, which is said. The last line is
`N passed, N failed`. Exit 0 if all is as it should be.
"""

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from journal import Journal
from lane import Call, play_checks
from long_commands import HASTY, ROOT, TREE, WATCHLAB, long_commands

COURSE = str(TREE / "exercises/grader/watchlab-course")
FULL = "No space left on device"
TOO_LARGE = "File too large"
FILE_BYTES = 1 << 16  # more than what is kept beside outputs
DISK_KIBIBYTES = 2048

# A command that needs a server: played by one, whose URL stands in the file that it writes.
ASKS_A_SERVER = f"""{WATCHLAB} fault list --server $(grep -o 'http:[^"]*' "$KUBECONFIG")"""
# One that answers what it reads.
ANSWERS_A_CLIENT = f"""echo '{{"jsonrpc":"2.0","id":1,"method":"ping"}}' | {WATCHLAB} mcp"""
# Command -> words with which it prints something. `$` is a folder of the test's own.
PRINTING = {
    WATCHLAB: {
        "branch": "missed_delete --take 17=1", "diff": "$/run.jsonl $/run.jsonl", "digest": "$/hasty.yaml", "draw": "$/hasty.yaml",
        "explain": "$/hasty.yaml --schedule @$/schedule.txt --endings 0",
        "explore": "$/hasty.yaml --schedules 3 --json",
        "fuzz": "--seeds 1..2 --json", "list": "", "mcp": ANSWERS_A_CLIENT,
        "completion": "bash", "merge": "$/part.jsonl", "migrate": "$/hasty.yaml --json", "museum": "list", "new": "$/fresh",
        "replay": "$/hasty.yaml --json --schedule @$/schedule.txt", "report": "$/hasty.yaml -o -", "run": "missed_delete", "schema": "",
        "serve": "", "serve-report": "missed_delete", "fault": ASKS_A_SERVER, "story-from": "$/seen.jsonl",
        "show": "missed_delete", "shrink": "$/hasty.yaml --schedule @$/schedule.txt", "trace": "$/hasty.yaml --json",
        "transcribe": "scenarios/relist/missed_delete.yaml -o -", "validate": "$/hasty.yaml"},
    COURSE: {"list": "", "dev": "check E03"},
}
# Command -> words that name the output.
NAMING = {
    WATCHLAB: {
        "run": [f"missed_delete --{option} @" for option in ("junit", "transcript")], "merge": ["$/part.jsonl --junit @"],
        "explore": ["missed_delete --schedules 3 --junit @"], "validate": ["$/hasty.yaml --junit @"],
        "migrate": ["$/hasty.yaml --junit @"],
        "replay": ["$/hasty.yaml --schedule @$/schedule.txt --junit @"], "schema": ["-o @"],
        "draw": ["$/hasty.yaml -o @"], "report": ["$/hasty.yaml -o @"], "branch": ["missed_delete --take 17=1 -o @"],
        "serve": ["--kubeconfig @ -- true", "--record @ -- true", "docs/tutorial/tutorial.yaml --junit @ -- true"], "trace": ["$/hasty.yaml -o @"],
        "transcribe": ["scenarios/relist/missed_delete.yaml -o @"],
        "shrink": ["$/hasty.yaml --schedule @$/schedule.txt --story @"], "story-from": ["$/seen.jsonl -o @"]},
}
# A record of serve, in which a client watches.
SEEN = """{"watchlab":"record","version":1}
{"at":0,"request":{"number":1,"client":"c","verb":"WATCH","of":{"group":"","version":"v1","resource":"configmaps"},\
"namespace":"","name":"","text":"","labels":"","fields":"","resourceVersion":"","streamsList":false}}
"""
# Commands that write without an option for it, in a folder `$` with a story in older words.
OLDER = "apiVersion: watchlab/v1\nname: older\nstory: s\nserver: {crowd: 3}\nclients: [{name: x, kind: informer}]\n"
IN_PLACE = {"new": "$/fresh", "migrate": "$/older.yaml", "report": "$/older.yaml -o $/older.html"}
LANES = {"hunt": "tests/mutants/hunt.py core/d01", "regrade": "tests/course/regrade.py --full 0 --cached 4"}
GRADE = "grade E01t --submission $/hand_in"


def words_of(text, place, output="/dev/full"):
    return [re.sub(r"^@$", output, word).replace("$", str(place)) for word in text.split()]


def play(words, place, **more):
    """Exit status and what it said on standard error."""
    environment = {**os.environ, "NO_COLOR": "1", "XDG_STATE_HOME": str(place / "state")}
    ended = subprocess.run(words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False, text=True,
                           stderr=subprocess.PIPE, **more)
    return ended.returncode, ended.stderr


def wrong_with_end(status, said, path, reason=FULL):
    if status != 1:
        return f"ended with {status}, and said {said!r}"
    line = next((line for line in said.splitlines() if reason in line), "")
    if path not in line:
        return f"does not say of {path}: {reason}: {said!r}"
    return f"is reported in the words of Python: {said}" if "Traceback" in said else ""


def prepare(place):
    """What the words above need: a scenario that fails, its schedule, a part of an exploration, a submission."""
    (place / "hasty.yaml").write_text(HASTY)
    found = subprocess.run([WATCHLAB, "explore", str(place / "hasty.yaml"), "--schedules", "9", "--json"],
                           cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, text=True).stdout
    (place / "schedule.txt").write_text(re.search(r'"schedule":"([^"]*)"', found)[1])
    (place / "part.jsonl").write_bytes(subprocess.run(
        [WATCHLAB, "explore", "missed_delete", "--schedules", "3", "--json"], cwd=ROOT, stdout=subprocess.PIPE,
        check=True).stdout)
    subprocess.run([WATCHLAB, "trace", "missed_delete", "-q", "-o", str(place / "run.jsonl")], cwd=ROOT, check=True)
    (place / "seen.jsonl").write_text(SEEN)
    (place / "hand_in").mkdir()
    for file in (ROOT / "exercises/01t-store-tests/instructor/suites/empty").iterdir():
        shutil.copy(file, place / "hand_in")


def commands_of(program):
    """The names of its commands, as its help has them."""
    listed = subprocess.run([program, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout
    others = re.search(r"^Also: ([a-z -]*);", listed, re.MULTILINE)
    return re.findall(r"^  ([a-z][a-z-]*) ", listed, re.MULTILINE) + (others[1].split() if others else [])


def printing_calls(place):
    """Each command that prints something, with its words."""
    for program, rows in PRINTING.items():
        for name, rest in rows.items():
            yield name, {ASKS_A_SERVER: [program, "serve", "--", "sh", "-c", rest], ANSWERS_A_CLIENT: ["sh", "-c", rest]}.get(
                rest, [program, name, *words_of(rest, place)])


def printing(place):
    """Each command with /dev/full as its standard output."""
    for name in commands_of(WATCHLAB):
        if name not in PRINTING[WATCHLAB]:
            yield name, "has no row in this script"
    for name, line in printing_calls(place):
        with open("/dev/full", "wb") as full:
            status, said = play(line, place, stdout=full)
        yield f"{name} > /dev/full", wrong_with_end(status, said, "standard output")


def limited(place):
    """The same with a file that has the size that files may have, and each option that names an output with files that
    may have no size at all: what is not written whole is not there, and nothing lies beside it."""
    def limit(size):
        return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}

    outputs = place / "limited"
    outputs.mkdir()
    for made in place.glob("fresh*"):  # by `new`
        made.unlink()
    for name, line in printing_calls(place):
        if name == "dev":
            continue  # it lays out a bundle before it prints, which is larger
        (outputs / "printed").write_bytes(bytes(FILE_BYTES))
        with open(outputs / "printed", "ab") as printed:
            status, said = play(line, place, stdout=printed, **limit(FILE_BYTES))
        yield f"{name} > a file that may not grow", wrong_with_end(status, said, "standard output", TOO_LARGE)
    (outputs / "printed").unlink()
    (outputs / "older.yaml").write_text(OLDER)
    for name, rest in IN_PLACE.items():
        status, said = play([WATCHLAB, name, *words_of(rest, outputs)], place, stdout=subprocess.PIPE, **limit(0))
        left = {path.name: path.read_text() for path in outputs.iterdir()}
        yield f"{name} {rest} where no file may grow", wrong_with_end(status, said, "limited", TOO_LARGE) or \
            (f"left {left}" if left != {"older.yaml": OLDER} else "")
    (outputs / "older.yaml").unlink()
    for program, rows in NAMING.items():
        for name, calls in rows.items():
            for rest in calls:
                status, said = play([program, name, *words_of(rest, place, str(outputs / "named"))], place,
                                    stdout=subprocess.DEVNULL, **limit(0))
                left = {path.name: path.read_bytes() for path in outputs.iterdir()}
                allowed = {"named": b""} if "--record" in rest else {}  # it is written as things happen
                yield f"{name} {rest} where no file may grow", wrong_with_end(status, said, "limited/named", TOO_LARGE) or \
                    (f"left {left}" if left != allowed else "")
                (outputs / "named").unlink(missing_ok=True)


def naming(place):
    """Each option that names an output, with /dev/full as its value."""
    for program, rows in NAMING.items():
        for name, calls in rows.items():
            for rest in calls:
                status, said = play([program, name, *words_of(rest, place)], place, stdout=subprocess.DEVNULL)
                yield f"{name} {rest}", wrong_with_end(status, said, "/dev/full")


def compiling(place):
    for name, rest in LANES.items():
        with open("/dev/full", "wb") as full:
            status, said = play([sys.executable, *rest.split()], place, stdout=full)
        kept = list((place / "state/watchlab").glob(f"{name}.*.resume"))
        yield f"{name} > /dev/full", wrong_with_end(status, said, "standard output") or \
            ("" if kept else "forgot what it could not report")
    with open("/dev/full", "wb") as full:
        status, said = play([COURSE, *words_of(GRADE, place)], place, stdout=full)
    yield "grade > /dev/full", wrong_with_end(status, said, "standard output")
    status, said = play([COURSE, *words_of(f"{GRADE} -o @", place)], place, stdout=subprocess.DEVNULL)
    yield "grade -o /dev/full", wrong_with_end(status, said, "/dev/full")


@contextlib.contextmanager
def small_disk(folder):
    """A disk of little room; nothing where none may be mounted."""
    folder.mkdir(exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_KIBIBYTES}k", "tmpfs", str(folder)],
                             stderr=subprocess.DEVNULL, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


def fill(disk):
    """Takes all the room that is left, to the last byte."""
    with open(disk / "ballast", "ab", buffering=0) as ballast:
        for size in (65536, 4096, 1):
            with contextlib.suppress(OSError):
                while ballast.write(bytes(size)) == size:
                    pass


def entries(folder):
    """What stands there beside the last failures of stories, which are kept in a folder of their own."""
    return [entry for entry in folder.iterdir() if entry.name != "failures"]


def fill_under(process, command, disk):
    """Fills the disk while the command stands still and is not about to put a new file in the place of the old one:
    that would give the old one's room back. Where it has ended already, nothing is left to do."""
    while process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if len(entries(disk / "watchlab")) == len(command.files()):
            fill(disk)
            process.send_signal(signal.SIGCONT)
            return
        process.send_signal(signal.SIGCONT)
        time.sleep(0.001)


def wrong_with_full(command, disk):
    """A disk that becomes full while the command works, and a signal then: it continues from what was kept before."""
    undisturbed = command.finished(command.start())
    process = command.start(err=subprocess.PIPE)
    while process.poll() is None and not command.has_finding():
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.001)
    fill_under(process, command, disk)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate()
    kept = command.files()
    if not kept:
        return f"what was kept before is gone: {said}"
    wrong = wrong_with_end(process.returncode, said, str(kept[-1]))
    if wrong or "continues from there" not in said:
        return wrong or f"does not say that it goes on from what was kept before: {said}"
    if len(entries(kept[-1].parent)) != 1:
        return f"left {entries(kept[-1].parent)}"
    again = command.start(command.resume_words(), err=subprocess.PIPE)
    out, said = again.communicate()
    if (command.results(out), again.returncode) != undisturbed or FULL not in said:
        return f"went on to\n  {out}{said}\ninstead of\n  {undisturbed}"
    (disk / "ballast").unlink()
    return ""


def wrong_with_journal(disk):
    """What hunt and regrade keep: a result that has no room is reported, and leaves no part of a line."""
    os.environ["XDG_STATE_HOME"] = str(disk)
    journal = Journal("hunt", {"tries": 1})
    try:
        return wrong_with_lines(journal, disk)
    finally:
        journal.finish()


def wrong_with_lines(journal, disk):
    journal.add({"try": 0})
    before = journal.path.read_bytes()
    fill(disk)
    journal.add({"try": 1, "found": "x" * 8192})
    if journal.path.read_bytes() != before:
        return f"left a part of a line: {journal.path.read_bytes()[len(before):][:80]}"
    if journal.problem != f"{journal.path}: cannot be written: {FULL}":
        return f"says {journal.problem!r}"
    (disk / "ballast").unlink()
    journal.add({"try": 2})
    again = Journal("hunt", {"tries": 1}, journal.path)
    again.finish()
    kept = [entry["try"] for entry in again.entries]
    return "" if kept == [0, 2] else f"continues with {kept}"


def wrong_with_start(disk, place):
    """No file of a student is begun that cannot be written to its end, and the next start has them all."""
    words = [COURSE, "start", "E01t", "--homework", str(disk / "homework")]
    fill(disk)
    status, said = play(words, place, stdout=subprocess.DEVNULL)
    begun = [str(file) for file in (disk / "homework").rglob("*") if file.is_file()]
    wrong = wrong_with_end(status, said, "homework")
    if wrong or begun:
        return wrong or f"left {begun}"
    (disk / "ballast").unlink()
    status, said = play(words, place, stdout=subprocess.DEVNULL)
    own, given = disk / "homework/01t-store-tests", ROOT / "exercises/01t-store-tests"
    is_whole = status == 0 and all((own / name.name).read_bytes() == name.read_bytes()
                                   for name in (given / "subject.hpp", given / "starter/store_test.cpp"))
    shutil.rmtree(disk / "homework")
    return "" if is_whole else f"with room again it ended with {status}: {said}"


def filling(place):
    with small_disk(place / "disk") as is_there:
        if not is_there:
            print("left out: no disk may be mounted here, so none becomes full while a command works")
            return
        commands = long_commands(place)
        for name in ("sampling", "fuzz"):
            command = commands[name]()
            command.state = place / "disk"
            command.environment["XDG_STATE_HOME"] = str(place / "disk")
            yield f"{name} on a disk that becomes full", wrong_with_full(command, place / "disk")
            shutil.rmtree(place / "disk/watchlab", ignore_errors=True)
        yield "the journal of a lane on a disk that becomes full", wrong_with_journal(place / "disk")
        yield "course start on a disk that is full", wrong_with_start(place / "disk", place)


def checks(place):
    prepare(place)
    for part in [printing, naming, limited, filling] + ([compiling] if Call().is_long else []):
        yield from part(place)


if __name__ == "__main__":
    sys.exit(play_checks("full", checks, tells_held=False))
