#!/usr/bin/env python3
"""Opens pages of `watchlab report` in Chromium and uses them as a reader does.

    tests/report/pages.py [--pictures FOLDER] [--axe axe.js] [PAGE...]

Each page is loaded from its file, stepped through to the end and back by keys, and its state compared at each
place with what the data say; then the keys, the filters, the widths and the contrasts; two runs side by side,
questions, and names that would be markup. A PAGE is one of those below, a story, or FILE.html. Without Chromium
there is one line that says so. The last line is `N passed, N failed`. Exit 0 if nothing failed.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import branching
from browser import Browser
from checks import (Wrong, check_axe, check_differences, check_ends, check_filters, check_first_difference, check_focus,
                    check_keys, check_left_out, check_looks, check_names, check_not_in_the_list, check_questions, check_speed,
                    check_small_steps, check_steps, check_stuck, check_why, height, want)
from reading import (check_arrows, check_asked_again, check_defect, check_first_level, check_hidden_watches, check_names_of_runs, check_one_row, check_only_expected, check_phone,
                     check_tasks, check_turns_first, check_verdict, check_watching)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATCHLAB = ROOT / "build/release/scenarios/cli/watchlab"
HOSTILE = """apiVersion: watchlab/v1
name: hostile
story: "A story with <script>document.title='broken'</script> in its text."
clients: [{name: informer, kind: informer}]
script:
  - create: {name: demo, data: {color: "<img src=x onerror=alert(1)>", note: "</script><script>alert(2)</script>"}}
expect: [{store: {exactly: []}}]
"""
CHECKS = [check_steps, check_keys, check_filters, check_looks, check_one_row, check_phone]
# What is opened: the arguments of `report`, and what is checked of the page.
PAGES = {
    "missed_delete": (["missed_delete"], [*CHECKS, check_focus, check_tasks, check_asked_again, check_names]),
    "slow_handler": (["slow_handler"], CHECKS),
    "pod_runs_on_two_nodes": (["pod_runs_on_two_nodes"], CHECKS),
    "list_refused_by_the_store": (["list_refused_by_the_store"], CHECKS),
    "fan_out_deadlock": (["scenarios/museum/fan_out_deadlock/scenario.yaml", "--schedule",
                          "@scenarios/museum/fan_out_deadlock/schedule.txt"], [*CHECKS, check_stuck, check_arrows, check_tasks, check_turns_first]),
    "two_machines": (["list_of_existing", "--machine", "classic,0.33"], [check_differences, check_looks]),
    "first_steps": (["exercises/00-tour/scenarios/first_steps.yaml"], [check_hidden_watches, check_questions, check_looks]),
    "quiet": (["exercises/07-resync/scenarios/quiet.yaml"], [check_questions]),
    "hostile": (["hostile.yaml"], CHECKS),
    "recreated_object_lost": (["recreated_object_lost"], [check_why, check_left_out, check_turns_first, check_verdict, check_defect, check_looks]),
    "lost_and_fixed": (["recreated_object_lost", "--with", "fixed"], [check_one_row, check_differences, check_first_difference, check_names_of_runs,
                                                                  check_looks]),
    "ghost_after_relist": (["ghost_after_relist"], [check_not_in_the_list]),
    "close_misses_a_sleeper": (["close_misses_a_sleeper"], [check_first_level]),
    "modern": (["missed_delete", "--machine", "modern"], [check_watching]),
    "classic_and_modern": (["missed_delete", "--machine", "classic,modern"], [check_differences, check_only_expected]),
    "duplicates_from_a_stale_store": (["duplicates_from_a_stale_store"], [check_speed, check_small_steps, check_looks]),
}
SIZES = ROOT / "tests/report/sizes.txt"  # of six of these pages: how high they are, 1280 and 400 pixels wide
SIZED = ["missed_delete", "slow_handler", "pod_runs_on_two_nodes", "fan_out_deadlock", "two_machines", "first_steps"]
VARIANTS = {"recreated_object_lost", "lost_and_fixed", "ghost_after_relist", "close_misses_a_sleeper"}  # played by the launcher, in the broken variant
# Of these the page alone has to say which two steps make the bug.
DECIDED = {"recreated_object_lost", "resync_in_two_steps", "fan_out_deadlock", "synced_but_not_told"}
TOLERANCE = 0.15  # fonts differ between machines


def everything():
    """The names of all scenarios and of all pieces of the museum."""
    listed = [json.loads(line) for words in (["list"], ["museum", "list"])
              for line in subprocess.run([WATCHLAB, *words, "--json"], cwd=ROOT, capture_output=True, text=True,
                                         check=True).stdout.splitlines()]
    pieces = [each["slug"] for each in listed if "slug" in each and not each["in_go"]]
    return [each["name"] for each in listed if "slug" not in each and each["name"] not in pieces], pieces


def page_for(name, folder, is_variant):
    path = folder / f"{pathlib.Path(name).name}.html"
    arguments = PAGES[name][0] if name in PAGES else [name]
    arguments = [folder / each if each == "hostile.yaml" else each for each in arguments]
    made = subprocess.run([ROOT / "watchlab" if is_variant else WATCHLAB, "report", *arguments, "-o", path], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    want(made.returncode == 0, f"report {name} ends with {made.returncode}: {made.stderr.strip()}")
    return path


def check(browser, path, checks, call):
    browser.size(1280, 800)
    browser.open(path)
    want(browser.evaluate("document.title").endswith("watchlab"), "the title is wrong")
    if call.axe:
        check_axe(browser, call.axe.read_text(encoding="utf-8"))
    for each in checks:
        each(browser, path)
    want(not browser.asked_for, f"the page asks for {browser.asked_for}")
    want(not browser.complaints, f"the console says {browser.complaints}")
    if call.pictures:
        for width in (1280, 400):
            browser.size(width, 800 if width == 1280 else 1400)
            browser.picture(call.pictures / f"{path.stem}-{width}.png")


def check_size(browser, path, known, sizes):
    """The page is about as high as when its screenshots were looked at."""
    browser.open(path)
    browser.size(1280, 800)
    sizes[path.stem] = [height(browser, 1280), height(browser, 400)]
    for found, kept in zip(sizes[path.stem], known.get(path.stem, [])):
        want(abs(found - kept) <= TOLERANCE * kept or os.environ.get("WATCHLAB_REFRESH"),
             f"the page is {found} px high instead of about {kept}; look at it, then WATCHLAB_REFRESH=1")


def known_sizes():
    lines = SIZES.read_text(encoding="utf-8").splitlines() if SIZES.exists() else []
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: [int(wide), int(narrow)] for name, wide, narrow in rows}


def part_named(text):
    """The two numbers of 2/4."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text} is no part; expected one such as 2/4")
    return int(found[1]), int(found[2])


