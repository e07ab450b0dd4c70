#!/usr/bin/env python3
"""Sees the pieces of the museum fail in their broken variant and hold in the fixed one, and those in Go likewise.

Called by ./dev museum, which builds first and says what the arguments mean.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/variants"))
sys.path.insert(0, str(ROOT / "tests/durability"))
import go_piece  # noqa: E402 (found only after the lines above, as the others)
import variant  # noqa: E402
from lane import Stop  # noqa: E402

TREE = ROOT / "build/release"
PROGRAM = TREE / "scenarios/cli/watchlab"
REPLAYS = 100
RANDOM_SCHEDULES = 10_000
PROOF_LIMIT = 120  # seconds that the proof that a schedule is minimal may take
STRATEGIES = ["random", "pct", "pos", "surw", "feedback", "dpor"]
SEEDS = 5  # of the explorations that look for a schedule


# What `table` writes above its rows.
FOUND = """\
## Which strategy finds what

How fast each strategy finds the bugs that need a certain interleaving, from stories that do not hint at it. A cell is the
median of {seeds} seeds: runs; milliseconds, including the start of the program. An attempt stops after {time} seconds.
`3 of {seeds}` means that only three attempts found the bug; in a median, attempts that find nothing count as slowest.
`fifo` is the default order, which never varies; *at once* means that it already shows the bug. Milliseconds, and the number
of runs in {time} seconds, depend on the machine ({cores} cores at a load of {least:.1f} to {most:.1f}); a median of runs does not.

{rows}
"""


class Wrong(Exception):
    """A piece that does not do what it says. Says how."""


class Stopped(Exception):
    """A signal has asked for the end."""


class Piece:
    """A folder of scenarios/museum, and the two libraries that it compares."""

    stop = None  # whether a signal has come
    state = ""  # where explorations keep how far they are: none of the museum's goes on

    def __init__(self, words):
        self.slug, self.bug, self.live = words["slug"], words["bug"], words["live"]
        self.kind, self.part = words["fails"].split(": ", 1)
        self.needs = words["needs"]
        self.folder = ROOT / words["folder"]
        self.patch = ROOT / words["patch"]
        self.scenario = self.folder / "scenario.yaml"
        self.schedule = self.folder / "schedule.txt"

    def build(self):
        """Builds the library that the patch makes, unless it is there and newer than its sources."""
        self.variant = TREE / "museum" / self.slug
        built = [self.variant / pathlib.Path(library).name for library in
                 variant.LIBRARIES.values()]
        newest = max(path.stat().st_mtime for path in
                     [self.patch, *(TREE / library for library in variant.LIBRARIES.values())])
        if any(library.exists() and library.stat().st_mtime > newest for library in built):
            return
        try:
            variant.build(self.patch, self.variant, TREE)
        except variant.BrokenPatch as broken:
            if Piece.stop.requested:
                raise Stopped from broken
            raise

    def watchlab(self, broken, *arguments, limit=None, folder=ROOT):
        """Runs the program on the broken or on the fixed library, in that folder."""
        folders = [TREE / "core", TREE / "sim"]
        if broken != self.live:
            folders.insert(0, self.variant)
        environment = {**os.environ, "NO_COLOR": "1", "XDG_STATE_HOME": Piece.state,
                       "LD_LIBRARY_PATH": ":".join(str(folder) for folder in folders)}
        command, *rest = (str(argument) for argument in arguments)
        if Piece.stop.requested:
            raise Stopped
        done = subprocess.run([str(PROGRAM), command, str(self.scenario), *rest], cwd=folder,
                              env=environment, capture_output=True, text=True, check=False,
                              timeout=limit)
        if Piece.stop.requested:
            raise Stopped  # what it says may be what it knew by then
        return done

    def verdict(self, broken, *arguments, folder=ROOT):
        """What the program says as JSON of a command that plays the scenario."""
        done = self.watchlab(broken, *arguments, "--json", folder=folder)
        lines = done.stdout.splitlines()
        if not lines:
            raise Wrong(f"{arguments[0]} says nothing: {done.stderr.strip()[:400]}")
        return json.loads(lines[-1])

    def is_named(self, said):
        return not said["held"] and said["kind"] == self.kind and self.part in said["sentence"]

    def named(self):
        return f"{self.kind}: …{self.part}…"


def described(said):
    """How a run ended, for a complaint."""
    if said["held"]:
        return "holds"
    first = said.get("sentence", "").split("\n", 1)[0]
    return f"ends with {said.get('kind', 'a failure')}: {first[:300]}"


def check_page(piece, stored):
    """Raises `Wrong` unless there is a page to step through the broken run, of a size that travels."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        said = piece.verdict(True, "report", *stored, "-o", page)
        text = page.read_text(encoding="utf-8") if page.exists() else ""
    if said["held"] or '"failure":{"kind":"' + piece.kind not in text:
        raise Wrong("its page does not show the failure")
    if len(text) > 2_000_000:
        raise Wrong(f"its page has {len(text)} bytes")


