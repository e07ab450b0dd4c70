#!/usr/bin/env python3
"""Builds a variant of the libraries: the sources as they are, but for one patch.

The patch is applied to copies; of the library only what reads them is compiled again.
A test program is built once and runs against any variant: LD_LIBRARY_PATH goes before the RUNPATH
with which meson links programs of the tree.

    tests/variants/variant.py PATCH OUT [--tree build/release] [--compiler WORDS]

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


class Unit:
    """What the compiler reads at once: a file that includes many sources, or one source."""

    def __init__(self, tree, entry):
        self.file = tree / entry["file"]
        self.object_file = entry["output"]
        self.command = shlex.split(entry["command"])
        listed = []
        if "-unity" in self.file.name:
            listed = re.findall(r"^#include\s*[<\"](.*)[>\"]$", self.file.read_text(encoding="utf-8"),
                                re.MULTILINE)
        paths = [pathlib.Path(path) for path in listed] or [self.file]
        self.sources = [str(path.resolve().relative_to(ROOT)) for path in paths]


@functools.cache
def units(tree):
    """The units of the shared libraries."""
    entries = json.loads((tree / "compile_commands.json").read_text(encoding="utf-8"))
    folders = tuple(f"{library}.p/" for library in LIBRARIES.values())
    return [Unit(tree, entry) for entry in entries if entry["output"].startswith(folders)]


@functools.cache
def link_command(tree, library):
    listed = run_quietly(["ninja", "-t", "commands", library], tree).stdout.splitlines()
    return shlex.split(listed[-1])


@functools.cache
def dependencies(tree, object_file):
    """All that was read to make `object_file`, as ninja keeps it."""
    return run_quietly(["ninja", "-t", "deps", object_file], tree).stdout


def units_of(tree, file):
    """The units that read `file`: of a source there is one, of a header there may be many."""
    if file.endswith(".cpp"):
        return [unit for unit in units(tree) if file in unit.sources]
    read = re.compile(rf"/{re.escape(file)}$", re.MULTILINE)
    return [unit for unit in units(tree) if read.search(dependencies(tree, unit.object_file))]


def compile_patched(tree, unit, out):
    """Compiles `unit` with the patched copies of what it reads."""
    sources = out / "source"
    target = out / pathlib.Path(unit.object_file).name
    copies = [sources / source if (sources / source).exists() else ROOT / source
              for source in unit.sources]
    text = target.with_suffix(".cpp")
    # The paths of the tree stay in what is built: nobody shall see by them which source was patched.
    text.write_text("".join(f'#include "{copy}"\n' for copy in copies), encoding="utf-8")
    replaced = [{unit.object_file: str(target), f"{unit.object_file}.d": f"{target}.d"}.get(word, word)
                for word in unit.command[:-1]]
    compiler = 2 if replaced[0].endswith("ccache") else 1
    # A mutant may leave something unused, which is no error of its own. Its speed does not matter.
    built = run_quietly([*replaced[:compiler], f"-I{sources}", *replaced[compiler:], "-O1",
                         "-Wno-error", f"-ffile-prefix-map={sources}=../..",
                         f"-ffile-prefix-map={ROOT}=../..", str(text)], tree)
    text.unlink()
    if built.returncode:
        errors = [line for line in built.stderr.splitlines() if "error" in line]
        raise BrokenPatch("it does not compile: " + "; ".join(errors[:3]))
    return unit.object_file, str(target)


def compile_quickly(source, out, words):
    """Compiles one patched source by `words`; what it defines goes before what its unit has of it."""
    sources = out / "source"
    target = out / (source.replace("/", "_") + ".o")
    built = run_quietly([*words, f"-ffile-prefix-map={sources}=../..",
                         f"-ffile-prefix-map={ROOT}=../..", "-c", "-o", str(target),
                         str(sources / source)], out)
    if built.returncode:
        raise BrokenPatch(f"{source} does not compile: {built.stderr[:600]}")
    return source.split("/")[0], str(target)


def with_first(objects, command):
    """Links `objects` before all others: of what is defined twice, the linker takes the first. Calls
    between sources of a unit go through the linker too, as in any shared library."""
    if not objects:
        return command
    at = next(i for i, word in enumerate(command) if word.endswith(".o"))
    return [*command[:at], "-Wl,--allow-multiple-definition", *objects, *command[at:]]


def build(patch, out, tree, words=None):
    """Builds the variant that `patch` makes, in `out`, out of the up-to-date build `tree`.

    `words` may call the compiler in a quicker way than the tree does, for a patch without headers.
    """
    patch, out, tree = (pathlib.Path(path).resolve() for path in (patch, out, tree))
    files = touched_files(patch)
    if not files:
        raise BrokenPatch(f"{patch} changes no file")
    apply(patch, files, out / "source")
    touched = []
    for file in files:
        found = units_of(tree, file)
        if not found:
            raise BrokenPatch(f"{patch} changes {file}, which is in no shared library")
        touched += [unit for unit in found if unit not in touched]
    try:
        is_quick = words and all(file.endswith(".cpp") for file in files)
        objects = {} if is_quick else dict(compile_patched(tree, unit, out) for unit in touched)
        quick = [compile_quickly(file, out, words) for file in files] if is_quick else []
    except BrokenPatch as broken:
        raise BrokenPatch(f"{patch}: {broken}") from broken
    for name, library in LIBRARIES.items():
        own = {old: new for old, new in objects.items() if old.startswith(f"{library}.p/")}
        first = [made for folder, made in quick if folder == name]
        if not own and not first:
            continue
        own[library] = str(out / pathlib.Path(library).name)
        command = [own.get(word, word) for word in link_command(tree, library)]
        linked = run_quietly(with_first(first, command), tree)
        if linked.returncode:
            raise BrokenPatch(f"{patch} does not link: {linked.stderr.strip()[:600]}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("patch", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--compiler", type=shlex.split, help="words that compile what has no "
                        "patched header, instead of those of the tree")
    call = parser.parse_args()
    if not call.patch.is_file():
        parser.error(f"there is no file {call.patch}")
    try:
        print(build(call.patch, call.out, call.tree, call.compiler))
    except BrokenPatch as broken:
        print(broken, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
