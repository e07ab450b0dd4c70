#!/usr/bin/env python3
"""Uses the lab in Chromium as a reader does: lab_checks.py FOLDER [--axe FILE] [--pictures DIR] [--long].

FOLDER is what lab.py writes. What the page says is compared with what the program of build/release says. The last line is
`N passed, N failed`.
"""

import argparse
import contextlib
import functools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
# pylint: disable=wrong-import-position
from browser import Browser  # noqa: E402
from lab import course_of, has_tools, listed  # noqa: E402
from lab_course_checks import check_diagnosis, check_levels, check_piece, check_predictions, Missing, need  # noqa: E402
from lab_reader import native, PATIENCE, Reader, served, want, Wrong  # noqa: E402

LIVE = "two_runs_at_once"  # fails with core as it is, in some orders
HOSTILE = "name: hostile\nstory: |\n  <img src=x onerror=\"document.title='owned'\"></textarea><script>document.title='owned'</script>\n"


def check_stories(reader, every):
    """Stories have the digest that the program prints, one after another in one page."""
    stories = [each for each in listed("list") if not each["path"].startswith("scenarios/museum/")]
    reader.open()
    for story in stories[::every]:
        title = story["name"].rpartition("/")[2].replace("_", " ")
        reader.click("open-catalogue")
        reader.says(f"[...document.querySelectorAll('.entry')].find((each) => each.firstChild.textContent === {json.dumps(title)}).click()")
        reader.do("play")
        line = native("run", story["path"])
        said = reader.status()
        want(line["digest"] in said and said.startswith("✓" if line["held"] else "✕"), f"{story['name']}: {said!r}, and not {line}")
        reader.wait("document.querySelector('#page iframe')", "the step-through page")


def check_finding(reader):
    """A failing story is explored, shrunk and explained, with the schedules of the program."""
    path = f"scenarios/museum/{LIVE}/scenario.yaml"
    reader.open(f"?story={LIVE}")
    reader.put("schedule", "")
    reader.do("explore")
    found = native("explore", path, "--strategy", "random", "--seed", "1", "--schedules", "2000")
    schedule = "document.getElementById('schedule').value"
    want(reader.says(schedule) == found["schedule"], f"explore finds {reader.says(schedule)}, and not {found['schedule']}")
    want(found["sentence"] in reader.status(), reader.status())
    want("step" in reader.says("document.querySelector('#outcome li strong').textContent"), "no step is named")
    reader.do("shrink")
    shrunk = native("shrink", path, "--schedule", found["schedule"])
    want(reader.says(schedule) == shrunk["schedule"], f"shrink finds {reader.says(schedule)}, and not {shrunk['schedule']}")
    reader.do("explain")
    explained = native("explain", path, "--schedule", shrunk["schedule"])["explanation"]
    want(reader.says("document.querySelector('#outcome pre').textContent") == explained, "the explanation is another one")
    want(reader.tried() == 2, f"{reader.tried()} runs are listed")


def check_branch(reader):
    """A click on another decision in the step-through page plays it at once, and a button goes back."""
    reader.open("?story=missed_delete")
    reader.do("play")
    reader.wait("document.querySelector('#page iframe')")
    took = reader.take()
    wanted = native("branch", "missed_delete", "--take", took)
    want(reader.says("document.getElementById('schedule').value") == wanted["schedule"], f"decision {took} leads to another schedule")
    reader.click("undo")
    want(reader.says("document.getElementById('schedule').value") == "", "undo does not go back to the first run")


def check_stop(reader):
    """Stop ends an exploration at once, and then all goes on."""
    reader.open("?story=missed_delete")
    reader.put("schedules", "9000000")
    reader.click("explore")
    reader.wait("/[1-9]\\d* per second/.test(document.getElementById('status').textContent)", "a rate")
    reader.click("stop")
    reader.wait("document.getElementById('stop').disabled")
    want("Stopped after" in reader.status(), reader.status())
    reader.put("schedules", "9000000")
    reader.says("document.getElementById('strategy').value = 'dfs'")
    reader.wait("!document.getElementById('explore').disabled")
    reader.click("explore")
    time.sleep(0.3)
    reader.click("stop")
    reader.wait("!document.getElementById('play').disabled", "the engine after Stop")
    reader.do("play")
    want(native("run", "missed_delete")["digest"] in reader.status(), reader.status())


