#!/usr/bin/env python3
"""Kills each long command at random moments, lets it continue, and wants what it says to be as if it had not been.

    killed.py [--long] [COMMAND…]   three kills at work for each command, or 20 with --long

The commands are explore (sampling), fuzz, hunt and regrade; the last two, which
compile, only with --long or by name. A kill counts when the command was at work: there was a file that says
where it stands. The last line is `N passed, N failed`. Exit 0 if nothing was lost or repeated.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

from lane import Call, play_checks, processes_of
from long_commands import long_commands

TRIES = 5  # for each kill that is wanted: some come too early, some too late
LOOKS = 1000  # at the processes that a kill has left, a hundredth of a second each


class Kills:
    """What came of killing one command again and again."""

    def __init__(self, command, wanted):
        self.command, self.wanted = command, wanted
        self.at_work = self.with_findings = self.ends = 0
        self.seconds = 0  # of a run that nothing disturbs

    def play(self):
        """Returns what is wrong; "" for nothing."""
        started = time.monotonic()
        result = self.command.finished(self.command.start())
        self.seconds = time.monotonic() - started
        if self.command.files():
            return f"left {self.command.files()} after its end"
        for _ in range(TRIES * self.wanted):
            if self.at_work == self.wanted:
                break
            wrong = self.kill_once(self.seconds * random.uniform(*self.command.moments), result)
            if wrong:
                return wrong
        if self.at_work < self.wanted:
            return f"{self.at_work} of {self.wanted} kills met it at work; its run of {self.seconds:.1f} s is too short"
        if self.with_findings == 0:
            return f"none of {self.wanted} kills came when there was a finding to lose"
        return self.compare(self.command.start(self.command.resume_words()), result)

    def report(self):
        return (f"{self.at_work} kills at work, {self.with_findings} of them with findings to lose, {self.ends} ends, "
                f"{self.seconds:.1f} s undisturbed")

    def kill_once(self, seconds, result):
        """One kill after so many seconds; or an end before that, which must be as it is undisturbed."""
        words, started = self.command.resume_words(), time.monotonic()
        process = self.command.start(words)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        is_at_work = process.poll() is None
        if not is_at_work:
            if not words:  # a whole run: the first one may have been slower, for what it compiled or what ran beside it
                self.seconds = min(self.seconds, time.monotonic() - started)
            return self.compare(process, result)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        for _ in range(LOOKS):
            if not processes_of(self.command.state):
                break
            time.sleep(0.01)
        else:
            return f"left {processes_of(self.command.state)} when it was killed"
        self.at_work += bool(self.command.files())
        self.with_findings += self.command.has_finding()
        return ""

    def compare(self, process, result):
        found = self.command.finished(process)
        self.ends += 1
        if found != result:
            return f"came to\n  {found}\nafter {self.at_work} kills, instead of\n  {result}"
        return f"left {self.command.files()} after its end" if self.command.files() else ""


def checks(place):
    call = Call()
    seed = random.randrange(1 << 32)
    random.seed(seed)
    for name, make in long_commands(place).items():
        if call.wants(name, is_slow=name in ("hunt", "regrade")):
            kills = Kills(make(), 20 if call.is_long else 3)
            wrong = kills.play()
            yield f"{name}, {kills.report()}", wrong and f"{wrong}\n(the moments are those of seed {seed})"
            for folder in ("state", "tmp"):
                shutil.rmtree(place / folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(play_checks("killed", checks))