def judge(piece, schedules):
    """Raises `Wrong` or `variant.BrokenPatch` unless the piece does what it says."""
    piece.build()
    stored = ["--schedule", f"@{piece.schedule}"]
    said = piece.verdict(True, "replay", *stored, "--times", REPLAYS)
    if not piece.is_named(said):
        raise Wrong(f"the broken library no longer fails with '{piece.named()}' under the stored "
                    f"schedule: it {described(said)}; ./dev museum refresh {piece.slug} looks for "
                    "another one")
    said = piece.verdict(False, "replay", *stored, "--guided")
    if not said["held"]:
        raise Wrong(f"the fixed library fails under the stored schedule: it {described(said)}")
    check_page(piece, stored)
    said = piece.verdict(False, "explore", "--strategy", "random", "--schedules", schedules)
    if not said["held"]:
        raise Wrong(f"the fixed library fails under random schedules: it {described(said)}; "
                    f"{said.get('replay', '')}")
    return said["executions"]


def is_go(piece):
    return isinstance(piece, go_piece.GoPiece)


def check_go(pieces, call):
    """Checks pieces in Go, and skips in a line what this machine cannot play. How many failed and were skipped."""
    failed, skipped = 0, {}
    for piece in pieces:
        begun, wrong, held = time.monotonic(), "", ""
        try:
            held = piece.judge()
        except go_piece.Unavailable as why:
            skipped.setdefault(str(why), []).append(piece.slug)
            continue
        except go_piece.Wrong as why:
            wrong = str(why)
            failed += 1
        seconds = time.monotonic() - begun
        if call.json:
            print(json.dumps({"slug": piece.slug, "bug": piece.bug, "held": not wrong,
                              "sentence": wrong or held, "seconds": round(seconds, 1)}), flush=True)
        elif wrong:
            print(f"FAIL  {piece.slug}: {wrong}", flush=True)
        else:
            print(f"held  {piece.slug:<32} {piece.bug:<5} {held}; {seconds:.1f} s", flush=True)
    for why, slugs in skipped.items():
        print(f"skipped {len(slugs)} pieces in Go: {why}", file=sys.stderr if call.json else sys.stdout)
    return failed, sum(map(len, skipped.values()))


def check(pieces, call):
    started = time.monotonic()
    failed, skipped = check_go([piece for piece in pieces if is_go(piece)], call)

    def timed(piece):
        begun = time.monotonic()
        try:
            return piece, judge(piece, call.schedules), "", time.monotonic() - begun
        except (Wrong, variant.BrokenPatch) as wrong:
            return piece, 0, str(wrong), time.monotonic() - begun

    with concurrent.futures.ThreadPoolExecutor(call.jobs) as pool:
        for piece, held, wrong, seconds in pool.map(timed, [each for each in pieces if not is_go(each)]):
            failed += bool(wrong)
            if call.json:
                print(json.dumps({"slug": piece.slug, "bug": piece.bug, "held": not wrong,
                                  "replays": REPLAYS if not wrong else 0, "schedules": held,
                                  "sentence": wrong, "seconds": round(seconds, 1)}), flush=True)
            elif wrong:
                print(f"FAIL  {piece.slug}: {wrong}", flush=True)
            else:
                print(f"held  {piece.slug:<32} {piece.bug:<5} broken: {REPLAYS} of {REPLAYS} "
                      f"replays fail ({piece.kind}); fixed: guided and {held} random schedules "
                      f"hold; {seconds:.1f} s", flush=True)
    if not call.json:
        print(f"{len(pieces)} pieces in {time.monotonic() - started:.0f} s")
        print(f"{len(pieces) - failed - skipped} passed, {failed} failed")
    return 1 if failed else 0


