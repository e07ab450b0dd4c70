#!/usr/bin/env python3
"""Breaks the libraries in many small ways, one at a time, and sees the tests notice each.

Called by ./dev mutants, which builds first and says what the flags mean.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/variants"))
import variant  # noqa: E402 (found only after the line above)

MUTANTS = ROOT / "tests/mutants"
FIXES = ROOT / "tests/fixes"
TREE = ROOT / "build/release"
SAMPLE = 18
# Seconds a program, of a processor or of waiting; the slowest needs a few when nothing is wrong.
LIMIT = 90
LOADER_FAILED = 127  # a library or a symbol was not found, which no test has noticed
# These judge no mutant: they look at sources, or repeat what core-runtime-world says in real time.
# The grader compiles submissions and builds variants of its own: minutes, and nothing that a mutant would show.
LEFT_OUT = {"tidy", "exercises-grading", "exercises-hostile"}


class Mutant:
    """One patch, with what its first lines say of it."""

    def __init__(self, path):
        self.path = path
        folder = MUTANTS if path.is_relative_to(MUTANTS) else FIXES.parent
        self.name = str(path.relative_to(folder).with_suffix(""))
        words = dict(re.findall(r"^(Breaks|Fixes|Clause|Killed-by|Shown-by): (.*)$",
                                path.read_text(encoding="utf-8"), re.MULTILINE))
        self.breaks = words.get("Breaks") or f"(fix) {words.get('Fixes', '')}"
        self.case = words.get("Shown-by", "").strip("`")  # of a fix: the one that must notice
        self.clause = words.get("Clause", "-")
        self.killers = words.get("Killed-by", "").split()
        # Of what is no library of its own only these are linked again, and can notice.
        self.is_apart = self.name.startswith(("scenarios/", "exercises/"))


class Verdict:
    """What came of one mutant."""

    def __init__(self, mutant, killer, seconds, broken=""):
        self.mutant, self.killer, self.seconds, self.broken = mutant, killer, seconds, broken


def programs():
    """Test program -> path, in the order of the tree."""
    lines = (TREE / "tests/programs.txt").read_text(encoding="utf-8").split("\n")
    return dict(line.split() for line in lines if line and line.split()[0] not in LEFT_OUT)


def in_order(mutant, all_programs):
    """All programs, those first that are likely to notice."""
    likely = [name for name in mutant.killers if name in all_programs]
    part = mutant.name.split("/")[0]
    rest = [name for name in all_programs if name not in likely]
    rest.sort(key=lambda name: (not name.startswith(f"{part}-"), name == "core-runtime-threads"))
    return likely + rest


def is_starved(pid):
    """Whether a program is slow only because others have the processors: a thread of it, or of what
    it has started, could run, and they have not had their time yet."""
    could_run, used = False, 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/task/*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if fields[3] == str(pid):  # its session
            could_run = could_run or fields[0] == "R"
            used += sum(int(field) for field in fields[11:13])
            # Those that it has waited for count in each of its threads.
            used += sum(int(field) for field in fields[13:15]) if stat.parent.name == str(pid) else 0
    return could_run and used < LIMIT * os.sysconf("SC_CLK_TCK")


def first_complaint(program, executable, libraries, case=""):
    """The first failed case of `program` run against `libraries`, or what else it died of."""
    # The libraries of the tree come last: those of a variant do not find each other any more.
    path = ":".join(str(each) for each in (libraries, TREE / "core", TREE / "sim", TREE / "scenarios",
                                           TREE / "exercises/toolkit"))
    environment = {**os.environ, "LD_LIBRARY_PATH": path, "NO_COLOR": "1"}
    linked = libraries / pathlib.Path(executable).name
    command = [str(linked if linked.is_file() else TREE / executable), "--color_output=no", "--log_level=error"]
    if case:
        command.append(f"--run_test={case}")
    process = subprocess.Popen(command, cwd=ROOT, env=environment, text=True, errors="replace",
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    hung = threading.Event()

    def end():
        # Only while it has not been waited for: afterwards its number may be that of another.
        if process.poll() is None:
            os.killpg(process.pid, 9)

    def watch():
        while not over.wait(LIMIT):
            if not is_starved(process.pid):
                hung.set()
                end()
                return

    over = threading.Event()
    threading.Thread(target=watch).start()
    complaint = None
    try:
        for line in process.stdout:
            found = re.search(r'error: in "([^"]+)"', line)
            if found:
                complaint = found.group(1)
                end()  # one is enough: the rest of the program need not be waited for
                break
        status = process.wait()
    finally:
        end()
        over.set()
        process.stdout.close()
    if status == LOADER_FAILED:
        raise variant.BrokenPatch(f"{program} does not start with this library")
    if complaint:
        return f"{program} {complaint}"
    if hung.is_set():
        return f"{program} (still running after {LIMIT} s)"
    if status == -9:
        raise variant.BrokenPatch(f"another process killed {program}: is there memory enough?")
    return f"{program} (exit {status})" if status else None


def judge(mutant, all_programs):
    """Builds the mutant and runs programs against it until one notices."""
    started = time.monotonic()
    out = TREE / "mutants" / mutant.name
    killer = None
    try:
        if mutant.is_apart:
            variant.build_apart(mutant.path, out, TREE, [all_programs[name] for name in mutant.killers])
        else:
            variant.build(mutant.path, out, TREE)
        only = mutant.case or mutant.is_apart
        for program in mutant.killers if only else in_order(mutant, all_programs):
            killer = first_complaint(program, all_programs[program], out, mutant.case)
            if killer:
                break
    except variant.BrokenPatch as broken:
        return Verdict(mutant, None, time.monotonic() - started, str(broken))
    finally:
        shutil.rmtree(out, ignore_errors=True)
    return Verdict(mutant, killer, time.monotonic() - started)


def show(verdict, as_json):
    mutant = verdict.mutant
    state = "broken" if verdict.broken else "killed" if verdict.killer else "SURVIVED"
    if as_json:
        print(json.dumps({"mutant": mutant.name, "breaks": mutant.breaks, "clause": mutant.clause,
                          "state": state, "killed_by": verdict.killer,
                          "seconds": round(verdict.seconds, 1)}), flush=True)
        return
    print(f"{state:<9}{mutant.name:<50}{mutant.clause:<5}{verdict.seconds:5.1f} s  "
          f"{verdict.killer or verdict.broken}", flush=True)
    if not verdict.killer:
        print(f"         {mutant.breaks}", flush=True)


def commit_number():
    """A number that changes with each commit, so that the sample goes round."""
    said = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=8", "HEAD"],
                          capture_output=True, text=True, check=False).stdout.strip()
    return int(said, 16) if re.fullmatch("[0-9a-f]+", said) else 0


def sample_of(mutants, number):
    """Every n-th mutant from the number-th on: as many of each component as it has a share in."""
    step = max(1, len(mutants) // SAMPLE)
    return mutants[number % step::step]


def chosen(call, mutants):
    if not call.names:
        return mutants if call.long or call.list else sample_of(
            mutants, commit_number() if call.sample is None else call.sample)
    for name in call.names:
        if not any(mutant.name.startswith(name) for mutant in mutants):
            print(f"mutants: there is no mutant '{name}'; see ./dev mutants --list",
                  file=sys.stderr)
            sys.exit(2)
    return [mutant for mutant in mutants if mutant.name.startswith(tuple(call.names))]


def why_void(verdict, all_programs):
    """Why a kill proves nothing: the case that noticed complains without any defect, too."""
    program, _, case = verdict.killer.partition(" ")
    whole = case.startswith("(")  # it died or hung, so that no case is known
    try:
        complaint = first_complaint(program, all_programs[program], TREE / "core", "" if whole else case)
    except variant.BrokenPatch as broken:
        complaint = str(broken)
    return complaint and f"{complaint} fails without any defect, too"


def outdated(mutants):
    """Complaints about patches that no longer apply, of all mutants: each must stay judgeable."""
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        for mutant in mutants:
            try:
                variant.apply(mutant.path, variant.touched_files(mutant.path),
                              pathlib.Path(folder))
            except variant.BrokenPatch as broken:
                complaints.append(str(broken))
    return complaints


def arguments():
    parser = argparse.ArgumentParser(prog="./dev mutants")
    parser.add_argument("names", nargs="*", metavar="NAME")
    for flag in ("--long", "--list", "--json"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--sample", type=int)
    return parser.parse_args()


def main():
    call = arguments()
    started = time.monotonic()
    paths = [*sorted(MUTANTS.glob("*/*.patch")), *sorted(FIXES.glob("*.patch"))]
    catalogue = [Mutant(path) for path in paths]
    mutants = chosen(call, catalogue)
    if call.list:
        for mutant in mutants:
            print(f"{mutant.name:<50}{mutant.clause:<5}{mutant.breaks}")
        return 0
    complaints = outdated(catalogue)
    all_programs = programs()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        verdicts = []
        for verdict in pool.map(lambda mutant: judge(mutant, all_programs), mutants):
            show(verdict, call.json)
            verdicts.append(verdict)
        complaints += filter(None, pool.map(lambda verdict: why_void(verdict, all_programs),
                                            [verdict for verdict in verdicts if verdict.killer]))
    for complaint in complaints:
        print(f"mutants: {complaint}", file=sys.stderr)
    killed = sum(bool(verdict.killer) for verdict in verdicts)
    if not call.json:
        print(f"{killed} killed, {len(verdicts) - killed} not, of {len(verdicts)} mutants in "
              f"{time.monotonic() - started:.0f} s")
        print(f"{killed} passed, {len(verdicts) - killed} failed")
    return 0 if killed == len(verdicts) and not complaints else 1


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    sys.exit(main())
