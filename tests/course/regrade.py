"""Grades the same submissions again and again, and wants the same results: ./watchlab regrade."""

import argparse
import concurrent.futures
import os
import pathlib
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import course  # noqa: E402

SLUG = "01t-store-tests"
SUITES = ("empty", "happy_path", "ported", "solution")


def grade(place, name, cache):
    words = ["grade", "E01t", "--submission", str(place / name)]
    return course.without_times(course.run(words + (["--cache", str(cache)] if cache else [])).stdout)


def regrade(place, count, cache, jobs):
    """How many results differ from the first of the same submission."""
    first = {name: grade(place, name, cache) for name in SUITES}
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        names = [SUITES[i % len(SUITES)] for i in range(count)]
        results = pool.map(lambda name: (name, grade(place, name, cache)), names)
        different = 0
        for name, result in results:
            if result != first[name]:
                different += 1
                print(f"{name} was graded\n{first[name]}\nand then\n{result}")
    print(f"{count} regrades {'without compiling' if cache else 'from source to points'}: "
          f"{count - different} identical, {different} different, {time.monotonic() - start:.0f} s",
          flush=True)
    return different


def main():
    words = argparse.ArgumentParser(prog="./watchlab regrade", description=__doc__)
    words.add_argument("--long", action="store_true", help="100 in full and 10,000 without compiling")
    words.add_argument("--full", type=int, help="so many from source to points; 10 if left out")
    words.add_argument("--cached", type=int, help="so many without compiling; 1,000 if left out")
    words.add_argument("--jobs", type=int, default=2, help="so many at a time")
    chosen = words.parse_args()
    full = chosen.full if chosen.full is not None else 100 if chosen.long else 10
    cached = chosen.cached if chosen.cached is not None else 10_000 if chosen.long else 1_000
    with tempfile.TemporaryDirectory(prefix="watchlab-regrade-") as folder:
        os.chmod(folder, 0o711)
        place = pathlib.Path(folder)
        for name in SUITES:
            course.hand_in(place / name, SLUG, course.suite(SLUG, name))
        different = regrade(place, full, None, chosen.jobs)
        different += regrade(place, cached, place / "cache", chosen.jobs)
    print(f"{full + cached - different} passed, {different} failed")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    main()
