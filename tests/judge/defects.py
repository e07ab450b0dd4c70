#!/usr/bin/env python3
"""Sees the comparison with a kube-apiserver fail: plays the transcripts to servers that are broken by patches.

Called by ./watchlab judge defects, which builds first. Each patch of tests/mutants/sim/aNN_*.patch, or those whose
names begin as asked, is built as a variant of the library, and what is recorded of real servers is played to it. Of
those that only time shows, probes of timing.py are played to it instead: they have ranges of their own.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/variants"))
import variant  # noqa: E402 (found only after the line above)

TREE = ROOT / "build/release"
PATCHES = ROOT / "tests/mutants/sim"
# What takes longer than a sequence, and the probes of time that see it.
TIMED = {
    "a08_bookmarks_unasked": ["unasked"],
    "a09_slow_client_is_kept": ["slow-client"],
    "a10_watch_without_end": ["deadline"],
    "a22_too_new_is_answered_at_once": ["too-new-list", "too-new-get"],
    "a43_bookmarks_come_twice_as_often": ["bookmarks"],
}
# What no client of `serve` can see, and why.
INVISIBLE = {
    "a21_window_never_shrinks": "a window of 200 that shrinks takes 200 changes, a rest of 75 s and as many changes again",
    "a23_lag_is_ignored": "the servers of serve have no lag",
}  # fmt: skip
ENDS_WITHIN = 900  # seconds


def failures(command, library_path):
    """How many of the command's checks fail. A server that dies or hangs fails one."""
    environment = {**os.environ, "LD_LIBRARY_PATH": library_path}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as judge:
        try:
            counts = re.search(r"(\d+) passed, (\d+) failed", judge.communicate(timeout=ENDS_WITHIN)[0])
            return int(counts.group(2)) if counts else 1
        except subprocess.TimeoutExpired:
            return 1
        finally:
            if judge.poll() is None:
                judge.terminate()  # it stops its servers


def judged(patch, program):
    """The differences that the comparison counts; a text when the defect cannot be built."""
    out = TREE / "judge-defects" / patch.stem
    try:
        variant.build(patch, out, TREE)
        what = ["timing", *(f"--only={probe}" for probe in TIMED[patch.stem])] if patch.stem in TIMED else ["replay"]
        command = [sys.executable, str(ROOT / "tests/judge/judge.py"), *what, "--program", program, "--folder", str(out)]
        return failures(command, f"{out}:{TREE / 'core'}:{TREE / 'sim'}")
    except variant.BrokenPatch as broken:
        return str(broken)
    finally:
        shutil.rmtree(out, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", required=True)
    call = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    names = tuple(call.names) or ("a",)
    seen = wrong = 0
    patches = sorted(each for each in PATCHES.glob("a*.patch") if each.stem.startswith(names))
    for patch in patches:
        found = judged(patch, call.program)
        because = INVISIBLE.get(patch.stem, "")
        about = re.search(r"^Breaks: (.*)$", patch.read_text(encoding="utf-8"), re.MULTILINE).group(1)
        state = "BROKEN" if isinstance(found, str) else "seen" if found else "invisible" if because else "MISSED"
        where = " (by time)" if patch.stem in TIMED else ""
        print(f"{state:<10}{patch.stem:<44}{found if found else '':>4}  {about}{where}", flush=True)
        if found == 0 and because:
            print(f"{'':<16}{because}")
        seen += state == "seen"
        wrong += state in ("BROKEN", "MISSED")
    print(f"{seen} of {len(patches)} defects are seen")
    print(f"{len(patches) - wrong} passed, {wrong} failed")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