def check_link(reader):
    """A link holds story and schedule; what it brings is text, and runs only when the reader says so."""
    reader.open(f"?story={LIVE}")
    reader.do("play")
    text, schedule = reader.text(), reader.says("document.getElementById('schedule').value")
    want(schedule.startswith("w1:"), "the piece has no schedule")
    reader.says("document.getElementById('share').click()")
    reader.wait("location.hash.length > 10", "the link")
    link = reader.says("location.hash")
    reader.open(link)
    want(reader.text() == text and reader.says("document.getElementById('schedule').value") == schedule, "the link brings another story")
    time.sleep(0.5)
    want(reader.tried() == 0 and reader.says("document.querySelector('iframe') === null"), "it runs before the reader says so")
    reader.do("play")
    want(reader.status().startswith("✕"), reader.status())
    reader.type(HOSTILE)
    reader.says("document.getElementById('share').click()")
    reader.wait(f"location.hash !== {json.dumps(link)}")
    reader.open(reader.says("location.hash"))
    want("onerror" in reader.text(), "the text of a link is changed")
    reader.do("play")
    want(reader.says("document.title") != "owned" and reader.says("document.querySelectorAll('img').length") == 0, "markup of a link is used")
    reader.open("#z=AAAA")
    want("damaged" in reader.says("document.getElementById('notice').textContent"), "a damaged link is taken")


def check_editor(reader):
    """The editor marks what is wrong, offers what may stand there, and keeps what is written."""
    reader.open("?story=missed_delete")
    reader.type("apiVersion: watchlab/v1\nname: mine\nstory: |\n  Mine.\nsrever:\n  objects: [demo]\n")
    reader.wait("document.querySelector('.cm-lintRange-error')", "the mark")
    want(reader.says("document.querySelector('.cm-lintRange-error').textContent") == "srever", "the mark stands elsewhere")
    want("mine.yaml:5:1" in reader.says("document.getElementById('wrong').textContent"), "the error is not in words")
    reader.type("apiVersion: watchlab/v1\nname: mine\nstory: |\n  Mine.\nexplore: {strategy: ")
    reader.browser.call("Input.insertText", text="p")
    reader.wait("document.querySelector('.cm-tooltip-autocomplete')", "a completion")
    offered = reader.says("document.querySelector('.cm-tooltip-autocomplete').innerText")
    want("pct" in offered and "name" not in offered, f"offered is {offered!r}")
    reader.open()
    want("strategy" in reader.text(), "what was written is gone after the page is opened again")


def check_saved(reader):
    """Story, schedule, page and JUnit are saved as files."""
    reader.open(f"?story={LIVE}")
    reader.do("play")
    schedule = reader.says("document.getElementById('schedule').value")
    with tempfile.TemporaryDirectory() as folder:
        reader.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        wanted = {f"{LIVE}.yaml": "program: run_an_informer_twice", f"{LIVE}.schedule.txt": schedule, f"{LIVE}.html": 'id="data"',
                  f"{LIVE}.xml": "<failure"}
        for number, name in enumerate(("save-story", "save-schedule", "save-page", "save-junit"), 1):
            reader.click(name)
            until = time.monotonic() + PATIENCE
            while len([each for each in pathlib.Path(folder).iterdir() if each.name in wanted]) < number:
                want(time.monotonic() < until, f"{name} saves nothing")
                time.sleep(0.05)
                reader.says("0")
            reader.done()
        for name, part in wanted.items():
            want(part in (pathlib.Path(folder) / name).read_text(encoding="utf-8"), f"{name} has no {part!r}")


def open_state(reader, state):
    """Goes to a part of the page. Whether this engine has it."""
    if state in ("exercise", "level"):
        if not reader.says("document.getElementById('course').open"):
            return False
        reader.says("[...document.querySelectorAll('#course .entry:enabled')].at(-1).click()")
        reader.done()
        return True
    button = {"list": "open-catalogue", "levels": "open-levels", "exercises": "open-exercises"}.get(state)
    if button:
        reader.says("document.querySelectorAll('dialog[open]').forEach((each) => each.close())")
        if reader.says(f"document.getElementById('{button}').hidden"):
            return False
        reader.says(f"document.getElementById('{button}').click()")
    return True


