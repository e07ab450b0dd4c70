"""Branches of a run as a reader plays them: from a page by its commands, and in the pages of `serve-report`."""

import contextlib
import json
import pathlib
import re
import shlex
import subprocess
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATCHLAB = ROOT / "build/release/scenarios/cli/watchlab"
LEVEL = "07-two_runs_at_once"  # about core as it is: no variant has to be built for it


class Wrong(Exception):
    """A branch is not what it should be. Says what."""


def want(fact, why):
    if not fact:
        raise Wrong(why)


def data_in(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


@contextlib.contextmanager
def served(*words):
    """Serves while the block runs; gives the address."""
    process = subprocess.Popen([*words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        found = re.match(r"open (http://127\.0\.0\.1:\d+)/ in a browser", line)
        want(found, f"serve-report begins with {line!r} {process.stderr.read() if not line else ''}")
        yield found[1]
    finally:
        process.terminate()
        process.wait()


def fetch(url, form=None):
    """The text of a page; where it led to is forgotten."""
    body = urllib.parse.urlencode(form).encode() if form else None
    with urllib.request.urlopen(url, body, timeout=60) as answer:
        return answer.read().decode()


def solution_of(scenario, schedule):
    """The decisions of a run whose answers are not the default ones: number, answer, steps before."""
    made = subprocess.run([WATCHLAB, "report", scenario, "--schedule", schedule, "-o", "-"], cwd=ROOT, capture_output=True,
                          text=True, check=True)
    choices = data_in(made.stdout)["choices"]
    return [(i, choice[3], choice[0]) for i, choice in enumerate(choices, 1) if choice[3] != 0]


def open_url(browser, url):
    before = browser.loaded
    browser.complaints, browser.asked_for = [], []
    browser.call("Page.navigate", url=url)
    while browser.loaded == before:
        browser.note(browser.message())


def click(browser, script):
    """Clicks what the script finds, and waits for the page that follows."""
    before = browser.loaded
    want(browser.evaluate(f"(() => {{ const each = {script}; each?.click(); return Boolean(each); }})()"),
         f"there is nothing to click: {script}")
    while browser.loaded == before:
        browser.note(browser.message())


def wants_clean(browser, where):
    strange = [url for url in browser.asked_for if not url.startswith(("http://127.0.0.1:", "file:", "data:"))]
    want(not browser.complaints and not strange, f"{where}: the console says {browser.complaints}, asked for {strange}")


def check_page_from_file(browser, folder):
    """The page lists alternatives, and the command that it gives plays the one that was clicked."""
    page, branch = folder / "missed_delete.html", folder / "branch.html"
    subprocess.run([WATCHLAB, "report", "missed_delete", "-o", page], cwd=ROOT, check=True, capture_output=True)
    browser.open(page)
    answers = "document.querySelectorAll('#branches .answer').length"
    while browser.evaluate(answers) == 0 and browser.evaluate("watchlab.place() < watchlab.places()"):
        browser.press("j")
    browser.press("b")
    want(browser.evaluate("document.activeElement.id") == "branches", "b does not lead to the alternatives")
    want(browser.evaluate(answers) > 0, "there is no alternative")
    browser.evaluate("document.querySelector('#branches .answer').click()")
    words = shlex.split(browser.evaluate("document.querySelector('#branches .command').textContent"))
    want(words[:2] == ["./watchlab", "branch"], f"the command is {words}")
    words[0], words[-1] = str(WATCHLAB), str(branch)
    played = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    want(played.returncode in (0, 1) and branch.is_file(), f"{shlex.join(words)} ends with {played.returncode}: {played.stderr}")
    before = data_in(page.read_text(encoding="utf-8"))
    after = data_in(branch.read_text(encoding="utf-8"))
    number, answer = map(int, words[words.index("--take") + 1].split("="))
    want(after["choices"][number - 1][3] == answer, "the branch does not take the alternative")
    want(after["choices"][:number - 1] == before["choices"][:number - 1], "the branch differs before its decision")
    wants_clean(browser, "the page from its file")


def check_served_page(browser, folder):
    with served(WATCHLAB, "serve-report", "missed_delete") as url:
        open_url(browser, url + "/")
        want(browser.evaluate("location.pathname") == "/run/0", "/ does not lead to the first run")
        browser.press("j")
        browser.press("l")
        browser.press("j")
        form = "document.querySelector('#branches form')"
        number, answer = json.loads(browser.evaluate(
            f"JSON.stringify([...{form}.querySelectorAll('input')].map((each) => Number(each.value)))"))
        task = browser.evaluate(f"{form}.querySelector('button').textContent")
        click(browser, form + ".querySelector('button')")
        want(browser.evaluate("location.pathname") == "/run/1", "a click does not lead to the branch")
        want(browser.evaluate(f"data.choices[{number - 1}][3]") == answer, "the page shows another branch")
        browser.press("j")
        now = browser.evaluate("data.tasks[player.item.task]")
        want(task.startswith(now), f"after the branch {now} runs, and not {task}")
        wants_clean(browser, "the page of a branch")
        schedule = browser.evaluate("data.schedule")
        want(fetch(url + "/run/1/schedule.txt").strip() == schedule, "another schedule is saved")
        saved = folder / "missed_delete.yaml"
        saved.write_text(fetch(url + "/run/1/scenario.yaml"), encoding="utf-8")
        again = subprocess.run([WATCHLAB, "digest", saved], cwd=ROOT, capture_output=True, text=True, check=False)
        want(browser.evaluate("data.digest") in again.stdout, f"what is saved plays another run: {again.stdout}{again.stderr}")
        click(browser, "document.querySelector('#session a[href^=\"/run/0\"]')")
        want(browser.evaluate("location.pathname") == "/run/0", "the first run is gone")
        for width in (1280, 400):
            browser.size(width, 800)
            want(browser.evaluate("document.documentElement.scrollWidth") <= width, f"at {width} px the page is wider")
        browser.size(1280, 800)


def check_level(browser, _):
    """A level is won by clicks on what its bug needs, and by those only."""
    scenario = ROOT / "scenarios/museum" / LEVEL.partition("-")[2]
    schedule = (scenario / "schedule.txt").read_text(encoding="utf-8").splitlines()[0]
    with served(WATCHLAB, "serve-report", LEVEL) as url:
        open_url(browser, url + "/")
        text = "document.getElementById('session').textContent"
        want("2 of 2 choices left" in browser.evaluate(text), "the level does not say what may be chosen")
        for number, answer, step in solution_of(scenario / "scenario.yaml", schedule):
            want("Won." not in browser.evaluate(text), "the level is won before it is broken")
            browser.evaluate(f"controls.setLevel('locks'); controls.goToStep({step})")
            click(browser, f"""[...document.querySelectorAll('#branches form')].find((each) =>
                each.elements.decision.value === '{number}' && each.elements.alternative.value === '{answer}')
                ?.querySelector('button')""")
        want("★ Won." in browser.evaluate(text), f"the level is not won: {browser.evaluate(text)}")
        wants_clean(browser, "the page of a level")


CHECKS = {"branch from a file": check_page_from_file, "branch in a served page": check_served_page, "level": check_level}


def check_all(browser, folder):
    """Prints a line each; returns how many are as they should be, and how many are not."""
    failed = 0
    for name, check in CHECKS.items():
        try:
            check(browser, folder)
            print(f"held  {name}", flush=True)
        except (Wrong, RuntimeError, OSError, subprocess.CalledProcessError) as wrong:
            failed += 1
            print(f"FAIL  {name}: {wrong}", flush=True)
    return len(CHECKS) - failed, failed
