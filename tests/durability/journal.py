"""What a lane that takes hours writes down, so that a later call continues where it was ended.

A file of JSON lines, each sealed by a checksum as scenarios/campaign/sealed.hpp has it. The first names the
lane and the options that it belongs to; then comes a line for each result, on the disk as soon as it is there.
"""

import json
import os
import pathlib
import sys
import threading

MEMBER = ',"checksum":"'


class Refused(Exception):
    """A file that does not belong to this call, with a message that says why."""


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


def sealed_beginning(line):
    """Whether this is the beginning of a sealed line, or all of it without its end."""
    body = line[:line.rfind(MEMBER)]
    try:
        return f'{body}{MEMBER}{checksum(body)}"}}'.startswith(line)
    except UnicodeEncodeError:
        return False


def state_folder():
    """As scenarios/cli/resume_file.cpp."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.join(os.path.expanduser("~"), ".local/state")
    return pathlib.Path(state) / "watchlab"


class Journal:
    """The results of one call of a lane, and of the calls that it continues from."""

    def __init__(self, lane, options, resume=None):
        self.options = {name: str(value) for name, value in options.items()}
        head = {"lane": lane, "options": self.options}
        own = state_folder() / f"{lane}.{checksum(json.dumps(head))[:8]}.resume"
        self.path = pathlib.Path(resume) if resume else own
        self.is_own = self.path in (own, own.with_name(own.name + ".before"))
        self.lock = threading.Lock()
        self.entries = self.read(lane) if resume else []
        self.problem = ""
        try:
            if not resume:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.set_aside(lane)
                self.begin(head)
            self.file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except OSError as failure:
            raise Refused(f"{self.path}: cannot be written: {failure.strerror}") from failure

    def begin(self, head):
        """The file has its name once its first line is whole: there is none without."""
        fresh = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        try:
            with open(fresh, "wb") as file:
                file.write(f"{sealed(head)}\n".encode())
                file.flush()
                os.fsync(file.fileno())
            fresh.rename(self.path)
        finally:
            fresh.unlink(missing_ok=True)
        folder = os.open(self.path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def set_aside(self, lane):
        if self.path.exists():
            before = self.path.with_name(self.path.name + ".before")
            self.path.rename(before)
            print(f"an earlier {lane} with these options had stopped; to continue with that: --resume {before}",
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
        if torn:
            self.drop(torn, whole)
        head = entries.pop(0)
        if head.get("lane") != lane:
            raise Refused(f"{self.path}: this is not where {lane} has stopped")
        for name in sorted({*head["options"], *self.options}):
            was, now = (options.get(name, "unset") for options in (head["options"], self.options))
            if was != now:
                raise Refused(f"{self.path}: it belongs to other options: {name} was {was} and is {now}")
        return entries

    def drop(self, torn, whole):
        """Takes away the line that was being written when the lane was killed: it is done again."""
        if MEMBER in torn and not sealed_beginning(torn):
            raise Refused(f"{self.path}: the last line is damaged: its checksum does not fit")
        print(f"{self.path}: the last line was not whole; what it reported is done again", file=sys.stderr)
        os.truncate(self.path, len((whole + "\n").encode(errors="surrogateescape")))

    def add(self, entry):
        """Keeps a result, from any thread; it is on the disk when this comes back. What cannot be written
        leaves no part of a line, and `problem` says why."""
        with self.lock:
            self.entries.append(entry)
            line = f"{sealed(entry)}\n".encode()
            size = os.fstat(self.file).st_size
            try:
                while line:
                    line = line[os.write(self.file, line):]
                os.fsync(self.file)
            except OSError as failure:
                os.ftruncate(self.file, size)
                self.problem = f"{self.path}: cannot be written: {failure.strerror}"

    def finish(self):
        """All is done and reported: no call needs to continue from here."""
        os.close(self.file)
        if self.is_own:
            self.path.unlink(missing_ok=True)
