#!/usr/bin/env python3
"""Lets the fuzzer look for mutants that break the contract, and counts how many runs it takes.

Called by ./dev hunt, which builds first and says what the flags mean.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import run
from run import FIXES, MUTANTS, TREE, Mutant, commit_number
import variant  # run.py has put its folder on the path

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "durability"))
from journal import Journal, Refused  # noqa: E402
from lane import Output, Stop  # noqa: E402

SAMPLE = 6
LIMIT = 60  # seconds of a processor that a block of stories may need; the usual needs a few
PATIENCE = 20 * LIMIT  # seconds of waiting: others may have the processors
RUNS_A_STORY = 4  # under the default schedule and three random ones
BLOCKS = (5, 20, 100, 375)  # stories at a time, the last size again and again: who dies is in one
NO_MUTANT = "none"  # in the journal: the libraries as they are were looked at
LIST = MUTANTS / "hunted.txt"  # those that stories can show; unhunted.txt says why not the others


class Hunt:
    """What came of hunting one mutant."""

    def __init__(self, mutant):
        self.mutant = mutant
        self.runs = []  # of the tries that found it
        self.tries = 0
        self.signature = ""
        self.broken = ""

    @property
    def state(self):
        if self.broken:
            return "broken"
        return "found" if self.tries and len(self.runs) == self.tries else "MISSED"


def environment_for(libraries):
    path = f"{libraries}:{TREE / 'core'}:{TREE / 'sim'}:{TREE / 'scenarios'}"
    return {**os.environ, "LD_LIBRARY_PATH": path, "NO_COLOR": "1"}


def fuzz(seeds, *flags):
    return [str(TREE / "scenarios/cli/watchlab"), "fuzz", "--keep-large", "--seeds", seeds, *flags]


def play(libraries, first_seed, stories):
    """(runs, signature or None) of these stories; stops at the first finding."""
    command = ["bash", "-c", f'ulimit -S -t {LIMIT}; exec "$@"', "fuzz",
               *fuzz(f"{first_seed}..{first_seed + stories - 1}", "--first", "--json")]
    all_runs = stories * RUNS_A_STORY
    with tempfile.TemporaryDirectory(prefix="watchlab-hunt-") as state:  # what fuzz keeps of its own progress
        try:
            done = subprocess.run(command, env={**environment_for(libraries), "XDG_STATE_HOME": state},
                                  capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            return all_runs, "hangs"
    if done.returncode == -signal.SIGXCPU:
        return all_runs, "hangs"
    if done.returncode == run.LOADER_FAILED:
        raise variant.BrokenPatch("watchlab does not start with this library")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode not in (0, 1):
        words = done.stderr.strip().splitlines()
        return all_runs, f"exit {done.returncode}" + (f": {words[-1][:80]}" if words else "")
    total = next(line for line in lines if "stories" in line and "runs" in line)
    found = next((line for line in lines if "signature" in line and "known" not in line), None)
    return total["runs"], found["signature"] if found else None


def first_finding(libraries, first_seed, stories):
    """(runs, signature) of the first finding among these stories; None when there is none.

    Of who dies or hangs it counts the whole block of stories in which that happened.
    """
    runs = played = 0
    while played < stories:
        sizes = [size for size in BLOCKS if played >= sum(BLOCKS[:BLOCKS.index(size)])]
        size = min(sizes[-1], stories - played)
        some, signature = play(libraries, first_seed + played, size)
        runs += some
        if signature:
            return runs, signature
        played += size
    return None


def hunt(mutant, call, journal, stop):
    """What came of it; nothing when a signal has ended it. Tries of the journal are not made again."""
    result = Hunt(mutant)
    out = TREE / "hunted" / mutant.name
    tried = {entry["try"]: entry for entry in journal.entries if entry["mutant"] == mutant.name}
    try:
        if any(number not in tried for number in range(call.tries)):
            variant.build(mutant.path, out, TREE)
        for number in range(call.tries):
            if stop.requested:
                return None
            if number not in tried:
                found = first_finding(out, 1 + number * 1_000_000, call.runs // RUNS_A_STORY)
                if stop.requested:
                    return None  # what was found may be the end that was asked for
                tried[number] = {"mutant": mutant.name, "try": number, "found": found}
                journal.add(tried[number])
            result.tries += 1
            found = tried[number]["found"]
            if found:
                result.runs.append(found[0])
                result.signature = result.signature or found[1]
    except variant.BrokenPatch as broken:
        if stop.requested:
            return None
        result.broken = str(broken)
    finally:
        shutil.rmtree(out, ignore_errors=True)
    return result


def is_clean(journal, stop):
    """Whether nothing is found without any defect, now or in the call that this one goes on from."""
    if any(entry["mutant"] == NO_MUTANT for entry in journal.entries):
        return True
    found = first_finding(TREE / "core", 1, 200)
    if stop.requested or found:
        return False
    journal.add({"mutant": NO_MUTANT})
    return True


def play_fixed(call):
    """Nothing is left to be found, known or not, when all fixes are applied. Returns the exit code."""
    out = TREE / "hunted/fixed"
    out.mkdir(parents=True, exist_ok=True)
    patch = out / "all.patch"
    fixes = sorted(FIXES.glob("*.patch"))
    patch.write_text("\n".join(fix.read_text(encoding="utf-8") for fix in fixes), encoding="utf-8")
    try:
        variant.build(patch, out, TREE)
        command = fuzz(call.seeds or ("1..100000" if call.long else "1..2000"), "--strict",
                       f"--jobs={call.jobs}", *(["--json"] if call.json else []),
                       *(["--resume", call.resume] if call.resume else []))
        Stop()  # hands signals on to fuzz, which then says what it knows
        done = subprocess.run(command, env=environment_for(out), check=False).returncode
    except variant.BrokenPatch as broken:
        print(f"hunt: {broken}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(out, ignore_errors=True)
    if done == 130:
        print("stopped; that file and the same words go on: ./dev hunt --fixed … --resume FILE")
    elif not call.json:
        print(f"{len(fixes)} fixes together: {'held' if done == 0 else 'FOUND something'}")
    return done


def show(result, as_json, output):
    mutant = result.mutant
    median = statistics.median(result.runs) if result.runs else None
    if as_json:
        output.line(json.dumps({"mutant": mutant.name, "clause": mutant.clause, "state": result.state,
                                "runs": result.runs, "median": median, "signature": result.signature}))
        return
    words = result.broken or result.signature or mutant.breaks
    runs = "-" if median is None else f"{median:.0f}"
    output.line(f"{result.state:<8}{mutant.name:<46}{mutant.clause:<5}{runs:>7}  {words}")


def chosen(call):
    mutants = [Mutant(path) for path in sorted(MUTANTS.glob("*/*.patch"))]
    listed = {line.split()[0] for line in LIST.read_text(encoding="utf-8").splitlines()
              if line and not line.startswith("#")}
    unknown = listed - {mutant.name for mutant in mutants}
    if unknown:
        print(f"hunt: {LIST.name} names {', '.join(sorted(unknown))}, which is no mutant",
              file=sys.stderr)
        sys.exit(2)
    hunted = [mutant for mutant in mutants if mutant.name in listed]
    if call.unlisted:
        return [mutant for mutant in mutants
                if mutant.name.startswith("core/") and mutant.name not in listed]
    if call.names:
        for name in call.names:
            if not any(mutant.name.startswith(name) for mutant in mutants):
                print(f"hunt: there is no mutant '{name}'; see ./dev mutants --list",
                      file=sys.stderr)
                sys.exit(2)
        return [mutant for mutant in mutants if mutant.name.startswith(tuple(call.names))]
    if call.long:
        return hunted
    step = max(1, len(hunted) // SAMPLE)
    return hunted[commit_number() % step::step]


def arguments():
    parser = argparse.ArgumentParser(prog="./dev hunt")
    parser.add_argument("names", nargs="*", metavar="NAME")
    for flag in ("--long", "--json", "--unlisted", "--fixed"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--tries", type=int)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds")
    parser.add_argument("--resume", metavar="FILE")
    call = parser.parse_args()
    call.tries = call.tries or (3 if call.long else 1)
    return call


def drop_resume(words):
    """The words of a call without where it goes on."""
    kept = [word for word in words if not word.startswith("--resume=")]
    if "--resume" in kept:
        at = kept.index("--resume")
        del kept[at:at + 2]
    return kept


def main():
    call = arguments()
    if call.fixed:
        return play_fixed(call)
    mutants = chosen(call)
    try:
        journal = Journal("hunt", {"mutants": " ".join(mutant.name for mutant in mutants),
                                   "tries": call.tries, "runs": call.runs}, call.resume)
    except Refused as refused:
        print(f"hunt: {refused}", file=sys.stderr)
        return 2
    stop = Stop()
    output = Output("hunt")
    started = time.monotonic()
    if not is_clean(journal, stop) and not stop.requested:
        print("hunt: fuzz finds something without any defect; see ./watchlab fuzz", file=sys.stderr)
        return 1
    results = []
    with concurrent.futures.ThreadPoolExecutor(call.jobs) as pool:
        for result in pool.map(lambda mutant: hunt(mutant, call, journal, stop), mutants):
            if result:
                show(result, call.json, output)
                results.append(result)
    if stop.requested:
        words = shlex.join(drop_resume(sys.argv[1:]) + ["--resume", str(journal.path)])
        output.line(f"stopped; to go on:\n  ./dev hunt {words}")
        return output.status(130, journal.problem)
    found = sum(result.state == "found" for result in results)
    if not call.json:
        medians = [statistics.median(result.runs) for result in results if result.runs]
        middle = f"{statistics.median(medians):.0f}" if medians else "-"
        output.line(f"{found} of {len(results)} mutants found, half of them within {middle} runs, in "
                    f"{time.monotonic() - started:.0f} s")
        output.line(f"{found} passed, {len(results) - found} failed")
    if not output.problem:
        journal.finish()
    return output.status(0 if found == len(results) else 1, journal.problem)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    sys.exit(main())
