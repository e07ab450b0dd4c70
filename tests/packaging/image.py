#!/usr/bin/env python3
"""Plays docs/packaging/Dockerfile without an engine, in roots of a bare Debian 12 that debootstrap makes.

    image.py PACKAGE [--commands]

The context is a clone of what is checked out. Each stage is a copy of the root; COPY and RUN do what they do, and what
ENTRYPOINT and CMD say is started in the last one. The package that the first stage makes is another build of the same
sources, in another folder, without a cache: it has to be PACKAGE byte by byte. With --commands the two commands of
README.md are run where it was built. Takes root. The last line is `N passed, N failed`; where nothing can be tried, one
line says why.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / "build/bare"
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
# Not chroot, within which no program may make namespaces of its own; the mounts go with the process.
ENTER = """set -e; mount --make-rprivate /; mount --bind "$0" "$0"; cd "$0"; mkdir -p .outside
mount -t proc proc proc; mount --rbind /dev dev; mount --rbind /sys sys
pivot_root . .outside; umount -l /.outside; cd "$1"; shift; exec "$@" """


class Stage:
    """One root, and what the Dockerfile has set in it."""

    def __init__(self, base, name):
        if not re.match(r"debian:12\b", base):
            raise SystemExit(f"image: FROM {base} is not played, only debian:12")
        self.root = PLACE / f"image-{name}"
        self.folder, self.start = "/", {"ENTRYPOINT": [], "CMD": []}
        shutil.rmtree(self.root, ignore_errors=True)
        subprocess.run(["cp", "-a", PLACE / "bookworm", self.root], check=True)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(pathlib.Path("/etc", name).resolve(), self.root / "etc" / name)

    def run(self, *words):
        """A command in this root; its status and what it said."""
        done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, self.root, self.folder, *words],
                              env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
        return done.returncode, done.stdout

    def copy(self, source, pattern, target):
        """COPY of a folder's content, or of files that match."""
        target = self.root / os.path.normpath(f"{self.folder}/{target}").lstrip("/")
        target.mkdir(parents=True, exist_ok=True)
        if pattern == ".":
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
            return 0, ""
        found = sorted(source.glob(pattern.lstrip("/")))
        for path in found:
            shutil.copy(path, target)
        return (0, "") if found else (1, f"nothing matches {pattern}")


def instructions():
    """The lines of the Dockerfile: a word, and what stands after it."""
    text = (ROOT / "docs/packaging/Dockerfile").read_text()
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", "")
    return [line.split(None, 1) for line in text.splitlines() if line.strip()]


def play(context, stages):
    """Plays the Dockerfile; for each COPY and RUN what it is, its status and what it said. `stages` gets the roots."""
    stage = None
    for word, rest in instructions():
        if word == "FROM":
            base, *name = rest.split()
            stage = Stage(base, name[1] if name else str(len(stages)))
            stages[name[1] if name else str(len(stages))] = stage
        elif word == "WORKDIR":
            stage.folder = rest
            (stage.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "COPY":
            origin = re.match(r"--from=(\S+) ", rest)
            source = stages[origin[1]].root if origin else context
            yield f"{word} {rest}", *stage.copy(source, *rest.split()[-2:])
        elif word == "RUN":
            yield f"{word} {rest}", *stage.run("sh", "-c", rest)
        elif word in stage.start:
            stage.start[word] = json.loads(rest)
        else:
            yield word, 1, "this instruction is not played"


def tries(package, commands):
    stages = {}
    context = PLACE / "context"
    shutil.rmtree(context, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", ROOT, context], check=True)
    for what, status, said in play(context, stages):
        yield what, status == 0, said
        if status:
            return
    first, last = list(stages.values())[0], list(stages.values())[-1]
    begin = last.start["ENTRYPOINT"]
    status, said = last.run(*begin, *last.start["CMD"])
    yield "the image plays what its CMD says", status == 0 and ", 0 failed" in said.splitlines()[-1], said
    shutil.copy(ROOT / "scenarios/relist/missed_delete.yaml", last.root / last.folder.lstrip("/"))
    status, said = last.run(*begin, "run", "missed_delete.yaml")
    yield "and a scenario that is mounted there", status == 0 and said.startswith("held"), said
    made = next((first.root / "src/build/package").glob("*.deb"))
    same = made.read_bytes() == package.read_bytes()
    yield "the package is the one made here, byte by byte", same, "" if same else differences(made, package)
    for command in ("./watchlab run scenarios", "./watchlab test") if commands else ():
        status, said = first.run("sh", "-c", command)
        yield f"{command}, on the bare system: {said.splitlines()[-1]}", status == 0, "\n".join(
            line for line in said.splitlines() if "error" in line.lower() or "FAIL" in line)


def differences(made, package):
    """Which files of two packages differ, a line each."""
    sums = []
    for each in (made, package):
        place = PLACE / f"unpacked-{len(sums)}"
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run(["dpkg-deb", "-R", each, place], check=True)
        sums.append({line.split(None, 1)[1]: line.split()[0] for line in (place / "DEBIAN/md5sums").read_text().splitlines()})
    names = sorted(set(sums[0]) | set(sums[1]))
    found = [f"differs: {name}" for name in names if sums[0].get(name) != sums[1].get(name)]
    return "\n".join(found) or "no file differs: it is the order, the owners or the times"


def main(arguments):
    package = pathlib.Path(arguments[0]).resolve()
    ready = subprocess.run([ROOT / "tests/packaging/bare.sh", "--root"], check=False)
    if not (PLACE / "bookworm/etc/debian_version").exists():
        return ready.returncode
    passed = failed = 0
    started = time.monotonic()
    for what, held, said in tries(package, "--commands" in arguments):
        passed, failed = passed + held, failed + (not held)
        print(f"{'held' if held else 'FAIL'}  {what}, {time.monotonic() - started:.0f} s", flush=True)
        if not held:
            print("\n".join(f"  {line}" for line in said.splitlines()[-40:]))
        started = time.monotonic()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
