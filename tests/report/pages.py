#!/usr/bin/env python3
"""Opens pages of `watchlab report` in Chromium and uses them as a reader does.

    tests/report/pages.py [--pictures FOLDER] [STORY...]

Each page is loaded from its file, stepped through to the end and back by keys, and its state compared at each
place with what the data say; then the keys, the filters, the widths and the contrasts. Without Chromium
there is one line that says so. The last line is `N passed, N failed`. Exit 0 if nothing failed.
"""

import argparse
import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATCHLAB = ROOT / "build/release/scenarios/cli/watchlab"
STORIES = ["missed_delete", "slow_handler", "pod_runs_on_two_nodes", "list_refused_by_the_store"]
LONG = "duplicates_from_a_stale_store"
HOSTILE = """apiVersion: watchlab/v1
name: hostile
story: "A story with <script>document.title='broken'</script> in its text."
clients: [{name: informer, kind: informer}]
script:
  - create: {name: demo, data: {color: "<img src=x onerror=alert(1)>", note: "</script><script>alert(2)</script>"}}
expect: [{store: {exactly: []}}]
"""
CONTRAST = """(() => {
  const light = (rgb) => rgb.map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const found = new Set();
  for (const each of document.querySelectorAll('body *')) {
    const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !each.checkVisibility() || each.disabled || each.closest('option, script, style, dialog')) continue;
    let ground = each;
    while (ground && (parts(getComputedStyle(ground).backgroundColor)[3] ?? 1) === 0) ground = ground.parentElement;
    const back = light(parts(ground ? getComputedStyle(ground).backgroundColor : 'rgb(255,255,255)').slice(0, 3));
    const front = light(parts(getComputedStyle(each).color).slice(0, 3));
    const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
    if (ratio < 4.5) found.add(`${each.tagName}.${each.className} ${ratio.toFixed(2)}`);
  }
  return [...found];
})()"""
NAMELESS = """[...document.querySelectorAll('button, select, input')].filter((each) => each.checkVisibility() &&
  !(each.getAttribute('aria-label') || each.textContent.trim() || each.closest('label'))).map((each) => each.outerHTML)"""


class Wrong(Exception):
    """The page does not do what it should. Says what."""


def want(fact, why):
    if not fact:
        raise Wrong(why)


def data_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


def put(state, patch):
    *names, last, value = patch
    for name in names:
        if not isinstance(state.get(name), dict):
            state[name] = {}
        state = state[name]
    if value is None:
        state.pop(last, None)
    else:
        state[last] = copy.deepcopy(value)


def states_of(data):
    """The state at the start and after each event, with all steps up to there."""
    state, events = copy.deepcopy(data["base"]), list(data["events"])
    first, last = data["window"]["first"], data["window"]["last"]
    states = [copy.deepcopy(state)]
    for step in range(first - 1, last + 1):
        for patch in data["task_patches"].get(str(step), []) if step >= first else []:
            put(state, patch)
        while events and events[0][0] <= step:
            for patch in events.pop(0)[7]:
                put(state, patch)
            states.append(copy.deepcopy(state))
    return states


def now(browser):
    return json.loads(browser.evaluate("JSON.stringify(watchlab.state())"))


def check_steps(browser, path):
    """By keys to the end and back: the state is everywhere what the data say."""
    data = data_of(path)
    ended = sum(1 for event in data["events"] if event[0] <= data["window"]["end"])
    browser.evaluate("controls.setLevel('story')")  # a program's page begins with its locks
    states = states_of(data)[:ended + 1]  # the end of the clients is not a part of the story
    want(now(browser) == states[0], "the page does not begin with the base")
    for i, state in enumerate(states[1:], 1):
        browser.press("j" if i % 2 else "ArrowRight")
        want(now(browser) == state, f"after event {i} the state is another one than the data say")
    browser.press("j")
    for i in range(len(states) - 1, 0, -1):
        browser.press("k" if i % 2 else "ArrowLeft")
        want(now(browser) == states[i - 1], f"back before event {i} the state is another one than on the way there")
    browser.press("End")
    end = now(browser)
    browser.press("Home")
    want(now(browser) == states[0], "back at the start the state is another one than at first")
    browser.press("End")
    want(now(browser) == end, "the end is another one the second time")


def check_keys(browser, path):
    data = data_of(path)
    place = "watchlab.place()"
    browser.evaluate("controls.setLevel('story')")
    browser.press("Home")
    browser.press("l")
    browser.press("j")
    browser.press("j")
    want(browser.evaluate(place) == 2, "locks level does not stop at each operation")
    want(browser.evaluate("document.querySelectorAll('#tasks tbody tr').length > 0"), "no task is shown")
    browser.press("l")
    if any(event[3] == "clauses" for event in data["events"]):
        browser.press("v")
        want(data["failure"]["kind"] in browser.evaluate("document.getElementById('narration').textContent"),
             "v does not lead to the violation")
    browser.press("Home")
    if any(event[3] == "queue" for event in data["events"]):
        browser.evaluate("document.getElementById('lane').value = 'queue'")
        browser.press("]")
        want("queue" in browser.evaluate("document.getElementById('where').textContent"), "] does not find the lane")
    task = browser.evaluate("player.item ? player.item.task : -1")
    browser.press("n")
    want(browser.evaluate("player.item ? player.item.task : -1") == task, "n leaves the task")
    browser.press("/")
    browser.evaluate("document.getElementById('search').value = 'server writes'")
    browser.press("Enter")
    found = browser.evaluate("document.getElementById('narration').textContent")
    want(not any(event[3] == "server" for event in data["events"]) or "The server writes" in found,
         "the search finds nothing")
    browser.press("Escape")
    browser.press("?")
    want(browser.evaluate("document.getElementById('help').open"), "? shows no help")
    browser.press("Escape")
    want(not browser.evaluate("document.getElementById('help').open"), "Escape does not close the help")


