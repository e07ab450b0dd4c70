#!/usr/bin/env python3
"""Plays the pieces of the museum that are Go tests, in scenarios/museum/go. ./dev museum checks them with it.

    tests/museum/go_piece.py SLUG    plays the order in which the piece fails, and says why; the launcher calls it

Exit: 1 as it failed, 0 as it did not, 2 when it cannot be played here.
"""

import signal
import sys

# Ctrl-C ends it without a word, also while the rest is read; a shell takes the signal for status 130. The launcher holds
# it back while Python starts.
sys.excepthook = lambda kind, *rest: None if kind is KeyboardInterrupt else sys.__excepthook__(kind, *rest)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])

import functools
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = ROOT / "scenarios/museum/go"
PROGRAMS = ROOT / "build/races"
REPLAYS = 20
LIMIT = 600  # seconds that a test or its first build may take


class Wrong(Exception):
    """A piece that does not do what it says. Says how."""


class Unavailable(Exception):
    """This machine cannot play a piece. Says why."""


def go(*words, folder=MODULE):
    return subprocess.run(["go", *words], cwd=folder, capture_output=True, text=True, check=False,
                          timeout=LIMIT)


@functools.cache
def overlay():
    """The overlay of the installed Go; raises `Unavailable`."""
    try:
        if go("mod", "download").returncode:
            raise Unavailable("this Go cannot have the modules of scenarios/museum/go")
        made = go("run", "example.org/watchlab/overlay")
    except FileNotFoundError:
        raise Unavailable("there is no go") from None
    if made.returncode:
        raise Unavailable(made.stderr.strip().rpartition("\n")[2])
    return made.stdout.strip()


class GoPiece:
    """A folder of scenarios/museum/go."""

    def __init__(self, slug, fails="", bug=""):
        self.slug, self.bug = slug, bug
        self.kind, _, self.part = fails.partition(": ")
        self.folder = MODULE / slug
        self.schedule = self.folder / "schedule.txt"
        self.text = (self.folder / "race_test.go").read_text(encoding="utf-8")
        self.program = PROGRAMS / f"{slug}.test"

    def build(self):
        """Builds its test with the overlay. Raises `Unavailable`, and `Wrong` when it does not compile."""
        flags = ["-c", "-vet=off", "-overlay", overlay(), "-gcflags=all=-d=ssa/intrinsics/off", "-gcflags=std="]
        PROGRAMS.mkdir(parents=True, exist_ok=True)
        built = go("test", *flags, "-o", str(self.program), f"./{self.slug}")
        if built.returncode:
            raise Wrong(f"does not compile: {built.stderr.strip()[:600]}")

    def play(self, test, schedule=""):
        """Exit code of the test, and what it prints."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("WATCHLAB_")}
        if schedule:
            environment["WATCHLAB_SCHEDULE"] = schedule
        done = subprocess.run([self.program, f"-test.run=^{test}$", "-test.v"], cwd=self.folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=LIMIT)
        return done.returncode, done.stdout

    def stored(self):
        return self.schedule.read_text(encoding="utf-8").split("\n", 1)[0]

    def is_named(self, printed):
        """Whether the test has failed as the piece says."""
        first = re.search(r"watchlab: (.*)", printed)
        return bool(first) and first[1].startswith(self.kind) and self.part in first[1]

    def search(self):
        """What a search without the schedule prints; raises `Wrong` unless it finds the bug and can replay it."""
        _, printed = self.play("TestBroken")
        if not self.is_named(printed) or not re.search(r"Replayed in fresh processes: (\d+) of \1 alike", printed):
            raise Wrong(f"its bug is not found: {printed.strip()[:600]}")
        return printed

    def judge(self, replays=REPLAYS):
        """What holds, in words; raises `Wrong` or `Unavailable`."""
        self.build()
        for i in range(replays):
            status, printed = self.play("TestBroken", self.stored())
            if status != 1 or not self.is_named(printed):
                raise Wrong(f"replay {i + 1} of the stored schedule does not fail with '{self.kind}: …{self.part}…': "
                            f"{printed.strip()[:600]}; ./dev museum refresh {self.slug} looks for another one")
            if "its digest is the same" not in printed:
                raise Wrong(f"replay {i + 1} is another run than that of the stored schedule: {printed.strip()[:600]}")
        found = re.search(r"in (run \d+|the default order)", self.search())
        held = f"broken: {replays} of {replays} replays fail ({self.kind}), and {found[1]} of a search; "
        if "func TestMended" not in self.text:
            return held + "no fixed one"
        status, printed = self.play("TestMended")
        passed = re.search(r"watchlab: (\d+) runs passed", printed)
        if status or not passed:
            raise Wrong(f"the fixed test fails: {printed.strip()[:600]}")
        return held + f"fixed: {passed[1]} orders hold"

    def refresh(self):
        """Finds the schedule again, unless the stored one is good. What was found, or ""; raises as `judge`."""
        self.build()
        if self.schedule.exists():
            _, printed = self.play("TestBroken", self.stored())
            if self.is_named(printed) and "its digest is the same" in printed:
                return ""
        printed = self.search()
        schedule = re.search(r"WATCHLAB_SCHEDULE=(\S+)", printed)[1]
        deviations = len(schedule.rpartition("/")[2].split(","))
        known = (f"{deviations} deviation{'s' if deviations > 1 else ''} from the default order; "
                 f"{go('env', 'GOVERSION').stdout.strip()}")
        self.schedule.write_text(f"{schedule}\n# {known}\n", encoding="utf-8")
        return known


def main():
    piece = GoPiece(sys.argv[1])
    try:
        piece.build()
    except (Unavailable, Wrong) as why:
        print(f"watchlab: {piece.slug} is a race in Go, which cannot be played here: {why}", file=sys.stderr)
        return 2
    status, printed = piece.play("TestBroken", piece.stored())
    marks = ("===", "---", "FAIL", "PASS")  # of go test
    print("\n".join(line.removeprefix("    ") for line in printed.splitlines() if not line.startswith(marks)))
    return status


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    sys.exit(main())
