#!/usr/bin/env python3
"""Builds a variant of the libraries: the sources as they are, but for one patch.

The patch is applied to copies; of the library only the files that it touches are compiled again.
A test program is built once and runs against any variant: LD_LIBRARY_PATH goes before the RUNPATH
with which meson links programs of the tree.

    tests/variants/variant.py PATCH OUT [--tree build/release]

leaves OUT/libwatchlab-core.so, OUT/libwatchlab-sim.so or both, and prints the folder. The tree must
be up to date. Exit: 0 built, 1 the patch does not apply or what it makes does not compile.
"""

import argparse
import functools
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = {"core": "core/libwatchlab-core.so", "sim": "sim/libwatchlab-sim.so"}


class BrokenPatch(Exception):
    """The patch does not apply, or what it makes does not compile. Says which and why."""


def touched_files(patch):
    """The paths that a unified diff changes, relative to the root."""
    return re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(encoding="utf-8"), re.MULTILINE)


def run_quietly(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def apply(patch, files, sources):
    """Writes patched copies of `files` below `sources`."""
    for file in files:
        if not (ROOT / file).is_file():
            raise BrokenPatch(f"{patch} changes {file}, which does not exist")
        copy = sources / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / file).read_bytes())
    applied = run_quietly(["patch", "-p1", "--force", "--fuzz=0", "--no-backup-if-mismatch",
                           "--reject-file=-", "-i", str(patch.resolve())], sources)
    if applied.returncode:
        raise BrokenPatch(f"{patch} no longer applies: {applied.stdout.strip()[:600]}")


@functools.cache
def compile_commands(tree):
    """Source path relative to the root -> (object file, command), of the shared libraries."""
    entries = json.loads((tree / "compile_commands.json").read_text(encoding="utf-8"))
    commands = {}
    for entry in entries:
        if entry["output"].startswith(tuple(f"{library}.p/" for library in LIBRARIES.values())):
            path = (tree / entry["file"]).resolve().relative_to(ROOT)
            commands[str(path)] = (entry["output"], shlex.split(entry["command"]))
    return commands


@functools.cache
def link_command(tree, library):
    listed = run_quietly(["ninja", "-t", "commands", library], tree).stdout.splitlines()
    return shlex.split(listed[-1])


def includers(tree, header):
    """The sources of the libraries that read `header`, by the dependencies that ninja keeps."""
    found = []
    for source, (object_file, _) in compile_commands(tree).items():
        deps = run_quietly(["ninja", "-t", "deps", object_file], tree).stdout
        if re.search(rf"/{re.escape(header)}$", deps, re.MULTILINE):
            found.append(source)
    return found


def compile_patched(tree, source, out):
    """Compiles `source`, or its patched copy, so that it sees the patched headers."""
    object_file, command = compile_commands(tree)[source]
    sources = out / "source"
    target = out / pathlib.Path(object_file).name
    copy = sources / source
    replaced = [{object_file: str(target), f"{object_file}.d": f"{target}.d"}.get(word, word)
                for word in command[:-1]]
    compiler = 2 if replaced[0].endswith("ccache") else 1
    # A mutant may leave something unused, which is no error of its own. Its speed does not matter.
    built = run_quietly([*replaced[:compiler], f"-I{sources}", *replaced[compiler:], "-O1",
                         "-Wno-error", f"-ffile-prefix-map={sources}=../..",
                         str(copy if copy.exists() else ROOT / source)], tree)
    if built.returncode:
        errors = [line for line in built.stderr.splitlines() if "error" in line]
        raise BrokenPatch(f"{source} does not compile: " + "; ".join(errors[:3]))
    return object_file, str(target)


def build(patch, out, tree):
    """Builds the variant that `patch` makes, in `out`, out of the up-to-date build `tree`."""
    patch, out, tree = (pathlib.Path(path).resolve() for path in (patch, out, tree))
    files = touched_files(patch)
    if not files:
        raise BrokenPatch(f"{patch} changes no file")
    apply(patch, files, out / "source")
    sources = [file for file in files if file.endswith(".cpp")]
    for header in (file for file in files if file.endswith(".hpp")):
        sources += [source for source in includers(tree, header) if source not in sources]
    try:
        objects = dict(compile_patched(tree, source, out) for source in sources)
    except KeyError as unknown:
        raise BrokenPatch(f"{patch} changes {unknown}, which is in no shared library") from unknown
    except BrokenPatch as broken:
        raise BrokenPatch(f"{patch}: {broken}") from broken
    for library in LIBRARIES.values():
        own = {old: new for old, new in objects.items() if old.startswith(f"{library}.p/")}
        if not own:
            continue
        own[library] = str(out / pathlib.Path(library).name)
        linked = run_quietly([own.get(word, word) for word in link_command(tree, library)], tree)
        if linked.returncode:
            raise BrokenPatch(f"{patch} does not link: {linked.stderr.strip()[:600]}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("patch", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT / "build/release")
    call = parser.parse_args()
    if not call.patch.is_file():
        parser.error(f"there is no file {call.patch}")
    try:
        print(build(call.patch, call.out, call.tree))
    except BrokenPatch as broken:
        print(broken, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