def check_reading(reader, axe, pictures):
    """No horizontal scroll at 360 pixels, nothing serious for axe-core, light and dark, in both languages."""
    for width, scheme, tongue in ((1280, "light", "en"), (1280, "dark", "zh"), (360, "dark", "en"), (360, "light", "zh")):
        reader.browser.size(width, 800)
        reader.browser.scheme(scheme)
        reader.open(f"?story={LIVE}")
        reader.put("language", tongue)
        reader.says("document.getElementById('language').dispatchEvent(new Event('change'))")
        want(reader.says("[...document.querySelectorAll('[data-word]')].every((each) => each.textContent)"), "words are missing")
        reader.do("play")
        reader.do("explain")
        for state in ("run", "list", "exercises", "exercise", "levels", "level"):
            if not open_state(reader, state):
                continue
            wide = reader.says("document.documentElement.scrollWidth")
            want(wide <= width, f"{width} px, {tongue}, {state}: {wide} px wide")
            if pictures:
                reader.browser.picture(pictures / f"lab-{width}-{scheme}-{tongue}-{state}.png")
            if axe:
                reader.says(axe.read_text(encoding="utf-8") + ";0")
                found = reader.says("axe.run(document, {iframes: false}).then(({violations}) => violations.filter(({impact}) => "
                                    "['serious', 'critical'].includes(impact)).map(({id, nodes}) => `${id}: ${nodes[0].html}`))")
                want(not found, f"{width} px, {scheme}, {state}: {found}")
    reader.browser.size(1280, 800)
    reader.browser.scheme("light")


def check_offline(reader, close, folder):
    """Once the page has been there it works without a network, and so does a level that was opened."""
    reader.open("?story=missed_delete")
    reader.says("navigator.serviceWorker.ready.then(() => true)")
    levels = [each["name"] for each in course_of(folder)["levels"] if each["isThere"]]
    pages = ["?story=missed_delete", *(f"?level={name}" for name in levels[:1])]
    for online in (True, False):
        for page in pages:
            reader.open(page)
            if "level" in page:
                reader.wait("document.getElementById('level-state')", "the level")
            else:
                reader.do("play")
                want(native("run", "missed_delete")["digest"] in reader.status(), reader.status())
        if online:
            close()


def check_firefox(reader):
    """Firefox plays a story with the same digest; where it may not suspend WebAssembly, it says so and shows the stories."""
    program, tools = shutil.which("firefox-esr") or shutil.which("firefox"), ROOT / "build/firefox"
    need(program and has_tools(tools, ["puppeteer-core@25.16.0"]), "no Firefox, or no puppeteer-core from npm")
    done = subprocess.run(["node", ROOT / "tests/site/lab_firefox.mjs", reader.place, program, "missed_delete"], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    want(done.returncode == 0, done.stderr)
    seen = json.loads(done.stdout)
    said = seen["plays"]["said"]
    want(said is None or native("run", "missed_delete")["digest"] in said, said)
    want("(JSPI)" in seen["reads"]["said"] and "still read" in seen["reads"]["said"], seen["reads"]["said"])
    want(seen["reads"]["stories"] > 100 and "name: missed_delete" in seen["reads"]["text"], f"without the engine: {seen['reads']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--long", action="store_true", help="all stories")
    call = parser.parse_args()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        print("skipped: there is no Chromium\n0 passed, 0 failed")
        return 0
    passed = failed = 0
    with contextlib.ExitStack() as end:
        serving = end.enter_context(contextlib.ExitStack())
        browser = Browser(program)
        end.callback(browser.close)
        reader = Reader(browser, serving.enter_context(served(call.folder)))
        browser.size(1280, 800)
        for check in (functools.partial(check_stories, every=1 if call.long else 12), check_finding, check_branch, check_stop, check_link,
                      check_editor, check_saved, functools.partial(check_levels, folder=call.folder, every=1 if call.long else 5),
                      *(functools.partial(check, folder=call.folder) for check in (check_predictions, check_diagnosis, check_piece)),
                      functools.partial(check_reading, axe=call.axe, pictures=call.pictures), check_firefox,
                      functools.partial(check_offline, close=serving.close, folder=call.folder)):
            name = getattr(check, "func", check).__doc__
            try:
                check(reader)
                want(not browser.complaints or "offline" in str(check), f"the console says {browser.complaints}")
                print(f"held  {name}", flush=True)
                passed += 1
            except Missing as missing:
                print(f"skipped, there is {missing}", flush=True)
            except (Wrong, RuntimeError, TimeoutError) as wrong:
                print(f"FAIL  {name}\n      {wrong}", flush=True)
                if not isinstance(wrong, Wrong):
                    traceback.print_exc()
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
