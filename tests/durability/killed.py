#!/usr/bin/env python3
"""Kills each long command at random moments, lets it go on, and wants what it says to be as if it had not been.

    killed.py [--long] [COMMAND…]   three kills for each command, or 20 with --long

The commands are explore (sampling and searching), fuzz, hunt and regrade; the last two, which compile, only
with --long or by name. The last line is `N passed, N failed`. Exit 0 if nothing was lost or repeated.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / "build/release"
WATCHLAB = str(TREE / "scenarios/cli/watchlab")
HASTY = """apiVersion: watchlab/v1
name: hasty
story: s
clients: [{name: x, kind: informer}]
script: [{create: one}, {create: two}]
until: {handled: {count: 1}}
expect: [{store: {exactly: [one, two]}}]
"""
# What differs between two runs that find the same.
FLEETING = ("seconds", "resume", "checksum", "runs_a_second")


def lines_of(text):
    """The results of a command, without what it says of time."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [{key: value for key, value in line.items() if key not in FLEETING} for line in lines]


def words_of(text):
    """The results of a lane that speaks words: all numbers but those of seconds."""
    return [line.rsplit(", ", 1)[0] for line in text.splitlines() if line and not line.startswith("stopped")]


class Long:
    """A command that takes long."""

    def __init__(self, name, words, results, **environment):
        self.name, self.words, self.results = name, words, results
        self.environment = {**os.environ, "NO_COLOR": "1", **environment}

    def start(self, resume=()):
        return subprocess.Popen([*self.words, *resume], cwd=ROOT, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)

    def finished(self, process):
        out, _ = process.communicate()
        return self.results(out), process.returncode


def go_on_words(state):
    """How the next call goes on from what the killed one has left: at times there is nothing yet."""
    left = sorted((state / "watchlab").glob("*.resume"), key=lambda path: path.stat().st_mtime)
    return ["--resume", str(left[-1])] if left else []


def play(command, kills, state):
    """Kills it so many times, and lets it come to its end. Returns what is wrong; "" for nothing."""
    started = time.monotonic()
    wanted = command.finished(command.start())
    took = time.monotonic() - started
    survived = 0
    for _ in range(kills):
        process = command.start(go_on_words(state))
        try:
            process.wait(random.uniform(0, took / 2))
            survived += 1
        except subprocess.TimeoutExpired:
            pass
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    found = command.finished(command.start(go_on_words(state)))
    left = list((state / "watchlab").glob("*.resume"))
    if found != wanted:
        return f"came to\n  {found}\nafter {kills} kills, instead of\n  {wanted}"
    if left:
        return f"left {left} after its end"
    print(f"held  {command.name}: {kills - survived} kills in {took:.1f} s each", flush=True)
    return ""


def commands(place, names, everything):
    story = place / "hasty.yaml"
    story.write_text(HASTY)
    explore = [WATCHLAB, "explore", str(story), "--continue", "--json", "--save-every", "20ms"]
    mutant = place / "mutant"
    state = {"XDG_STATE_HOME": str(place / "state")}
    all_of_them = {
        "sampling": lambda: Long("sampling", [*explore, "--strategy", "random", "--schedules", "3000",
                                              "--jobs", "2"], lines_of, **state),
        "searching": lambda: Long("searching", [*explore, "--strategy", "dfs", "--schedules", "8000"],
                                  lines_of, **state),
        "reducing": lambda: Long("reducing", [*explore, "--strategy", "dpor", "--schedules", "6000"],
                                 lines_of, **state),
        "fuzz": lambda: Long("fuzz", [WATCHLAB, "fuzz", "--seeds", "1..60", "--json", "--jobs", "2",
                                      "--save-every", "20ms", "--keep-large"], lines_of,
                             **state, LD_LIBRARY_PATH=libraries(mutant)),
        "hunt": lambda: Long("hunt", [sys.executable, "tests/mutants/hunt.py", "core/d01", "core/d04",
                                      "core/d07"], words_of, **state),
        "regrade": lambda: Long("regrade", [sys.executable, "tests/course/regrade.py", "--full", "2",
                                            "--cached", "8"], words_of, **state),
    }
    slow = ("hunt", "regrade")
    for name, make in all_of_them.items():
        if name in names or (not names and (everything or name not in slow)):
            yield make()


def libraries(mutant):
    """Where a library is that is wrong in every other story, so that fuzz has something to find."""
    sys.path.insert(0, str(ROOT / "tests/variants"))
    import variant  # pylint: disable=import-outside-toplevel
    variant.build(ROOT / "tests/mutants/core/d04_replace_forgets_the_known.patch", mutant, TREE)
    return ":".join([str(mutant), str(TREE / "core"), str(TREE / "sim"), str(TREE / "scenarios")])


def main():
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    everything = "--long" in sys.argv
    failed = passed = 0
    seed = random.randrange(1 << 32)
    random.seed(seed)
    for command in commands_in_places(names, everything):
        wrong = play(*command)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAIL  {command[0].name} {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def commands_in_places(names, everything):
    """(command, kills, folder of its state), each in a folder that is gone afterwards."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="watchlab-killed-"))
    place.chmod(0o711)
    try:
        for command in commands(place, names, everything):
            yield command, 20 if everything else 3, place / "state"
            shutil.rmtree(place / "state", ignore_errors=True)
    finally:
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