def check_filters(browser, path):
    data = data_of(path)
    if not data["keys"]:
        return
    key = len(data["keys"]) - 1
    browser.press("Home")
    count = """(() => { let n = 0; controls.goTo(0); while (controls.move(1)) ++n; return n; })()"""
    everything = browser.evaluate(count)
    browser.evaluate(f"choice.key = {key}; choice.only = true; show()")
    some = browser.evaluate(count)
    events = [event for event in data["events"] if event[0] <= data["window"]["end"]]
    wanted = sum(1 for event in events if key in event[5] or event[3] in ("faults", "story", "clauses"))
    want(some == wanted and everything == len(events),
         f"the filter shows {some} of {everything} events instead of {wanted} of {len(events)}")
    browser.evaluate("choice.only = false; show()")


def check_looks(browser, _):
    middle = browser.evaluate("player.items.findIndex((item) => item.lane === 'queue') + 1")
    for place in ("Home", "End", "middle"):
        if place == "middle":
            browser.evaluate(f"controls.goTo({middle})")
        else:
            browser.press(place)
        for width in (1280, 400):
            browser.size(width, 800)
            wide = browser.evaluate("document.documentElement.scrollWidth")
            want(wide <= width, f"at {width} px the page is {wide} px wide")
        want("[object" not in browser.evaluate("document.body.innerText"), "an object stands there as a text")
        faint = browser.evaluate(CONTRAST)
        want(not faint, f"too little contrast: {faint}")
    want(not browser.evaluate(NAMELESS), f"without a name: {browser.evaluate(NAMELESS)}")
    browser.size(1280, 800)


def check_speed(browser, path):
    """Of a page of 5,000 steps: the first paint, and how long a step takes."""
    paint = browser.evaluate("""new Promise((done) => requestAnimationFrame(() => setTimeout(() =>
      done(performance.getEntriesByType('paint').map((each) => each.startTime).at(-1)), 200)))""")
    want(paint is not None, "nothing is painted")
    median = browser.evaluate("""(() => { const times = []; controls.goTo(0);
      for (let i = 0; i < 400; ++i) { const begun = performance.now(); if (!controls.move(1)) break;
        void document.body.offsetHeight; times.push(performance.now() - begun); }
      return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]; })()""")
    size = path.stat().st_size
    print(f"      {size / 1e6:.2f} MB, first paint after {paint:.0f} ms, a step {median:.1f} ms")
    want(size <= 2_000_000, f"the page has {size} bytes")
    want(paint <= 5000 and median <= 100, "far too slow")


CHECKS = [check_steps, check_keys, check_filters, check_looks]


def page_for(story, folder):
    path = folder / (pathlib.Path(story).stem + ".html")
    made = subprocess.run([WATCHLAB, "report", story, "-o", path], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    want(made.returncode == 0, f"report {story} ends with {made.returncode}: {made.stderr.strip()}")
    return path


def check(browser, path, checks, pictures):
    browser.size(1280, 800)
    browser.open(path)
    want(browser.evaluate("document.title").endswith("watchlab"), "the title is wrong")
    for each in checks:
        each(browser, path)
    want(not browser.asked_for, f"the page asks for {browser.asked_for}")
    want(not browser.complaints, f"the console says {browser.complaints}")
    if pictures:
        for width in (1280, 400):
            browser.size(width, 800 if width == 1280 else 1400)
            browser.picture(pictures / f"{path.stem}-{width}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=pathlib.Path, help="puts screenshots there")
    parser.add_argument("stories", nargs="*")
    call = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        print("skipped: there is no Chromium; apt-get install chromium")
        print("0 passed, 0 failed")
        return 0
    failed = passed = 0
    with tempfile.TemporaryDirectory(prefix="watchlab-pages-") as place:
        folder = pathlib.Path(place)
        hostile = folder / "hostile.yaml"
        hostile.write_text(HOSTILE, encoding="utf-8")
        browser = Browser(program)
        try:
            for story in call.stories or [*STORIES, str(hostile), LONG]:
                try:
                    checks = [check_speed, check_looks] if story == LONG else CHECKS
                    path = pathlib.Path(story) if story.endswith(".html") else page_for(story, folder)
                    check(browser, path, checks, call.pictures)
                    passed += 1
                    print(f"held  {pathlib.Path(story).name}", flush=True)
                except Wrong as wrong:
                    failed += 1
                    print(f"FAIL  {pathlib.Path(story).name}: {wrong}", flush=True)
        finally:
            browser.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
