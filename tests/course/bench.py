"""Measures what students and instructors wait for: ./dev bench course."""

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
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import course  # noqa: E402

EDITED = ("01t-store-tests", "04-fifo", "01-store")
BROKEN = "This is no C++.\n"
ENDLESS = ("#include <boost/test/unit_test.hpp>\n"
           "BOOST_AUTO_TEST_CASE(it_never_ends) { for (volatile int i = 0;; i = i + 1) {} }\n")


def identifier(slug):
    return "E" + slug.split("-")[0]


def tell(rows, as_json, **row):
    rows.append(row)
    if as_json:
        print(json.dumps(row), flush=True)
        return
    aim = f"   aim {row['aim']}" if "aim" in row else ""
    values = "   ".join(f"{name} {value:.2f} s" for name, value in row["seconds"].items())
    print(f"{row['name']:<24} {values}{aim}\n{'':<24} {row['what']}", flush=True)


def edit_to_verdict(place, edits):
    """The time of `check` after each edit, which takes the whole way: compile, run, tell."""
    times = {slug: [] for slug in EDITED}
    for slug in EDITED:
        words = ["--homework", str(place)]
        course.run(["start", identifier(slug), *words])
        file = place / slug / course.exercise(slug)[1]
        text = course.suite(slug, "solution")
        for i in range(edits + 1):
            file.write_text(f"{text}\n// Edit {i} of {edits}.\n")
            start = time.monotonic()
            course.run(["check", identifier(slug), *words])
            if i > 0:  # the first one builds the variants
                times[slug].append(time.monotonic() - start)
    return times


def first_check(place):
    """The time from the first `check` of a new bundle to its verdict; headers are compiled after it."""
    course.run(["bundle", "--out", str(place / "handout"), "E01t"])
    own = [str(place / "handout/watchlab-course")]
    subprocess.run([*own, "start", "E01t"], cwd=place, check=True, capture_output=True)
    start = time.monotonic()
    with subprocess.Popen([*own, "check", "E01t"], cwd=place, text=True, stdout=subprocess.PIPE) as checked:
        verdict = next((time.monotonic() for line in checked.stdout if "E01t: checked in " in line), None)
        if verdict is None:
            sys.exit("the first check of a bundle ends without a verdict")
        checked.stdout.read()
    return verdict - start, time.monotonic() - start


