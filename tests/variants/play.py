#!/usr/bin/env python3
"""Runs a command of the program on a variant of the libraries. The launcher calls it.

    tests/variants/play.py COMMAND … [--variant PATCH|SLUG] … [--with fixed]

A SLUG is a piece of scenarios/museum. Where `explain`, `trace`, `draw` or `report` are given a piece
as what to play, they play its broken variant; and each command plays the schedule of the piece, if it takes
one and none is given. Variants are kept in build/release/variants until something newer is there.
Exit: that of the program; 2 when there is no such patch or piece, or it no longer applies.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

import variant

TREE = variant.ROOT / "build/release"
PROGRAM = TREE / "scenarios/cli/watchlab"
MUSEUM = variant.ROOT / "scenarios/museum"


def refuse(why):
    print(f"watchlab: {why}", file=sys.stderr)
    sys.exit(2)


def piece_of(word):
    """The folder of the piece that a word names, or None."""
    folder = MUSEUM / word.removeprefix("museum/")
    return folder if word and "/" not in word.removeprefix("museum/") and folder.is_dir() else None


def patch_of(word):
    """The patch that --variant names."""
    folder = piece_of(word)
    if folder:
        return next(folder.glob("*.patch"))
    if not pathlib.Path(word).is_file():
        refuse(f"--variant {word}: there is no such patch, and no such piece of the museum")
    return pathlib.Path(word).resolve()


def built(patch):
    """The folder with the variant's libraries, built unless they are there and new."""
    digest = hashlib.sha256(patch.read_bytes()).hexdigest()[:16]
    out = TREE / "variants" / f"{patch.stem}-{digest}"
    originals = [TREE / library for library in variant.LIBRARIES.values()]
    newest = max(library.stat().st_mtime for library in originals)
    made = list(out.glob("*.so.*"))
    if not made or min(library.stat().st_mtime for library in made) < newest:
        print(f"watchlab: building the variant {patch.parent.name}/{patch.name}", file=sys.stderr)
        try:
            variant.build(patch, out, TREE)
        except variant.BrokenPatch as broken:
            refuse(broken)
    return out


def taken(words, name):
    """Takes an option out of the words; returns its value, "" without one."""
    for i, word in enumerate(words):
        if word.startswith(name + "="):
            return words.pop(i).partition("=")[2]
        if word == name:
            if i + 1 == len(words):
                refuse(f"{name} takes a patch or the name of a piece of the museum" if name == "--variant" else f"{name} takes a value")
            words.pop(i)
            return words.pop(i)
    return ""


def without(words, *names):
    """The words without these options and their values."""
    kept = list(words)
    for name in names:
        while taken(kept, name):
            pass
    return kept


def library_path(patch):
    """Where the program finds the libraries of that variant; of core as it is for None."""
    return ":".join(str(folder) for folder in [built(patch), TREE / "core", TREE / "sim"]) if patch else ""


def environment_of(patch, chosen):
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    if patch:
        environment |= {"LD_LIBRARY_PATH": library_path(patch), "WATCHLAB_VARIANT": chosen}
    return environment


def beside_the_fixed(words, environment, fix):
    """Writes a page with the run of the variant and, beside it, the same on core as it is, or with
    the fix of a bug that core has. Exit code."""
    with tempfile.TemporaryDirectory(prefix="watchlab-report-") as folder:
        run = os.path.join(folder, "fixed.json")
        alone = [word for word in without(words, "-o", "--output", "--from", "--steps")
                 if word not in ("--json", "--quiet", "--guided")]
        fixed = subprocess.run([PROGRAM, "report", *alone, "--guided", "--quiet", "-o", run],
                               env=environment_of(fix, "fixed by its patch"), check=False)
        if fixed.returncode:
            return fixed.returncode
        return subprocess.run([PROGRAM, "report", *words, "--with", run], env=environment,
                              check=False).returncode


def main():
    command, *words = sys.argv[1:]
    chosen = taken(words, "--variant")
    played = next((folder for word in words if (folder := piece_of(word))), None)
    patch = patch_of(chosen) if chosen else None
    if patch is None and played and (played / "defect.patch").exists():
        patch, chosen = played / "defect.patch", played.name  # else core itself has the bug
    has_schedule = any(word.split("=")[0] == "--schedule" for word in words)
    if played and command != "run" and not has_schedule:
        words += ["--schedule", f"@{played / 'schedule.txt'}"]
    if played and patch is None:  # no name of a story stands for what fails with core as it is
        path = pathlib.Path("scenarios/museum", played.name, "scenario.yaml")
        path = path if path.is_file() else played / "scenario.yaml"
        words = [str(path) if piece_of(word) == played else word for word in words]
    environment = environment_of(patch, chosen)
    beside = taken(words, "--with") if command == "report" else ""
    if beside == "fixed" and (patch or played):
        sys.exit(beside_the_fixed(words, environment, None if patch else patch_of(played.name)))
    words += ["--with", beside] if beside else []
    os.execve(PROGRAM, [str(PROGRAM), command, *words], environment)


if __name__ == "__main__":
    main()
