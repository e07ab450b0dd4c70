#!/usr/bin/env python3
"""Names outputs that are no plain new files, and wants each written whole or refused with a message.

    outputs.py

Links, files that may only be read or may not grow, folders that are gone, the input itself, and one file for two outputs. What was there before is there
afterwards, to the byte, and nothing lies beside it. As root, what a user may not do is played by a user without
a name. The last line is `N passed, N failed`. Exit 0 if all is as it should be.
"""

import os
import pathlib
import resource
import subprocess
import sys

from lane import play_checks
from long_commands import HASTY, ROOT, WATCHLAB, Long, lines_of, libraries

USER = 64_400  # without a name
BEFORE = "what was there before\n"
# Each command that writes a file, with `$` for the scenario and `@` for the file.
WRITERS = ("draw $ -o @", "report $ -o @", "trace $ -o @", "transcribe $ -o @", "run $ --junit @",
           "run $ --transcript @", "explore $ --schedules 3 --junit @",
           "validate $ --junit @", "migrate $ --junit @", "schema -o @")
# With `@` and `%` for what is one file; `%` is the one that is named.
TWINS = ("run $ --transcript @ --junit %", "serve --kubeconfig @ --record % -- true", "serve $ --record @ --junit % -- true")
READ_ONLY = "Permission denied"
THE_INPUT = "this is the input; expected another file for the output"


def state_of(folder):
    return {str(path): (path.is_symlink(), path.read_bytes() if path.is_file() else b"", path.lstat().st_mode)
            for path in sorted(folder.rglob("*"))}


def run(line, story, output, user=None, file_bytes=None):
    """Exit status and standard error of a command; `file_bytes` is all that a file may grow to."""
    words = [{"$": str(story), "@": str(output)}.get(word, word) for word in line.split()]
    own = {"user": user, "group": user, "extra_groups": []} if user else {}
    state = pathlib.Path(f"{os.environ['XDG_STATE_HOME']}-{user or 'own'}")
    state.mkdir(exist_ok=True)
    state.chmod(0o777)
    ended = subprocess.run([WATCHLAB, *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True, check=False, **own,
                           preexec_fn=None if file_bytes is None else
                           lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes)),
                           env={**os.environ, "NO_COLOR": "1", "XDG_STATE_HOME": str(state)})
    return ended.returncode, ended.stderr


def wrong_with_refusal(ended, message, path, before, folder):
    status, said = ended
    lines = [line for line in said.splitlines() if message in line]
    if status not in (1, 2) or len(lines) != 1 or str(path) not in lines[0]:
        return f"ended with {status} and said {said!r}"
    after = state_of(folder)
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return f"changed {changed}" if changed else ""


def links(place, story):
    """A link stays one, and what it leads to is written whole."""
    for line in WRITERS:
        target, link = place / "target", place / "link"
        target.write_text(BEFORE)
        link.symlink_to(target)
        status, said = run(line, story, link)
        written = target.read_text()
        wrong = "" if link.is_symlink() and written != BEFORE and status in (0, 1) else \
            f"ended with {status}, link {link.is_symlink()}: {said!r}"
        yield f"{line} to a link", wrong or ("" if len(list(place.iterdir())) == 2 else "left more files")
        link.unlink()
    target.write_text(BEFORE)
    link.symlink_to(target)
    before = state_of(place)
    yield "a link to a file that may not grow", wrong_with_refusal(
        run("schema -o @", story, link, file_bytes=1024), "File too large", link, before, place)


def read_only(place, story):
    """A file that may only be read stays as it is, although its folder may be written to."""
    place.chmod(0o777)
    for line in WRITERS:
        target = place / "target"
        target.write_text(BEFORE)
        target.chmod(0o444)
        if os.geteuid() == 0:
            os.chown(target, USER, USER)
        before = state_of(place)
        yield f"{line} to a file that is read-only", wrong_with_refusal(
            run(line, story, target, USER if os.geteuid() == 0 else None), READ_ONLY, target, before, place)


def vanished(place, story):
    """A folder that is gone is named, and not made again."""
    for line in WRITERS:
        yield f"{line} to a folder that is gone", wrong_with_refusal(
            run(line, story, place / "gone/output"), "No such file or directory", place / "gone/output",
            state_of(place), place)


def too_large(place, story):
    """A file that may not grow is reported, and what was there before is whole."""
    for is_there in (False, True):
        for line in WRITERS:
            target = place / "target"
            if is_there:
                target.write_text(BEFORE)
            before = state_of(place)
            yield f"{line} to a file that may not grow{', which is there' * is_there}", wrong_with_refusal(
                run(line, story, target, file_bytes=16), f"{target}: cannot be written: File too large", target, before, place)


def the_input(place, story):
    """No output takes the place of what it is made from, by whatever name."""
    own, link, hard = place / "hasty.yaml", place / "link", place / "hard"
    own.write_text(story.read_text())
    link.symlink_to(own)
    hard.hardlink_to(own)
    before = state_of(place)
    for line in WRITERS[:-1]:
        for output in (own, place / ".." / place.name / "hasty.yaml", link, hard):
            yield f"{line} to its input as {output.name}", wrong_with_refusal(
                run(line, own, output), THE_INPUT, output, before, place)


def twins(place, story):
    """Two outputs are two files: neither is lost, and nothing is begun."""
    one, link = place / "one", place / "link"
    for is_there in (False, True):
        if is_there:
            one.write_text(BEFORE)
            link.symlink_to(one)
        before = state_of(place)
        for line in TWINS:
            for other in [one, place / ".." / place.name / "one"] + [link] * is_there:
                yield f"{line} of one name, as {other}", wrong_with_refusal(
                    run(line.replace("%", str(other)), story, one), "would both write it", other, before, place)


def vanishing(place, story):
    """The folder of fuzz's scenarios goes while it works: what was found is printed all the same."""
    fuzz = Long("fuzz", [WATCHLAB, "fuzz", "--seeds", "1..8", "--json", "--out", str(place / "file/found")],
                lines_of, "fuzz.*.resume", b"signature").live_in(story.parent, libraries(story.parent / "mutant"))
    (place / "file").write_text("no folder")
    process = fuzz.start(err=subprocess.PIPE)
    out, said = process.communicate()
    found = [line for line in fuzz.results(out) if "signature" in line]
    is_reported = "Not a directory" in said and "printed without its file" in said
    yield "fuzz into a folder that cannot be", "" if process.returncode == 1 and found and is_reported else \
        f"ended with {process.returncode}, {len(found)} findings: {said!r}"


def checks(place):
    os.environ["XDG_STATE_HOME"] = str(place / "state")
    story = place / "hasty.yaml"
    story.write_text(HASTY)
    for part in (links, read_only, vanished, too_large, the_input, twins, vanishing):
        folder = place / part.__name__
        folder.mkdir()
        yield from part(folder, story)


if __name__ == "__main__":
    sys.exit(play_checks("outputs", checks, tells_held=False))
