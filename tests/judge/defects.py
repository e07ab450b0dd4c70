#!/usr/bin/env python3
"""Sees the comparison with a kube-apiserver fail: plays the transcripts to servers that are broken by patches.

Called by ./watchlab judge defects, which builds first. Each patch of tests/mutants/sim/aNN_*.patch, or those whose
names begin as asked, is built as a variant of the library, and what is recorded of real servers is played to it.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/variants"))
import variant  # noqa: E402 (found only after the line above)

TREE = ROOT / "build/release"
PATCHES = ROOT / "tests/mutants/sim"
# What no client that lists, watches and writes within seconds can see, and why.
INVISIBLE = {
    "a08_bookmarks_unasked": "bookmarks by the clock take a minute; ./watchlab judge timing waits for them",
    "a09_slow_client_is_kept": "a client that does not read takes longer than a sequence",
    "a10_watch_without_end": "no sequence waits for the end of a watch",
    "a21_window_never_shrinks": "a window of 200 events and 75 s takes longer than a sequence",
    "a22_too_new_is_answered_at_once": "how long an answer takes is not compared; ./watchlab judge timing measures it",
    "a23_lag_is_ignored": "the servers of serve have no lag",
    "a29_updates_own_nothing": "only what appliers own is compared, D4",
}  # fmt: skip


def judged(patch, program):
    """The differences that the comparison counts; a text when the defect cannot be built."""
    out = TREE / "judge-defects" / patch.stem
    try:
        variant.build(patch, out, TREE)
        path = f"{out}:{TREE / 'core'}:{TREE / 'sim'}"
        command = [sys.executable, str(ROOT / "tests/judge/judge.py"), "replay", "--program", program, "--folder", str(out)]
        played = subprocess.run(command, env={**os.environ, "LD_LIBRARY_PATH": path}, capture_output=True, text=True, check=False, timeout=600)
        counts = re.search(r"(\d+) passed, (\d+) failed", played.stdout)
        return int(counts.group(2)) if counts else 1  # a server that dies differs
    except variant.BrokenPatch as broken:
        return str(broken)
    except subprocess.TimeoutExpired:
        return 1
    finally:
        shutil.rmtree(out, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", required=True)
    call = parser.parse_args()
    names = tuple(call.names) or ("a",)
    seen = wrong = 0
    patches = sorted(each for each in PATCHES.glob("a*.patch") if each.stem.startswith(names))
    for patch in patches:
        found = judged(patch, call.program)
        because = INVISIBLE.get(patch.stem, "")
        about = re.search(r"^Breaks: (.*)$", patch.read_text(encoding="utf-8"), re.MULTILINE).group(1)
        state = "BROKEN" if isinstance(found, str) else "seen" if found else "invisible" if because else "MISSED"
        print(f"{state:<10}{patch.stem:<44}{found if found else '':>4}  {about}", flush=True)
        if found == 0 and because:
            print(f"{'':<16}{because}")
        seen += state == "seen"
        wrong += state in ("BROKEN", "MISSED")
    print(f"{seen} of {len(patches)} defects are seen")
    print(f"{len(patches) - wrong} passed, {wrong} failed")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
