#!/usr/bin/env python3
"""Builds a variant of the libraries: the sources as they are, but for one patch.

The patch is applied to copies; of the library only what reads them is compiled again.
A test program is built once and runs against any variant: LD_LIBRARY_PATH goes before the RUNPATH
with which meson links programs of the tree.

    tests/variants/variant.py PATCH OUT [--tree build/release] [--compiler WORDS]
    tests/variants/variant.py --libraries     prints the targets that have to be built before

leaves those of the libraries kernel, port, world, client and serve that differ in OUT, under the names by which
programs load them (libwatchlab-port.so.0.2), and prints the folder. The tree must be up to date. Exit: 0 built, 1 the patch does not apply or what it makes does not compile.
"""

import sys

# Ctrl-C ends it without a word, also while the rest is read; a shell takes the signal for status 130.
sys.excepthook = lambda kind, *rest: None if kind is KeyboardInterrupt else sys.__excepthook__(kind, *rest)

import argparse
import functools
import json
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Meson calls a library by its major and minor version.
VERSION = re.search(r"^project\([^)]*\bversion: '(\d+\.\d+)", (ROOT / "meson.build").read_text(encoding="utf-8"))[1]
LIBRARIES = {name: f"libwatchlab-{name}.so.{VERSION}" for name in ("kernel", "port", "world", "client", "serve")}
OPEN = (f"{LIBRARIES['port']}.p/", f"{LIBRARIES['client']}.p/")  # see meson.build: the others are closed
APART = (f"libwatchlab-language.so.{VERSION}", LIBRARIES["serve"])  # with sources of scenarios/


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
def units_apart(tree):
    """The units of what has sources of scenarios/ and exercises/: two libraries, and archives."""
    entries = json.loads((tree / "compile_commands.json").read_text(encoding="utf-8"))
    is_archive = re.compile(r"(scenarios|exercises)/.*\.a\.p/")
    libraries = tuple(f"{library}.p/" for library in APART)
    return [Unit(tree, entry) for entry in entries
            if is_archive.match(entry["output"]) or entry["output"].startswith(libraries)]


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


# A mutant may leave something unused, which is no error of its own. Its speed does not matter.
QUICKLY = ("-O1", "-Wno-error")


def words_for(unit, target, sources, last=QUICKLY):
    """How the tree compiles `unit`, into `target` and with the patched headers; what is read comes last."""
    words = [{unit.object_file: str(target), f"{unit.object_file}.d": f"{target}.d"}.get(word, word)
             for word in unit.command[:-1]]
    compiler = 2 if words[0].endswith("ccache") else 1
    return [*words[:compiler], f"-I{sources}", *words[compiler:], *last]


def compile_unit(tree, unit, out, last=QUICKLY):
    """Compiles `unit` with the patched copies of what it reads, and with the words `last`. Returns the object file to
    put in the place of the tree's."""
    sources = out / "source"
    target = out / pathlib.Path(unit.object_file).name
    copies = [sources / source if (sources / source).exists() else ROOT / source
              for source in unit.sources]
    text = target.with_suffix(".cpp")
    text.write_text("".join(f'#include "{copy}"\n' for copy in copies), encoding="utf-8")
    compile_text(words_for(unit, target, sources, last), sources, text, tree)
    text.unlink()
    return str(target)


def compile_source(tree, source, out, words):
    """Compiles one patched source. What it defines goes before what its unit has of it."""
    sources = out / "source"
    target = out / (source.replace("/", "_") + ".o")
    words = ([*words, "-c", "-o", str(target)] if words else
             words_for(units_of(tree, source)[0], target, sources))
    compile_text(words, sources, sources / source, tree)
    return str(target)


def compile_text(words, sources, text, tree):
    # The paths of the tree stay in what is built: they must not show which source was patched.
    built = run_quietly([*words, f"-ffile-prefix-map={sources}=../..",
                         f"-ffile-prefix-map={ROOT}=../..", str(text)], tree)
    if built.returncode:
        errors = [line for line in built.stderr.splitlines() if "error" in line]
        raise BrokenPatch("it does not compile: " + "; ".join(errors[:3]))


