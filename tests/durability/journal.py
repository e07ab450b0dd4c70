"""What a lane that takes hours writes down, so that a later call goes on where it was ended.

A file of JSON lines, each sealed by a checksum as scenarios/campaign/sealed.hpp has it. The first names the
lane and the options that it belongs to; then comes a line for each result, on the disk as soon as it is there.
"""

import json
import os
import pathlib
import signal
import sys
import threading

MEMBER = ',"checksum":"'


class Refused(Exception):
    """A file that does not belong to this call, with a sentence that says why."""


def checksum(text):
    """FNV-1a with 64 bits over the bytes of a text, as hexadecimal digits."""
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 % (1 << 64)
    return f"{value:016x}"


def sealed(entry):
    body = json.dumps(entry, separators=(",", ":"))[:-1]
    return f'{body}{MEMBER}{checksum(body)}"}}'


def unsealed(line):
    """The object of a sealed line; nothing when a byte of it has changed."""
    body = line[:line.rfind(MEMBER)]
    if line != f'{body}{MEMBER}{checksum(body)}"}}':
        return None
    entry = json.loads(line)
    del entry["checksum"]
    return entry


def state_folder():
    """As scenarios/cli/state_folder.cpp."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.join(os.path.expanduser("~"), ".local/state")
    return pathlib.Path(state) / "watchlab"


class Journal:
    """The results of one call of a lane, and of the calls that it goes on from."""

    def __init__(self, lane, options, resume=None):
        self.options = {name: str(value) for name, value in options.items()}
        head = {"lane": lane, "options": self.options}
        own = state_folder() / f"{lane}.{checksum(json.dumps(head))[:8]}.resume"
        self.path = pathlib.Path(resume) if resume else own
        self.is_own = self.path in (own, own.with_name(own.name + ".before"))
        self.lock = threading.Lock()
        self.entries = self.read(lane) if resume else []
        if not resume:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.set_aside(lane)
        self.file = open(self.path, "a", encoding="utf-8")  # pylint: disable=consider-using-with
        if not resume:
            self.write(head)

    def set_aside(self, lane):
        if self.path.exists():
            before = self.path.with_name(self.path.name + ".before")
            self.path.rename(before)
            print(f"an earlier {lane} with these options had stopped; to go on with that: --resume {before}",
                  file=sys.stderr)

    def read(self, lane):
        try:
            text = self.path.read_bytes().decode(errors="surrogateescape")
        except OSError as failure:
            raise Refused(f"{self.path}: cannot be read: {failure.strerror}") from failure
        whole, _, torn = text.rpartition("\n")
        entries = []
        for number, line in enumerate(whole.split("\n"), 1):
            try:
                entries.append(unsealed(line))
            except (ValueError, KeyError):
                entries.append(None)
            if entries[-1] is None:
                raise Refused(f"{self.path}:{number}: the line is damaged: its checksum does not fit")
        if torn:  # it was killed while it wrote; what that line told is done again
            os.truncate(self.path, len((whole + "\n").encode(errors="surrogateescape")))
        head = entries.pop(0)
        if head.get("lane") != lane:
            raise Refused(f"{self.path}: this is not where {lane} has stopped")
        for name in sorted({*head["options"], *self.options}):
            was, now = (options.get(name, "unset") for options in (head["options"], self.options))
            if was != now:
                raise Refused(f"{self.path}: it belongs to other options: {name} was {was} and is {now}")
        return entries

    def write(self, entry):
        self.file.write(sealed(entry) + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def add(self, entry):
        """Keeps a result, from any thread; it is on the disk when this comes back."""
        with self.lock:
            self.entries.append(entry)
            self.write(entry)

    def finish(self):
        """All is done and told: nobody needs to go on from here."""
        self.file.close()
        if self.is_own:
            self.path.unlink(missing_ok=True)


class Stop:
    """Whether a signal has asked for the end. Then the processes that were started are asked as well."""

    def __init__(self):
        self.requested = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.request)

    def request(self, number, _frame):
        signal.signal(number, signal.SIG_DFL)  # the second one ends at once
        self.requested = True
        for tasks in pathlib.Path("/proc/self/task").iterdir():
            for child in (tasks / "children").read_text().split():
                os.kill(int(child), signal.SIGTERM)
