"""What lanes that take long have in common: how they end on a signal, and how they speak."""

import os
import pathlib
import signal
import sys


class Stop:
    """Whether a signal has asked for the end. Then the processes that were started are asked as well."""

    def __init__(self):
        self.requested = False
        self.listen()

    def listen(self):
        """From here on signals are heard; also in a child process, to which this was copied."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.request)

    def request(self, number, _frame):
        signal.signal(number, signal.SIG_DFL)  # the second one ends at once
        self.requested = True
        for tasks in pathlib.Path("/proc/self/task").iterdir():
            for child in (tasks / "children").read_text().split():
                try:
                    os.kill(int(child), signal.SIGTERM)
                except (ProcessLookupError, PermissionError):
                    pass  # it has ended meanwhile, or is another user's


class Output:
    """Standard output. What cannot be printed is told at the end, and makes the exit status 1."""

    def __init__(self, lane):
        self.lane = lane
        self.problem = ""

    def line(self, text):
        rest = f"{text}\n".encode(errors="replace")
        try:
            while rest:
                rest = rest[os.write(sys.stdout.fileno(), rest):]
        except OSError as failure:
            self.problem = f"standard output: cannot be written: {failure.strerror}"

    def status(self, status, *problems):
        """The exit status, with these problems as well; each that is none is empty."""
        wrong = [problem for problem in (self.problem, *problems) if problem]
        for problem in wrong:
            print(f"{self.lane}: {problem}", file=sys.stderr)
        return 1 if wrong and status == 0 else status
