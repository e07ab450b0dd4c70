#!/usr/bin/env python3
"""Sees the comparison with client-go fail: breaks the port by patches and wants a difference for each.

Called by ./dev conformance --defects, which builds first. Each patch of defects.txt is built as a
variant of the library; with it the stories are played and compared. A patch counts as seen when the
comparison reports a difference, or when a story does not come to its end. Prints a table.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/variants"))
import variant  # noqa: E402 (found only after the line above)

TREE = ROOT / "build/release"
LIST = ROOT / "tests/conformance/defects.txt"
LIMIT = 120  # seconds for each of the two programs


class Defect:
    """A line of defects.txt: a patch, the machine it breaks, and why it cannot be seen if it cannot."""

    def __init__(self, line, machine):
        name, _, because = line.partition(" ")
        self.machine = machine
        self.name, self.invisible = name, because.strip()
        folder = "tests/conformance" if name.startswith("defects/") else "tests/mutants"
        self.path = ROOT / folder / f"{name}.patch"

    def breaks(self):
        found = re.search(r"^Breaks: (.*)$", self.path.read_text(encoding="utf-8"), re.MULTILINE)
        return found.group(1) if found else ""


class Verdict:
    """What came of one: how many clients differ, the first difference, or what went wrong."""

    def __init__(self, defect, differing, first, broken=""):
        self.defect, self.differing, self.first, self.broken = defect, differing, first, broken

    def seen(self):
        return bool(self.first) and not self.broken

    def fine(self):
        return not self.broken and self.seen() != bool(self.defect.invisible)


def defects():
    found, machine = [], "classic"
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            machine = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            found.append(Defect(line, machine))
    return found


class Judge:
    """MACHINE=PROGRAM, and what stands in the environment behind a comma."""

    def __init__(self, text):
        self.machine, _, rest = text.partition("=")
        program, _, gates = rest.partition(",")
        self.program = pathlib.Path(program)
        self.environment = dict([gates.split("=", 1)] if gates else [])


def run(command, environment):
    try:
        return subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_COLOR": "1", **environment},
                              capture_output=True, text=True, errors="replace", check=False,
                              timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None


def played(call, machine, libraries, transcripts):
    """Plays the stories with these libraries. The first complaint, if any."""
    path = f"{libraries}:{TREE / 'core'}:{TREE / 'sim'}"
    stories = run([str(TREE / call.program), "transcribe", "--quiet", str(ROOT / "scenarios"),
                   *(f"--{kind}=1..{count}" for kind, count in call.seeds.items() if count),
                   "--machine", machine, "-o", str(transcripts)],
                  {"LD_LIBRARY_PATH": path})
    if stories is None:
        return f"the stories are not over after {LIMIT} s"
    if stories.returncode < 0:
        return f"the stories end with signal {-stories.returncode}"
    complaints = [line for line in stories.stderr.splitlines() if ":" in line]
    ends = [line for line in complaints
            if any(word in line for word in ("deadlock", "livelock", "no end", "died of an exception"))]
    return ends[0] if ends else ""


def compared(judge_of_it, transcripts):
    """How many clients differ, and the first difference."""
    judged = run([str(judge_of_it.program), "-test.v", "-test.timeout", "10m"],
                 {"WATCHLAB_TRANSCRIPTS": str(transcripts), **judge_of_it.environment})
    if judged is None:
        return 0, f"client-go is not through after {LIMIT} s"
    summary = re.search(r"SUMMARY \d+ clients .*?, (\d+) differ\b", judged.stdout)
    if not summary:
        return 0, f"client-go ends early: {judged.stdout[-200:]}"
    first = re.search(r"conformance_test.go:\d+: ([a-z_/]+(?:_\d+)?), client (.*)", judged.stdout)
    return int(summary.group(1)), first.group(0).split(": ", 1)[1] if first else ""


def judge(call, defect):
    out = TREE / "defects" / defect.machine / defect.name
    try:
        variant.build(defect.path, out, TREE)
        transcripts = out / "transcripts.jsonl"
        end = played(call, defect.machine, out, transcripts)
        judge_of_it = next(each for each in call.judge if each.machine == defect.machine)
        differing, first = compared(judge_of_it, transcripts) if transcripts.exists() else (0, "")
        return Verdict(defect, differing, first or end)
    except variant.BrokenPatch as broken:
        return Verdict(defect, 0, "", str(broken))
    finally:
        shutil.rmtree(out, ignore_errors=True)


def show(verdict):
    defect = verdict.defect
    state = ("BROKEN" if verdict.broken else "seen" if verdict.seen() else "invisible"
             if defect.invisible else "MISSED")
    if verdict.seen() and defect.invisible:
        state = "SEEN"
    print(f"{state:<10}{defect.name:<46}{verdict.differing:>5}  {defect.breaks()}", flush=True)
    remark = verdict.broken or verdict.first or defect.invisible
    if remark:
        print(f"{'':<16}{remark[:200]}", flush=True)


def print_table(verdicts):
    """The outcome of each patch, as Markdown."""
    print("| patch | what it breaks | clients that differ |\n|---|---|---|")
    for verdict in (each for each in verdicts if each.seen()):
        defect = verdict.defect
        count = verdict.differing or "a story dies"
        print(f"| `{defect.name.split('/')[1]}` | {defect.breaks()} | {count} |")
    print("\n| not to be seen | what it breaks | because |\n|---|---|---|")
    for verdict in (each for each in verdicts if not each.seen()):
        defect = verdict.defect
        print(f"| `{defect.name.split('/')[1]}` | {defect.breaks()} | {defect.invisible} |")


def sample(all_defects, count):
    """Some of them, others at each commit."""
    said = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=8", "HEAD"],
                          capture_output=True, text=True, check=False).stdout.strip()
    number = int(said, 16) if re.fullmatch("[0-9a-f]+", said) else 0
    total = len(all_defects)
    return [all_defects[(number + i * total // count) % total] for i in range(min(count, total))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", required=True, help="watchlab, below the build tree")
    parser.add_argument("--judge", type=Judge, action="append", required=True,
                        help="MACHINE=PROGRAM or MACHINE=PROGRAM,VARIABLE=VALUE; others are left out")
    for kind, count in {"stories": 300, "fuzz": 200, "shapes": 220, "illegal": 100}.items():
        parser.add_argument(f"--{kind}", type=int, default=count)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--table", action="store_true", help="prints Markdown in the end")
    call = parser.parse_args()
    call.seeds = {"stories": call.stories, "fuzz": call.fuzz, "shapes": call.shapes,
                  "illegal": call.illegal}
    judged = {each.machine for each in call.judge}
    chosen = [each for each in defects() if each.machine in judged]
    if call.names:
        chosen = [each for each in chosen if each.name.startswith(tuple(call.names))]
    if call.sample:
        chosen = sample(chosen, call.sample)
    if not chosen:
        print("conformance: no defect of defects.txt has such a name", file=sys.stderr)
        return 2
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        verdicts = []
        for verdict in pool.map(lambda defect: judge(call, defect), chosen):
            show(verdict)
            verdicts.append(verdict)
    if call.table:
        print_table(verdicts)
    seen = sum(verdict.seen() for verdict in verdicts)
    wrong = sum(not verdict.fine() for verdict in verdicts)
    print(f"{seen} of {len(verdicts)} defects are seen by the comparison, "
          f"{len(verdicts) - seen - wrong} cannot be, {wrong} are not as defects.txt says, "
          f"in {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    sys.exit(main())
