#!/usr/bin/env python3
"""Runs a command of the program on a variant of the libraries. The launcher calls it.

    tests/variants/play.py COMMAND … [--variant PATCH|SLUG] … [--with fixed]

A SLUG is a piece of scenarios/museum. A command that is given a piece as what to play plays its broken
variant, under the schedule of the piece if none is given; `run SLUG` replays it so. Variants are kept in
build/release/variants until something newer is there.
Exit: that of the program; 2 when there is no such patch or piece, or it no longer applies.
"""

import signal
import sys

# Ctrl-C ends it without a word, also while the rest is read; a shell takes the signal for status 130. The launcher holds
# it back while Python starts.
sys.excepthook = lambda kind, *rest: None if kind is KeyboardInterrupt else sys.__excepthook__(kind, *rest)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])

import contextlib
import difflib
import fcntl
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import threading
import time

import variant

TREE = variant.ROOT / "build/release"
PROGRAM = TREE / "scenarios/cli/watchlab"
MUSEUM = variant.ROOT / "scenarios/museum"
RUN_OPTIONS = ("--json", "--junit", "--quiet", "-q", "--transport", "--schedule")


def refuse(why, status=2):
    print(f"watchlab: {why}", file=sys.stderr)
    sys.exit(status)


def piece_of(word):
    """The folder of the piece that a word names, or None."""
    folder = MUSEUM / word.removeprefix("museum/")
    return folder if word and "/" not in word.removeprefix("museum/") and (folder / "scenario.yaml").is_file() else None


def patch_of(word):
    """The patch that --variant names."""
    folder = piece_of(word)
    if folder:
        return next(folder.glob("*.patch"))
    if not pathlib.Path(word).is_file():
        near = difflib.get_close_matches(word, [each.name for each in MUSEUM.iterdir() if each.is_dir()], 1)
        refuse(f"--variant {word}: there is no such patch, and no such piece of the museum" +
               (f"; did you mean \"{near[0]}\"?" if near else ""))
    return pathlib.Path(word).resolve()


@contextlib.contextmanager
def said_while_it_lasts(words):
    """Says what is done, and while it lasts for how long: each second on a terminal, else each ten."""
    begun, ended, is_terminal = time.monotonic(), threading.Event(), sys.stderr.isatty()

    def say_for_how_long():
        while not ended.wait(1 if is_terminal else 10):
            seconds = f"{time.monotonic() - begun:.0f} s"
            print(f"\r{words}, {seconds} " if is_terminal else f"{words}: still, after {seconds}",
                  end="" if is_terminal else "\n", file=sys.stderr, flush=True)

    print(words, end="" if is_terminal else "\n", file=sys.stderr, flush=True)
    saying = threading.Thread(target=say_for_how_long, daemon=True)
    saying.start()
    try:
        yield
    finally:
        ended.set()
        saying.join()
        if is_terminal:
            print(file=sys.stderr)


def built(patch):
    """The folder with the variant's libraries, built unless they are there and new."""
    digest = hashlib.sha256(patch.read_bytes()).hexdigest()[:16]
    out = TREE / "variants" / f"{patch.stem}-{digest}"
    originals = [TREE / library for library in variant.LIBRARIES.values()]
    newest = max(library.stat().st_mtime for library in originals)

    def is_new():
        made = list(out.glob("*.so.*"))
        return made and min(library.stat().st_mtime for library in made) >= newest

    if is_new():
        return out
    out.mkdir(parents=True, exist_ok=True)
    with open(out / ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another command may be building it
        try:
            if not is_new():
                with said_while_it_lasts(f"watchlab: building the variant {patch.parent.name}/{patch.name}"):
                    variant.build(patch, out, TREE)
        except variant.BrokenPatch as broken:  # one of the museum is none: it is the machine that refuses
            refuse(broken, 1 if MUSEUM in patch.resolve().parents else 2)
        except OSError as failure:
            refuse(f"{failure.filename or out}: cannot be written: {failure.strerror}", 1)
    return out


def level_of(word):
    """The text of the level that a word names, by its path or its name; "" for none."""
    paths = (pathlib.Path(word), variant.ROOT / "exercises/break-it" / f"{word}.yaml")
    found = next((path for path in paths if path.suffix == ".yaml" and path.is_file()), None)
    return found.read_text(encoding="utf-8") if found else ""


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
        environment |= {"LD_LIBRARY_PATH": library_path(patch), "WATCHLAB_VARIANT": chosen,
                        "WATCHLAB_VARIANT_PATCH": str(pathlib.Path(patch).resolve())}
    return environment


def beside_the_fixed(words, environment, fix):
    """Writes a page with the run of the variant and, beside it, the same on core as it is, or with
    the fix of a bug that core has. Exit code."""
    with tempfile.TemporaryDirectory(prefix="watchlab-report-") as folder:
        run = os.path.join(folder, "fixed.json")
        alone = [word for word in without(words, "-o", "--output", "--from", "--steps")
                 if word not in ("--json", "--quiet", "--guided")]
        guided = ["--guided"] if any(word.split("=")[0] == "--schedule" for word in alone) else []
        fixed = subprocess.run([PROGRAM, "report", *alone, *guided, "--quiet", "-o", run],
                               env=environment_of(fix, "fixed by its patch"), check=False)
        if fixed.returncode:
            return fixed.returncode
        return subprocess.run([PROGRAM, "report", *words, "--with", run], env=environment,
                              check=False).returncode


def as_replay(words, slug):
    """The words of `run SLUG` for `replay`: a run in the default order shows few of the bugs."""
    called = shlex.quote(os.environ.get("WATCHLAB_CALLED_AS", "./watchlab"))
    story = f"{called} run scenarios/museum/{slug}/scenario.yaml"
    strange = next((word for word in words if word.startswith("-") and word.split("=")[0] not in RUN_OPTIONS), None)
    if strange:
        refuse(f"run {slug} replays one schedule in a broken variant, and {strange} does not go with it; "
               f"{story} plays the story in core as it is")
    others = [word for before, word in zip(["", *words], words)
              if not word.startswith("-") and before not in ("--junit", "--transport", "--schedule")]
    if len(others) > 1:
        refuse(f"run {slug}: a bug of the museum is played in its own variant, so by itself; "
               f"{story} plays the story in core as it is")
    print(f"watchlab: {slug} is a bug of the museum: this is its broken variant, under its stored schedule\n"
          f"watchlab: {story} plays the story in core as it is", file=sys.stderr)
    return "replay", words


def main():
    command, *words = sys.argv[1:]
    chosen = taken(words, "--variant")
    played = next((folder for word in words if (folder := piece_of(word))), None)
    if command in ("serve-report", "branch") and not chosen and not played:
        levels = [text for word in words if (text := level_of(word))]
        chosen = next(iter(re.findall(r"^variant: (\S+)", levels[0] if levels else "", re.MULTILINE)), "")
    patch = patch_of(chosen) if chosen else None
    if command == "run" and played and patch is None:
        command, words = as_replay(words, played.name)
    if patch is None and played and (played / "defect.patch").exists():
        patch, chosen = played / "defect.patch", played.name  # else core itself has the bug
    has_schedule = any(word.split("=")[0] == "--schedule" for word in words)
    is_of_many = command == "draw" and any(word.endswith("explored") for word in words)  # has no schedule of its own
    if played and command != "run" and not has_schedule and not is_of_many:
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
