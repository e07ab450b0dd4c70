"""What the scripts of this folder share: the program, submissions made of checked-in suites, figures."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/exercises/grader/watchlab-course"


def exercise(slug):
    """The folder of an exercise, and the one file that a submission to it is."""
    folder = ROOT / "exercises" / slug
    for line in (folder / "exercise.yaml").read_text().splitlines():
        if line.startswith("files:"):
            return folder, line.split("[")[1].split("]")[0].split(",")[0].strip()
    raise SystemExit(f"{folder}/exercise.yaml names no files")


def suite(slug, name):
    """The text of a checked-in suite: "solution", "empty", "happy_path" or "ported"."""
    folder, file = exercise(slug)
    place = folder / "instructor" / ("solution" if name == "solution" else f"suites/{name}") / file
    return place.read_text()


def hand_in(place, slug, text):
    """Writes a submission."""
    place.mkdir(parents=True, exist_ok=True)
    (place / exercise(slug)[1]).write_text(text)


def run(words, **more):
    """Runs the program and wants an exit status of 0 or 1."""
    more = more if "input" in more else {"stdin": subprocess.DEVNULL, **more}
    ended = subprocess.run([str(PROGRAM), *words], capture_output=True, text=True, check=False,
                           env={**os.environ, "NO_COLOR": "1"}, **more)
    if ended.returncode not in (0, 1):
        sys.exit(f"watchlab-course {' '.join(words)}: status {ended.returncode}\n"
                 f"{ended.stdout}{ended.stderr}")
    return ended


def without_times(text):
    """A result as one line, without what it says of time."""
    result = json.loads(text)
    result.pop("wall_ms", None)
    return json.dumps(result, sort_keys=True)


def share(values, percent):
    """The smallest value that so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]