def with_first(objects, command):
    """Links `objects` before all others: of what is defined twice, the linker takes the first. Calls
    between sources of a unit go through the linker too, as in any shared library."""
    if not objects:
        return command
    at = next(i for i, word in enumerate(command) if word.endswith(".o"))
    return [*command[:at], "-Wl,--allow-multiple-definition", *objects, *command[at:]]


def can_go_first(read):
    """Whether the patched sources alone need to be compiled, where `read` has the units that read each file. Port and
    client call their own functions as any shared library does, through the linker; the others are built so that they
    can be inlined."""
    return all(file.endswith(".cpp") and found[0].object_file.startswith(OPEN) for file, found in read.items())


def link(tree, library, out, objects, first):
    """Links `library` with `objects` for those of the tree, and with those of `first` before all."""
    target = out / pathlib.Path(library).name
    linking = target.with_name(f"{target.name}.part")  # what is killed leaves no half of a library
    replaced = {**objects, library: str(linking)}
    command = [replaced.get(word, word) for word in link_command(tree, library)]
    # What it needs may be asked for by nothing else; it stands in the tree.
    linked = run_quietly([*with_first(first, command), f"-Wl,-rpath,{tree}"], tree)
    if linked.returncode:
        raise BrokenPatch(f"it does not link: {linked.stderr.strip()[:600]}")
    linking.rename(target)


def build(patch, out, tree, words=None):
    """Builds the variant that `patch` makes, in `out`, out of the up-to-date build `tree`.

    `words` may call the compiler in a quicker way than the tree does, for a single source of core.
    """
    patch, out, tree = (pathlib.Path(path).resolve() for path in (patch, out, tree))
    files = touched_files(patch)
    if not files:
        raise BrokenPatch(f"{patch} changes no file")
    apply(patch, files, out / "source")
    read = {file: units_of(tree, file) for file in files}
    for file, units_that_read in read.items():
        if not units_that_read:
            raise BrokenPatch(f"{patch} changes {file}, which is in no shared library")
    try:
        if can_go_first(read):
            for library in LIBRARIES.values():
                own = [file for file in files if read[file][0].object_file.startswith(f"{library}.p/")]
                if own:
                    link(tree, library, out, {},
                         [compile_source(tree, file, out, words) for file in own])
            return out
        touched = {unit.object_file: unit for found in read.values() for unit in found}
        objects = {name: compile_unit(tree, unit, out) for name, unit in touched.items()}
        for library in LIBRARIES.values():
            own = {old: new for old, new in objects.items() if old.startswith(f"{library}.p/")}
            if own:
                link(tree, library, out, own, [])
    except BrokenPatch as broken:
        raise BrokenPatch(f"{patch}: {broken}") from broken
    return out


def build_apart(patch, out, tree, programs):
    """Builds in `out` what `patch`, of one source of scenarios/ or exercises/, changes: one of the
    libraries of `APART`, or else those of `programs`, paths in the tree, whose archive it is in."""
    patch, out, tree = (pathlib.Path(path).resolve() for path in (patch, out, tree))
    files = touched_files(patch)
    apply(patch, files, out / "source")
    changed = [unit for unit in units_apart(tree) if set(files) & set(unit.sources)]
    if len(files) != 1 or not changed:
        raise BrokenPatch(f"{patch} must change one source of a library")
    try:
        for unit in changed:
            compiled = compile_unit(tree, unit, out)
            library = unit.object_file.partition(".p/")[0]
            if library in APART:
                link(tree, library, out, {unit.object_file: compiled}, [])
                continue
            for program in programs:  # what it does not use of an archive is added, and does not matter
                link(tree, program, out, {}, [compiled])
    except BrokenPatch as broken:
        raise BrokenPatch(f"{patch}: {broken}") from broken


def main():
    if sys.argv[1:] == ["--libraries"]:
        print("\n".join(LIBRARIES.values()))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("patch", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--compiler", type=shlex.split, help="words that compile a "
                        "source of core, instead of those of the tree")
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