def found_schedule(piece):
    """A schedule under which the broken library fails as named."""
    said = piece.verdict(True, "explore", "--strategy", "fifo", "--schedules", 1)
    if piece.is_named(said):
        return said["schedule"]
    ends = set()
    for seed in range(1, SEEDS + 1):
        said = piece.verdict(True, "explore", "--seed", seed)
        if piece.is_named(said):
            return said["schedule"]
        ends.add(described(said))
    raise Wrong(f"no schedule was found that fails with '{piece.named()}': it {'; it '.join(ends)}")


def shortest(piece, schedule):
    """The schedule made short, and what is known of how short it is."""
    try:
        done = piece.watchlab(True, "shrink", "--schedule", schedule, "--prove", limit=PROOF_LIMIT)
    except subprocess.TimeoutExpired:
        done = piece.watchlab(True, "shrink", "--schedule", schedule)
    if done.returncode != 1:
        raise Wrong(f"shrink ends with {done.returncode}: {done.stderr.strip()[:400]}")
    return done.stdout.strip(), done.stderr.strip().splitlines()[-1]


def refresh(pieces, call):
    failed = 0
    for piece in pieces:
        if is_go(piece):
            failed += refresh_go(piece)
            continue
        try:
            piece.build()
            if not call.slugs and piece.schedule.exists() and piece.is_named(piece.verdict(
                    True, "replay", "--schedule", f"@{piece.schedule}")):
                continue
            schedule, known = shortest(piece, found_schedule(piece))
            piece.schedule.write_text(f"{schedule}\n# {known}\n", encoding="utf-8")
            print(f"found {piece.slug}: {known}", flush=True)
        except (Wrong, variant.BrokenPatch) as wrong:
            failed += 1
            print(f"FAIL  {piece.slug}: {wrong}", flush=True)
    return write_tour() or (1 if failed else 0)


def refresh_go(piece):
    """How many failed: 0 or 1."""
    try:
        known = piece.refresh()
        if known:
            print(f"found {piece.slug}: {known}", flush=True)
    except (go_piece.Wrong, go_piece.Unavailable) as why:
        print(f"FAIL  {piece.slug}: {why}", flush=True)
        return 1
    return 0