class Lane:
    """Opens the pages of a call, in two browsers at a time, while others are still being made."""

    def __init__(self, call, pieces, folder):
        self.call, self.pieces, self.folder = call, pieces, folder
        self.known, self.sizes = known_sizes(), {}
        self.passed = self.failed = self.left = 0
        self.counting = threading.Lock()

    def run(self, program):
        stories = self.call.stories or list(PAGES)
        timed = [story for story in stories if check_speed in self.checks(story)]
        others = [story for story in stories if story not in timed]
        browsers = [Browser(program) for _ in range(min(2, max(1, len(others))))]
        try:
            # Variants of bugs may have to be built: meanwhile other pages are made and opened.
            with (concurrent.futures.ThreadPoolExecutor(1) as slow, concurrent.futures.ThreadPoolExecutor(1) as quick):
                made = {story: (slow if story in self.pieces else quick).submit(self.page, story) for story in stories}
                self.open_all(browsers, {story: made[story] for story in others})
                self.open_all(browsers[:1], {story: made[story] for story in timed})
            if not self.call.stories:
                branched, not_branched = branching.check_all(browsers[0], self.folder)
                self.passed, self.failed = self.passed + branched, self.failed + not_branched
        finally:
            for browser in browsers:
                browser.close()

    def open_all(self, browsers, made):
        """Opens pages as soon as they are there: each browser takes the next one."""
        ready = queue.SimpleQueue()
        for story, page in made.items():
            page.add_done_callback(lambda _, story=story: ready.put(story))

        def open_some(browser):
            left = True
            while left:
                with self.counting:
                    left, self.left = self.left > 0, self.left - 1
                if left:
                    story = ready.get()
                    self.open(browser, story, made[story])

        self.left = len(made)
        with concurrent.futures.ThreadPoolExecutor(len(browsers)) as openers:
            for opened in [openers.submit(open_some, browser) for browser in browsers]:
                opened.result()

    def checks(self, story):
        if self.call.long:
            return [check_ends, *([check_why] if story in DECIDED else [])]
        return PAGES[story][1] if story in PAGES else CHECKS

    def page(self, story):
        return pathlib.Path(story) if story.endswith(".html") else page_for(story, self.folder, story in self.pieces)

    def open(self, browser, story, page):
        name = pathlib.Path(story).name
        try:
            check(browser, page.result(), self.checks(story), self.call)
            if story in SIZED and not self.call.long:
                check_size(browser, page.result(), self.known, self.sizes)
            wrong = None
        except (Wrong, RuntimeError) as failure:
            wrong = failure
        with self.counting:
            self.passed, self.failed = self.passed + (wrong is None), self.failed + (wrong is not None)
            print(f"FAIL  {name}: {wrong}" if wrong else f"held  {name}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=pathlib.Path, help="puts screenshots there")
    parser.add_argument("--axe", type=pathlib.Path, help="the script of axe-core")
    parser.add_argument("--long", action="store_true", help="every scenario and every bug of the museum, to its end and back")
    parser.add_argument("--part", type=part_named, default=(1, 1), metavar="K/N", help="of --long: only this part of so many")
    parser.add_argument("stories", nargs="*")
    call = parser.parse_args()
    pieces = set(VARIANTS)
    if call.long:
        scenarios, bugs = everything()
        number, parts = call.part
        call.stories, pieces = [*scenarios, *bugs][number - 1::parts], set(bugs)
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        print("skipped: there is no Chromium; apt-get install chromium")
        print("0 passed, 0 failed")
        return 0
    with tempfile.TemporaryDirectory(prefix="watchlab-pages-") as place:
        os.environ["XDG_STATE_HOME"] = str(pathlib.Path(place, "state"))  # no failure of before
        lane = Lane(call, pieces, pathlib.Path(place))
        (lane.folder / "hostile.yaml").write_text(HOSTILE, encoding="utf-8")
        lane.run(program)
    if os.environ.get("WATCHLAB_REFRESH") and not call.stories:
        SIZES.write_text("# Heights of pages in the middle of their stories, 1280 and 400 pixels wide, when they were looked at.\n" +
                         "".join(f"{name} {wide} {narrow}\n" for name, (wide, narrow) in lane.sizes.items()),
                         encoding="utf-8")
    print(f"{lane.passed} passed, {lane.failed} failed")
    return 1 if lane.failed else 0


if __name__ == "__main__":
    sys.exit(main())
