#!/usr/bin/env python3
"""Plays searches in parts on 1, 2 and 4 workers of which two are killed, and wants what one process comes to.

    parts.py [--engine ray]   on processes of this machine, or on workers of Ray, which this Python has to know

The driver is docs/scale-out/parts.py. Then what merge has to notice: a part that is missing, one that nothing has left,
and one that comes twice, which counts once. The last line is `N passed, N failed`. Exit 0 if all came to the same.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATCHLAB = str(ROOT / "build/release/scenarios/cli/watchlab")
DRIVER = [sys.executable, str(ROOT / "docs/scale-out/parts.py"), "--watchlab", WATCHLAB]
TOMBSTONE = ROOT / "scenarios/basics/tutorial_meets_tombstone.yaml"
COMPARED = ("held", "kind", "exhausted", "orders")


def lines_of(*call):
    """The lines of JSON that a call prints, and its exit status."""
    done = subprocess.run([WATCHLAB, *map(str, call), "--json"], cwd=ROOT, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    return done.stdout.splitlines(keepends=True), done.returncode


def result_of(line, lines, words):
    """What has to be the same, and the failures in words that do not depend on who found them first. How many runs each
    class and each failure has counts for dfs only: dpor may play a class more than once."""
    counts = "dfs" in words
    orders = line["coverage"][3:].split(".")[1:]
    result = {name: line.get(name) for name in COMPARED}
    result["executions"] = line["executions"] if counts else 0
    result["classes"] = sorted(orders if counts else (order.split("x")[0] for order in orders))
    result["failures"] = sorted((each["kind"], each["sentence"].splitlines()[0], each["count"] if counts else 0)
                                for each in lines if "count" in each)
    return result


def alone(scenario, words):
    lines = [json.loads(line) for line in
             lines_of("explore", scenario, *words, "--schedules", 1000000, "--continue")[0]]
    return result_of(lines[0], lines[1:], words)


def together(engine, scenario, words, workers, folder):
    """What the driver comes to, and what it says of its workers."""
    out = folder / f"parts{workers}.jsonl"
    strategy, further = words[:2], words[2:]
    done = subprocess.run([*DRIVER, str(scenario), *strategy, "--workers", str(workers), "--engine", engine, "--runs",
                           "60", "--kill", "2", "--continue", "-o", str(out), "--", *further], cwd=ROOT,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1) or not out.exists():
        return None, done.stdout + done.stderr
    merged = json.loads(lines_of("merge", out)[0][0])
    return (result_of(merged, json.loads(merged["failures"]), words),
            next(line for line in done.stdout.splitlines() if " parts in " in line))


def check_merge(folder):
    """What merge says of parts that are not one whole."""
    lines = (folder / "parts2.jsonl").read_text().splitlines(keepends=True)
    lines = [line for line in lines if '"coverage"' in line]
    whole = json.loads(lines_of("merge", folder / "parts2.jsonl")[0][0])
    file = folder / "other.jsonl"

    def merged(chosen):
        file.write_text("".join(chosen))
        printed, status = lines_of("merge", file)
        return json.loads(printed[0]) if printed else {}, status

    wrong = []
    for i in (0, len(lines) // 2, len(lines) - 1):
        less, status = merged(lines[:i] + lines[i + 1:])
        if less["exhausted"] or status != 1:
            wrong.append(f"without part {i} of {len(lines)} it is whole")
    twice, status = merged(lines + lines[3:5])
    if (twice["executions"], twice["coverage"], status) != (whole["executions"], whole["coverage"], 0):
        wrong.append("parts that come twice count twice")
    return wrong


def main():
    engine = sys.argv[2] if sys.argv[1:2] == ["--engine"] and len(sys.argv) == 3 else "local"
    passed = failed = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        planted = folder / "planted.yaml"
        planted.write_text(TOMBSTONE.read_text().replace("exactly: [demo]", "exactly: []")
                           .replace(f"name: {TOMBSTONE.stem}", "name: planted"))
        cases = [(planted, ["--strategy", "dpor"]), (planted, ["--strategy", "dfs", "--preemptions", "0"]),
                 (TOMBSTONE, ["--strategy", "dfs", "--preemptions", "0"]), (TOMBSTONE, ["--strategy", "dpor"])]
        for scenario, words in cases[::3] if engine == "ray" else cases:  # Ray takes long to start
            expected = alone(scenario, words)
            for workers in (1, 2, 4):
                name = f"{scenario.stem} by {words[1]} on {workers}"
                came, said = together(engine, scenario, words, workers, folder)
                well = came == expected and " 2 workers killed" in said
                passed, failed = passed + well, failed + (not well)
                print(f"{'held' if well else 'FAIL'}  {name:<42} {said}", flush=True)
                if not well:
                    print(f"      expected {str(expected)[:400]}\n      came     {str(came)[:400]}")
        wrong = check_merge(folder)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        print("\n".join(f"FAIL  merge: {each}" for each in wrong) or "held  merge notices what is missing or comes twice")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
