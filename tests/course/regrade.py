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
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "durability"))
import course  # noqa: E402
from journal import Journal, Refused  # noqa: E402
from lane import Output, Stop  # noqa: E402

SLUG = "01t-store-tests"
SUITES = ("empty", "happy_path", "ported", "solution")


def grade(place, name, cache, stop):
    """The result as one line; nothing when a signal has ended the grader."""
    words = ["grade", "E01t", "--submission", str(place / name)]
    try:
        ended = course.run(words + (["--cache", str(cache)] if cache else []))
    except SystemExit:
        if stop.requested:
            return None
        raise
    return course.without_times(ended.stdout)


def regrade(place, call, cache, journal, stop, output):
    """How many results differ from the first of the same submission. Goes on after those of the journal."""
    kind = "without compiling" if cache else "from source to points"
    count = call.cached if cache else call.full
    known = [entry for entry in journal.entries if entry["kind"] == kind]
    first = {entry["name"]: entry["first"] for entry in known if "first" in entry}
    done = {entry["number"]: entry for entry in known if "number" in entry}
    start = time.monotonic()

    def once(name):
        if name not in first and not stop.requested:
            result = grade(place, name, cache, stop)
            if result is not None:
                first[name] = result
                journal.add({"kind": kind, "name": name, "first": result})

    def again(number):
        name = SUITES[number % len(SUITES)]
        if number in done or stop.requested:
            return
        result = grade(place, name, cache, stop)
        if result is not None:
            entry = {"kind": kind, "number": number, "name": name}
            if result != first[name]:
                entry["then"] = result
            done[number] = entry
            journal.add(entry)

    for name in SUITES:
        once(name)
    with concurrent.futures.ThreadPoolExecutor(call.jobs) as pool:
        list(pool.map(again, range(count)))
    different = [entry for entry in done.values() if "then" in entry]
    for entry in different:
        output.line(f"{entry['name']} was graded\n{first[entry['name']]}\nand then\n{entry['then']}")
    output.line(f"{len(done)} regrades {kind}: {len(done) - len(different)} identical, {len(different)} "
                f"different, {time.monotonic() - start:.0f} s")
    return len(different)


def main():
    words = argparse.ArgumentParser(prog="./dev regrade", description=__doc__)
    words.add_argument("--long", action="store_true", help="100 in full and 10,000 without compiling")
    words.add_argument("--full", type=int, help="so many from source to points; 10 if left out")
    words.add_argument("--cached", type=int, help="so many without compiling; 1,000 if left out")
    words.add_argument("--jobs", type=int, default=2, help="so many at a time")
    words.add_argument("--resume", metavar="FILE", help="goes on where a call with the same options stopped")
    call = words.parse_args()
    call.full = call.full if call.full is not None else 100 if call.long else 10
    call.cached = call.cached if call.cached is not None else 10_000 if call.long else 1_000
    try:
        journal = Journal("regrade", {"full": call.full, "cached": call.cached}, call.resume)
    except Refused as refused:
        print(f"regrade: {refused}", file=sys.stderr)
        sys.exit(2)
    stop, output = Stop(), Output("regrade")
    with tempfile.TemporaryDirectory(prefix="watchlab-regrade-") as folder:
        os.chmod(folder, 0o711)
        place = pathlib.Path(folder)
        for name in SUITES:
            course.hand_in(place / name, SLUG, course.suite(SLUG, name))
        different = regrade(place, call, None, journal, stop, output)
        different += regrade(place, call, place / "cache", journal, stop, output)
    if stop.requested:
        output.line(f"stopped; to go on:\n  ./dev regrade --full {call.full} --cached {call.cached} "
                    f"--jobs {call.jobs} --resume {journal.path}")
        sys.exit(output.status(130, journal.problem))
    output.line(f"{call.full + call.cached - different} passed, {different} failed")
    if not output.problem:
        journal.finish()
    sys.exit(output.status(1 if different else 0, journal.problem))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    main()
