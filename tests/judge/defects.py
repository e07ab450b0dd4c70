#!/usr/bin/env python3
"""Sees the comparison with a kube-apiserver fail: plays the transcripts to servers that are broken by patches.

Called by ./dev judge defects, which builds first. Each patch of tests/mutants/sim/aNN_*.patch, or those whose
names begin as asked, is built as a variant of the library, and what is recorded of real servers is played to it. Of
those that only time shows, probes of timing.py are played to it instead, side by side with the others: they have
ranges of their own, and each of them must fail. What was found stands in build/judge/defects.json, and is taken from
there as long as the patch, the server, the transcripts and the player are the same.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/variants"))
import variant  # noqa: E402 (found only after the line above)

TREE = ROOT / "build/release"
PATCHES = ROOT / "tests/mutants/sim"
FOUND = ROOT / "build/judge/defects.json"
# What takes longer than a sequence, and the probes of time that see it.
TIMED = {
    "a08_bookmarks_unasked": ["unasked"],
    "a09_slow_client_is_kept": ["slow-client"],
    "a10_watch_without_end": ["deadline"],
    "a22_too_new_is_answered_at_once": ["too-new-list", "too-new-get"],
    "a43_bookmarks_come_twice_as_often": ["bookmarks", "bookmark-at-rest"],
    "a44_streams_do_not_wait": ["too-new-stream"],
    "a45_no_bookmark_before_the_deadline": ["last-bookmark"],
    "a46_old_windows_grow": ["window"],
}
# What no client of `serve` can see, and why.
INVISIBLE = {
    "a21_window_never_shrinks": "a window of 200 that shrinks takes 200 changes, a rest of 75 s and as many changes again",
    "a23_lag_is_ignored": "the servers of serve have no lag",
}  # fmt: skip
ENDS_WITHIN = 900  # seconds


class Found:
    """What was found, by the name of a defect and by all that it depends on."""

    def __init__(self, program):
        self.kept = json.loads(FOUND.read_text()) if FOUND.is_file() else {}
        self.lock = threading.Lock()
        read = [pathlib.Path(program), *(TREE / each for each in variant.LIBRARIES.values()),
                *sorted((ROOT / "tests/judge").glob("*.py")), ROOT / "tests/judge/found.json",
                *sorted((ROOT / "tests/conformance/apiserver").glob("*.json"))]  # fmt: skip
        self.base = hashlib.sha256(b"".join(hashlib.sha256(each.read_bytes()).digest() for each in read))

    def key(self, patch):
        made = self.base.copy()
        made.update(patch.read_bytes())
        return f"{patch.stem} {made.hexdigest()[:16]}"

    def keep(self, patch, checks):
        with self.lock:
            self.kept = {key: each for key, each in self.kept.items() if key.split()[0] != patch.stem}
            self.kept[self.key(patch)] = checks
            part = FOUND.with_suffix(".part")
            part.write_text(json.dumps(self.kept, indent=1) + "\n")
            part.rename(FOUND)


class Players:
    """The judges that run. A signal ends them, and they stop their servers."""

    running = set()

    @classmethod
    def run(cls, command, library_path):
        """How many of the command's checks fail, and the lines of probes that do. A server that dies or hangs fails one."""
        environment = {**os.environ, "LD_LIBRARY_PATH": library_path}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as judge:
            cls.running.add(judge)
            try:
                said = judge.communicate(timeout=ENDS_WITHIN)[0]
                counts = re.search(r"(\d+) passed, (\d+) failed", said)
                return int(counts.group(2)) if counts else 1, re.findall(r"^FAIL ([\w-]+):", said, re.MULTILINE)
            except subprocess.TimeoutExpired:
                return 1, []
            finally:
                cls.running.discard(judge)
                if judge.poll() is None:
                    judge.terminate()

    @classmethod
    def end(cls, number, _):
        for judge in list(cls.running):
            judge.terminate()
        os._exit(128 + number)


def played(patch, out, program):
    """What the comparison counts: all its differences, or the probes of time that fail."""
    try:
        what = ["timing", *(f"--only={probe}" for probe in TIMED[patch.stem])] if patch.stem in TIMED else ["replay"]
        command = [sys.executable, str(ROOT / "tests/judge/judge.py"), *what, "--program", program, "--folder", str(out)]
        count, failed = Players.run(command, f"{out}:{TREE / 'core'}:{TREE / 'sim'}")
        return failed if patch.stem in TIMED else count
    finally:
        shutil.rmtree(out, ignore_errors=True)


def built(patch):
    """Where the variant stands; a text when the defect cannot be built."""
    out = TREE / "judge-defects" / patch.stem
    try:
        return variant.build(patch, out, TREE), None
    except variant.BrokenPatch as broken:
        shutil.rmtree(out, ignore_errors=True)
        return None, str(broken)


def state_of(patch, found):
    if isinstance(found, str):
        return "BROKEN"
    if patch.stem in TIMED:
        return "seen" if set(found) == set(TIMED[patch.stem]) else "MISSED"
    return "seen" if found else "invisible" if patch.stem in INVISIBLE else "MISSED"


def show(patch, found, again):
    about = re.search(r"^Breaks: (.*)$", patch.read_text(encoding="utf-8"), re.MULTILINE).group(1)
    count = "" if not found else found if not isinstance(found, list) else len(found)
    where = f" (by time: {', '.join(TIMED[patch.stem])})" if patch.stem in TIMED else ""
    print(f"{state_of(patch, found):<10}{patch.stem:<44}{count:>4}  {about}{where}{', as before' if again else ''}", flush=True)
    if not found and patch.stem in INVISIBLE:
        print(f"{'':<16}{INVISIBLE[patch.stem]}")


def judged(patches, program, found):
    """{patch: what was found}: those that only time shows wait in threads of their own."""
    results, threads = {}, []

    def play(patch, out):
        results[patch] = played(patch, out, program)
        found.keep(patch, results[patch])
        show(patch, results[patch], False)

    for patch in sorted(patches, key=lambda each: (each.stem not in TIMED, each)):
        if found.key(patch) in found.kept:
            results[patch] = found.kept[found.key(patch)]
            show(patch, results[patch], True)
            continue
        out, broken = built(patch)
        if broken:
            results[patch] = broken
            show(patch, broken, False)
        elif patch.stem in TIMED:
            threads.append(threading.Thread(target=play, args=(patch, out)))
            threads[-1].start()
        else:
            play(patch, out)
    for thread in threads:
        thread.join()
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", required=True)
    call = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, Players.end)
    names = tuple(call.names) or ("a",)
    patches = sorted(each for each in PATCHES.glob("a*.patch") if each.stem.startswith(names))
    results = judged(patches, call.program, Found(call.program))
    states = [state_of(patch, results[patch]) for patch in patches]
    wrong = states.count("BROKEN") + states.count("MISSED")
    print(f"{states.count('seen')} of {len(patches)} defects are seen")
    print(f"{len(patches) - wrong} passed, {wrong} failed")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