def write_tour():
    """Writes docs/museum.md out of the pieces. Exit code."""
    tour = subprocess.run([str(PROGRAM), "museum", "tour"], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    if tour.returncode:
        print(tour.stderr.strip())
        return 1
    (ROOT / "docs/museum.md").write_text(tour.stdout, encoding="utf-8")
    return 0


def counts_of(known):
    """Deviations, preemptions, and whether it is proven, of what `shrink` knows of a schedule."""
    deviations, preemptions = re.search(r"became (\d+), with (\d+) preemption", known).groups()
    return int(preemptions), int(deviations), "no run with fewer" in known


def proven(piece):
    """Makes the stored schedule short anew. What is known of it; raises `Wrong` when that is better."""
    piece.build()
    schedule, remark = piece.schedule.read_text(encoding="utf-8").splitlines()
    stored, (_, now) = counts_of(remark), shortest(piece, schedule)
    found = counts_of(now)
    if found[:2] < stored[:2]:
        raise Wrong(f"the stored schedule is not minimal: {now}; ./dev museum refresh {piece.slug}")
    if stored[2] and not found[2]:
        return f"the proof did not complete in {PROOF_LIMIT} s this time"
    return remark.removeprefix("# ")


def prove(pieces, _):
    failed = 0
    for piece in pieces:
        if is_go(piece):  # Explore takes each deviation away
            continue
        try:
            print(f"held  {piece.slug:<32} {proven(piece)}", flush=True)
        except (Wrong, variant.BrokenPatch) as wrong:
            failed += 1
            print(f"FAIL  {piece.slug}: {wrong}", flush=True)
    return 1 if failed else 0


def attempt(piece, strategy, seed, limit):
    """Runs and seconds until the strategy finds the bug from scratch; None when it does not."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:  # a search that is cut off leaves a file there
        said = piece.verdict(True, "explore", "--strategy", strategy, "--seed", seed, "--schedules",
                             100_000_000, "--time", f"{limit}s", folder=folder)
    seconds = time.monotonic() - begun
    return (said["executions"], seconds) if piece.is_named(said) else None


def cell(found, seeds):
    """Median runs and milliseconds, those attempts that found nothing counting as the slowest."""
    hits = sorted(each for each in found if each)
    if len(hits) * 2 <= seeds:
        return f"{len(hits)} of {seeds}"
    runs, seconds = hits[(seeds - 1) // 2]
    missed = "" if len(hits) == seeds else f", {len(hits)} of {seeds}"
    return f"{runs}; {seconds * 1000:.0f}{missed}"


def row(piece, call):
    """A row of the table, and whether any strategy finds the bug."""
    piece.build()
    said = piece.verdict(True, "explore", "--strategy", "fifo", "--schedules", 1)
    cells = ["at once" if piece.is_named(said) else "never"]
    hit = False
    for strategy in STRATEGIES:
        found = [attempt(piece, strategy, seed, call.time) for seed in range(1, call.seeds + 1)]
        hit = hit or any(found)
        cells.append(cell(found, call.seeds))
    return f"| `{piece.slug}` | " + " | ".join(cells) + " |", hit


def table(pieces, call):
    """Prints, as a part of docs/museum.md, how fast each strategy finds each bug of kind S."""
    rows, lost, loads = [], 0, [os.getloadavg()[0]]
    for piece in (each for each in pieces if not is_go(each) and "S" in each.needs):
        text, hit = row(piece, call)
        rows.append(text)
        lost += not hit
        loads.append(os.getloadavg()[0])
        print(text, flush=True)
    head = "".join(f"| `{strategy}` " for strategy in ["fifo", *STRATEGIES])
    text = FOUND.format(seeds=call.seeds, time=call.time, cores=os.cpu_count(), least=min(loads),
                        most=max(loads), rows="\n".join(
                            [f"| piece {head}|", "|---" * (len(STRATEGIES) + 2) + "|", *rows]))
    if call.slugs:
        print(text)
        return 1 if lost else 0
    (ROOT / "scenarios/museum/found.txt").write_text(text, encoding="utf-8")
    return write_tour() or (1 if lost else 0)


def pieces_of(slugs):
    listed = subprocess.run([str(PROGRAM), "museum", "list", "--json"], cwd=ROOT,
                            capture_output=True, text=True, check=False)
    pieces = [go_piece.GoPiece(words["slug"], words["fails"], words["bug"]) if words["in_go"] else Piece(words)
              for words in map(json.loads, listed.stdout.splitlines())]
    for slug in slugs:
        if slug not in [piece.slug for piece in pieces]:
            print(f"museum: there is no piece '{slug}'; see ./watchlab museum list",
                  file=sys.stderr)
            sys.exit(2)
    return [piece for piece in pieces if not slugs or piece.slug in slugs]


def main():
    parser = argparse.ArgumentParser(prog="./dev museum")
    parser.add_argument("action", choices=["check", "refresh", "prove", "table"])
    parser.add_argument("slugs", nargs="*", metavar="SLUG")
    parser.add_argument("--schedules", type=int, default=RANDOM_SCHEDULES)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--time", type=int, default=10)
    words = sys.argv[1:]
    if not words or words[0] not in ("refresh", "prove", "table"):
        words.insert(0, "check")
    call = parser.parse_args(words)
    actions = {"check": check, "refresh": refresh, "prove": prove, "table": table}
    pieces = pieces_of(call.slugs)
    Piece.stop = Stop()
    with tempfile.TemporaryDirectory(prefix="watchlab-museum-") as Piece.state:
        try:
            return actions[call.action](pieces, call)
        except Stopped:
            print("museum: stopped by a signal; what was printed until then stands", file=sys.stderr)
            return 130


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    sys.exit(main())