def grade_one(place, times_max):
    """One grading after the other on one core, compilation included."""
    slug = "01t-store-tests"
    course.hand_in(place / "one", slug, course.suite(slug, "solution"))
    core = min(os.sched_getaffinity(0))
    course.run(["grade", "E01t", "--submission", str(place / "one")])  # what is built once for all
    times = []
    for _ in range(times_max):
        start = time.monotonic()
        course.run(["grade", "E01t", "--submission", str(place / "one")],
                   preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        times.append(time.monotonic() - start)
    return times


def submissions(size):
    """A few distinct ones again and again, and two that are broken."""
    slug = "01t-store-tests"
    parts = re.split(r"(?=BOOST_AUTO_TEST_CASE)", course.suite(slug, "solution"))
    cut = ["".join(parts[:i] + parts[i + 1:]) for i in range(1, len(parts) - 1)]
    distinct = [course.suite(slug, name) for name in ("solution", "ported", "happy_path", "empty")]
    distinct += cut[:16]
    made = [distinct[i % len(distinct)] for i in range(size)]
    made[size // 3] = BROKEN
    made[size // 2] = ENDLESS
    return made, len(distinct)


def grade_cohort(place, size):
    made, distinct = submissions(size)
    for i, text in enumerate(made):
        course.hand_in(place / "cohort" / f"s{i:03}", "01t-store-tests", text)
    start = time.monotonic()
    ended = course.run(["grade", "E01t", "--cohort", str(place / "cohort"), "--jobs", "2",
                        "--out", str(place / "results"), "--cache", str(place / "cache")])
    took = time.monotonic() - start
    results = [json.loads(file.read_text()) for file in (place / "results").glob("*.json")]
    finished = sum(result["status"] == "finished" for result in results)
    if len(results) != size or finished != size - 1:
        sys.exit(f"{len(results)} of {size} have results, {finished} were run\n{ended.stdout}")
    return took, distinct


def whole_course(place):
    """The time to grade one student's solutions of all exercises, two at a time."""
    graded = []
    for folder in sorted((course.ROOT / "exercises").glob("*/exercise.yaml")):
        slug = folder.parent.name
        if "\ntask: tour" not in folder.read_text():
            to = place / "whole" / slug
            solution = folder.parent / "instructor/solution"
            shutil.copytree(solution if solution.is_dir() else folder.parent / "instructor", to)
            if "\ntask: predict" in folder.read_text():  # what is handed in there, the program writes
                course.run(["start", identifier(slug), "--homework", str(place / "predicted")])
                course.run(["predict", identifier(slug), "--homework", str(place / "predicted")],
                           input="1\nb\nAdded default/red\nadd default/red\n" * 20)  # one of each form
                shutil.copy(place / "predicted" / slug / "answers.yaml", to)
            graded.append((identifier(slug), to))

    def grade(one):
        return json.loads(course.run(["grade", one[0], "--submission", str(one[1])]).stdout)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(grade, graded))  # what is built once for all students
        start = time.monotonic()
        results = list(pool.map(grade, graded))
    took = time.monotonic() - start
    for (name, _), result in zip(graded, results):
        if result["status"] != "finished":
            sys.exit(f"{name} was not graded: {result['summary']}")
    return took, len(graded)


def main():
    words = argparse.ArgumentParser(prog="./dev bench course", description=__doc__)
    words.add_argument("--json", action="store_true", help="JSON lines")
    words.add_argument("--edits", type=int, default=8, help="of each of three exercises")
    words.add_argument("--gradings", type=int, default=12, help="of one submission")
    words.add_argument("--cohort", type=int, default=200, help="submissions")
    chosen = words.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="watchlab-bench-") as folder:
        os.chmod(folder, 0o711)
        place = pathlib.Path(folder)
        by_exercise = edit_to_verdict(place / "homework", chosen.edits)
        times = [each for own in by_exercise.values() for each in own]
        medians = ", ".join(f"{identifier(slug)} (p50 {course.share(own, 50):.2f} s)" for slug, own in by_exercise.items())
        tell(rows, chosen.json, name="edit to verdict", aim="p50 1.5 s",
             seconds={"p50": course.share(times, 50), "p95": course.share(times, 95),
                      "most": max(times)},
             what=f"{len(times)} edits of the solutions of {medians}")
        verdict, whole = first_check(place)
        tell(rows, chosen.json, name="first check", aim="8 s", seconds={"verdict": verdict, "end": whole},
             what="the first of E01t in a new bundle, where nothing is compiled yet; at its end headers are, for the next")
        times = grade_one(place, chosen.gradings)
        tell(rows, chosen.json, name="one submission", aim="p95 6 s",
             seconds={"p50": course.share(times, 50), "p95": course.share(times, 95),
                      "most": max(times)},
             what=f"{len(times)} gradings of the solution of E01t on one core: 2 correct variants, "
                  "12 defects, 3 seeds")
        took, count = whole_course(place)
        tell(rows, chosen.json, name="whole course", aim="180 s", seconds={"all": took},
             what=f"one student's solutions of {count} exercises, two at a time, compilation included")
        took, distinct = grade_cohort(place, chosen.cohort)
        tell(rows, chosen.json, name=f"cohort of {chosen.cohort}", seconds={"all": took},
             what=f"two at a time; {distinct} distinct ones again and again, each compiled once; one "
                  "that does not compile and one that never ends stopped nothing")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    main()
