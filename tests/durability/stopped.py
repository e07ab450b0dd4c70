#!/usr/bin/env python3
"""Sends INT, TERM and HUP to each long command at work, and looks at how it ends and at what it leaves.

    stopped.py [--long] [COMMAND…]   with --long also those that compile: hunt, regrade, grade, museum, attack

Each ends with a sentence, with status 130 (grade: of the signal itself), and leaves no process and no temporary
folder. What keeps where it stands goes on from there to what it would have come to undisturbed. The last line is
`N passed, N failed`. Exit 0 if all is as it should be.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from long_commands import ROOT, TREE, Long, long_commands, processes_of, words_of

COURSE = str(TREE / "exercises/grader/watchlab-course")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = 130
LOOKS = 1000  # at what a command has left, a hundredth of a second each


def wait_until(process, holds):
    """Until that holds, or the process has ended."""
    while process.poll() is None and not holds():
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.01)


def stopped(command, number, is_at_work):
    """Status and words of a command that gets a signal when it is at work, and what is wrong with what it left."""
    process = command.start(err=subprocess.STDOUT)
    wait_until(process, is_at_work)
    if process.poll() is not None:
        return process.returncode, process.communicate()[0], "ended before it was at work"
    process.send_signal(number)
    said, _ = process.communicate()
    left = processes_of(command.state)
    for _ in range(LOOKS if left else 0):
        left = processes_of(command.state)
        if not left:
            break
        time.sleep(0.01)
    folders = [path.name for path in (command.state.parent / "tmp").iterdir()]
    wrong = f"left the processes {left}" if left else f"left {folders} in TMPDIR" if folders else ""
    return process.returncode, said, wrong


def wrong_with_keeper(command, number, undisturbed):
    """Of a command that keeps where it stands."""
    status, said, wrong = stopped(command, number, command.has_finding)
    if wrong or status != INTERRUPTED:
        return wrong or f"ended with {status}: {said}"
    if "--resume" not in said or "Traceback" in said:
        return f"does not say how to go on: {said}"
    found = command.finished(command.start(command.resume_words()))
    return "" if found == undisturbed else f"went on to\n  {found}\ninstead of\n  {undisturbed}"


def wrong_with_other(command, number, status_wanted, sentence):
    """Of a command that keeps nothing: it is at work when it has a child of its own that is at work."""
    status, said, wrong = stopped(command, number, lambda: len(processes_of(command.state)) >= 3)
    if wrong or status != status_wanted:
        return wrong or f"ended with {status} instead of {status_wanted}: {said}"
    return "" if sentence in said and "Traceback" not in said else f"says {said!r} instead of {sentence!r}"


def others(place):
    """Commands that keep nothing: name, command, status for a signal, what it says."""
    cohort = place / "cohort"
    for name in ("one", "two"):
        (cohort / name).mkdir(parents=True, exist_ok=True)
        for file in (ROOT / "exercises/01t-store-tests/instructor/suites/empty").iterdir():
            shutil.copy(file, cohort / name)
    grade = [COURSE, "grade", "E01t", "--cohort", str(cohort), "--out", str(place / "results")]
    museum = [sys.executable, "tests/museum/museum.py", "run"]
    attack = [sys.executable, "tests/exercises/hostile/play.py", "symbols/"]
    return [(Long("grade", grade, words_of, "", b"").live_in(place), lambda number: -number, ""),
            (Long("museum", museum, words_of, "", b"").live_in(place), lambda _: INTERRUPTED, "stopped"),
            (Long("attack", attack, words_of, "", b"").live_in(place), lambda _: INTERRUPTED, "stopped")]


def plays(place, names, is_long):
    """(name, what is wrong) of each command and signal."""
    for name, make in long_commands(place).items():
        if name in names if names else is_long or name not in ("hunt", "regrade"):
            command = make()
            undisturbed = command.finished(command.start())
            for number in SIGNALS:
                yield f"{name}, {number.name}", wrong_with_keeper(command, number, undisturbed)
                shutil.rmtree(place / "state", ignore_errors=True)
    for command, status, sentence in others(place):
        if command.name in names if names else is_long:
            for number in SIGNALS:
                yield f"{command.name}, {number.name}", wrong_with_other(command, number, status(number), sentence)


def main():
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    place = pathlib.Path(tempfile.mkdtemp(prefix="watchlab-stopped-"))
    place.chmod(0o711)
    passed = failed = 0
    try:
        for name, wrong in plays(place, names, "--long" in sys.argv):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            print(f"FAIL  {name}: {wrong}" if wrong else f"held  {name}", flush=True)
            for folder in ("state", "tmp"):
                shutil.rmtree(place / folder, ignore_errors=True)
                (place / folder).mkdir(mode=0o711)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
