"""Where attacks are played: a room for each user, with another student's work, and what is left in it."""

import contextlib
import ctypes
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import signal
import stat
import time

FIRST_USER = 64_500  # beside the users of the grader's own sandboxes, and without a name
SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock")


def adopt_orphans():
    """From here on whatever loses its parent below this process becomes a child of it."""
    if ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) != 0:
        raise SystemExit("hostile: this kernel gives no orphans to the process that asks for them")


def children():
    return [int(child) for child in
            pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def bury():
    """Waits for children that are about to end; names those that are not, and ends them."""
    deadline = time.monotonic() + 1
    while children() and time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.005)
    left = []
    while found := children():
        for child in found:
            with contextlib.suppress(OSError):
                left.append(pathlib.Path(f"/proc/{child}/comm").read_text(errors="replace").strip())
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for child in found:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)
    return left


def state_of(folder):
    """All that there is below a folder: kinds, modes, owners, times and contents."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(status.st_mode) else ""
        found[str(path)] = (status.st_mode, status.st_uid, status.st_mtime_ns, status.st_nlink, content)
    return found


@dataclasses.dataclass
class Room:
    """One user's folders. `uid` is that of the grader."""

    folder: pathlib.Path
    uid: int
    mark: str
    key: int

    def __post_init__(self):
        self.folder.mkdir(parents=True)
        os.chown(self.folder, self.uid, self.uid)
        self.folder.chmod(0o711)
        self.clear()

    tmp = property(lambda self: self.folder / "tmp")
    hand_in = property(lambda self: self.folder / "handin")
    other = property(lambda self: self.folder / "other")
    results = property(lambda self: self.folder / "results")
    result = property(lambda self: self.results / "results.json")

    def clear(self):
        """For the next one; what was left was reported before."""
        for part in (self.hand_in, self.results, self.tmp, self.other):
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            part.chmod(0o711)
            os.chown(part, self.uid, self.uid)
        (self.other / "answer.cpp").write_text("int another_student = 1;\n")
        (self.other / "result.json").write_text('{"score": 71.5}\n')
        self.give(self.other)
        self.before = state_of(self.other)

    def give(self, folder):
        """Hands a folder over to the room's user."""
        for path in [folder, *folder.rglob("*")]:
            os.lchown(path, self.uid, self.uid)

    def left(self):
        """What a grader has left, a message for each; nothing when all is as it was."""
        messages = [f"a process is left: {name}" for name in bury()]
        messages += [f"the grader's folder holds {path.name}" for path in self.tmp.iterdir()]
        messages += [f"beside the result lies {path.name}" for path in self.results.iterdir()
                     if path != self.result]
        if state_of(self.other) != self.before:
            messages.append("another student's files are not as they were")
        for folder in SHARED_FOLDERS:
            with contextlib.suppress(OSError):
                messages += [f"{folder} holds {name}" for name in os.listdir(folder) if self.mark in name]
        for table in ("/proc/keys", "/proc/net/unix"):
            with contextlib.suppress(OSError):
                if self.mark in pathlib.Path(table).read_text(errors="replace"):
                    messages.append(f"{table} names what it has left")
        for table in ("shm", "sem", "msg"):
            with contextlib.suppress(OSError):
                rows = pathlib.Path(f"/proc/sysvipc/{table}").read_text()
                if re.search(rf"(?m)^\s*{self.key}\s", rows):
                    messages.append(f"/proc/sysvipc/{table} has what it has left")
        return messages
