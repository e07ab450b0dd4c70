"""What lanes that take long have in common, and the scripts that disturb them: how they end and how they speak."""

import atexit
import contextlib
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time


class Stop:
    """Whether a signal has asked for the end. Then the processes that were started are asked as well."""

    TOGETHER = 1  # seconds in which signals are one with the first: `timeout` sends each of them twice

    def __init__(self):
        self.requested = False
        self.first = 0  # when it came
        self.listen()

    def listen(self):
        """From here on signals are handled; also in a child process, to which this was copied."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.request)

    def request(self, number, _frame):
        if self.requested:
            if time.monotonic() - self.first > self.TOGETHER:  # the second one ends at once
                signal.signal(number, signal.SIG_DFL)
                os.kill(os.getpid(), number)
            return
        self.first = time.monotonic()
        self.requested = True
        atexit.register(self.ignore)
        for tasks in pathlib.Path("/proc/self/task").iterdir():
            for child in (tasks / "children").read_text().split():
                try:
                    os.kill(int(child), signal.SIGTERM)
                except (ProcessLookupError, PermissionError):
                    pass  # it has ended meanwhile, or is another user's


    def ignore(self):
        """At the end of the program, where Python takes its handlers away."""
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)


class Output:
    """Standard output. What cannot be printed is reported at the end, and makes the exit status 1."""

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


def processes_of(place):
    """The processes that were started with this folder in their environment, and still are: number -> words."""
    mark = os.fsencode(place)
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes():
                words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found |= {int(process.name): words} if words else {}
        except OSError:
            pass  # it has ended meanwhile, or is another user's
    return found


def end_processes_of(place):
    """Those of a command that was at work when the script itself was ended."""
    for _ in range(100):  # what appears meanwhile is seen by the next look
        left = processes_of(place)
        for number in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        if not left:
            return
        time.sleep(0.01)


class Call:
    """The words of a script's call: names of what is to be played, and --long."""

    def __init__(self):
        self.names = [word for word in sys.argv[1:] if not word.startswith("-")]
        self.is_long = "--long" in sys.argv

    def wants(self, name, is_slow=False):
        """What is named is played, and nothing else; without any name all but what is slow, which --long adds."""
        return name in self.names if self.names else self.is_long or not is_slow


def play_checks(script, checks, tells_held=True):
    """The exit status of a script, whose every check is counted and whose last line is `N passed, N failed`.

    `checks` gets a temporary folder that other users may enter, and gives for each check its name and what is
    wrong, which is empty when it held. A call that plays nothing has failed: a name of it was no name."""
    os.umask(0o022)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: sys.exit(130))
    place = pathlib.Path(tempfile.mkdtemp(prefix=f"watchlab-{script}-"))
    place.chmod(0o711)
    passed = failed = 0
    try:
        for name, wrong in checks(place):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong or tells_held:
                print(f"FAIL  {name}: {wrong}" if wrong else f"held  {name}", flush=True)
    finally:
        end_processes_of(place)
        shutil.rmtree(place, ignore_errors=True)
    if not passed and not failed:
        print(f"{script}: nothing is called that: {' '.join(sys.argv[1:])}", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1
