"""What a reader must not take for something else on a page of `watchlab report`: a function a claim."""

import json
import re

from checks import data_of, want

LINES_OF_WORDS = """[...document.querySelectorAll('CELLS')].flatMap((cell) => {
  const found = [];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const {0: word, index} of walker.currentNode.data.matchAll(/[a-z]+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if (range.getClientRects().length > 1) found.push(word);
    }
  }
  return found;
})"""


def words_broken_in(browser, cells):
    """The words in those elements that stand on more than one line."""
    return browser.evaluate(LINES_OF_WORDS.replace("CELLS", cells))


def at_locks(browser, place):
    browser.evaluate(f"controls.setLevel('locks'); controls.goTo({place})")


def check_arrows(browser, _):
    """Each arrow of who waits for whom turns in a lane of its own, and all that it says is inside of a narrow page."""
    at_locks(browser, "player.items.length")
    bends = browser.evaluate("[...document.querySelectorAll('#waits path.wait')].map((each) => /H(\\d+)/.exec(each.getAttribute('d'))[1])")
    want(len(bends) == 5 and len(set(bends)) == 5, f"the arrows turn at {bends}")
    browser.size(400, 800)
    right = browser.evaluate("Math.max(...[...document.querySelectorAll('#waits text, #waits li, #waits svg')]"
                             ".map((each) => each.getBoundingClientRect().right))")
    want(right <= browser.evaluate("document.getElementById('waits').getBoundingClientRect().right"), "a label is cut")
    browser.size(1280, 800)
    browser.press("Home")


def check_turns_first(browser, _):
    """On a narrow page the steps that decide a run stand before what it says at its end, and nothing is cut."""
    browser.size(400, 800)
    first = browser.evaluate("""(() => { const [turns, messages] = ['.turns', '.messages'].map((name) =>
      document.querySelector(`#why ${name}`).getBoundingClientRect().top); return turns < messages; })()""")
    want(first, "the steps that decide it stand below its messages")
    cut = browser.evaluate("(() => { const why = document.getElementById('why'); return why.scrollHeight - why.clientHeight; })()")
    want(cut <= 1, f"{cut} px of what went wrong are hidden")
    browser.evaluate("window.scrollTo(0, 0)")
    browser.press("1")
    bottom = browser.evaluate("document.getElementById('narration').getBoundingClientRect().bottom")
    want(0 < bottom <= browser.evaluate("document.querySelector('.step').getBoundingClientRect().top"),
         f"what happens at the step that was asked for ends at {bottom} px, out of sight")
    browser.press("Home")
    browser.evaluate("window.scrollTo(0, 0)")
    browser.size(1280, 800)


def check_tasks(browser, path):
    """While a run goes on, no task is beyond help; at the end of one that got stuck it is. Names are not broken."""
    held = data_of(path)["held"]
    browser.evaluate("controls.setLevel('locks')")
    browser.size(400, 800)
    for part in range(1, 9):
        browser.evaluate(f"controls.goTo(Math.floor(player.items.length * {part} / 9))")
        want("is left that would" not in browser.evaluate("document.getElementById('tasks').textContent"),
             f"in the middle of the run no task is left: {browser.evaluate('watchlab.place()')}")
        broken = words_broken_in(browser, "#tasks th")
        want(not broken, f"words are broken: {broken}")
    browser.size(1280, 800)
    browser.evaluate("controls.goTo(player.items.length)")
    left = "is left that would" in browser.evaluate("document.getElementById('tasks').textContent")
    want(held or left, "at the end of a run that got stuck nobody is named who does")
    browser.evaluate("controls.setLevel('story')")
    browser.press("Home")


def check_one_row(browser, _):
    """1280 pixels are wide enough for all buttons beside one another."""
    tops = browser.evaluate("[...document.querySelectorAll('#bar > :not([hidden]):not(#found)')].map((each) => "
                            "each.getBoundingClientRect()).map((each) => Math.round(each.top + each.height / 2))")
    want(max(tops) - min(tops) < 10, f"the buttons stand at {tops}")


def check_first_level(browser, path):
    """The page of a run that got stuck opens where it does, and knows of a call that comes after the story."""
    browser.open(path)
    want(browser.evaluate("controls.level") == "locks", "it opens at the story level")
    want(browser.evaluate("document.querySelector('.lane.handlers')") is not None, "its calls are not shown")
    browser.press("End")
    words = browser.evaluate("document.querySelector('.lane.handlers').textContent")
    want(words.startswith("Handler calls1") and "default/demo" in words, f"the calls are {words}")
    browser.press("Home")
    browser.evaluate("withCalls.clear(); show()")
    want(browser.evaluate("document.querySelector('.lane.handlers')") is None, "without a call there are calls")


def check_asked_again(browser, _):
    """A watch that is asked for is not said to have ended as the one before it did."""
    at = "player.items.findLastIndex((item) => / watch rv=/.test(item.text) && item.lane === 'reflector')"
    browser.evaluate(f"controls.goTo({at})")
    before = browser.evaluate("document.querySelector('.lane.reflector').textContent")
    browser.evaluate(f"controls.goTo({at} + 1)")
    words = browser.evaluate("document.querySelector('.lane.reflector').textContent")
    want("asked for" in words and "asked for" not in before, f"the reflector is {before}, then {words}")
    browser.press("Home")


def check_only_expected(browser, _):
    """Where a machine does what its clauses ask for, and not what the story expects, the page says so."""
    words = browser.evaluate("document.getElementById('why').textContent")
    want("All clauses hold in B: what the story expects is what the other machine does." in words, f"what went wrong is {words}")


def check_watching(browser, _):
    """A list that came by a watch leaves this watch open."""
    browser.evaluate("controls.goTo(player.items.findIndex((item) => / listed /.test(item.text)) + 1)")
    words = browser.evaluate("document.querySelector('.lane.reflector').textContent")
    want("has listed, watching" in words, f"the reflector is {words}")
    browser.press("Home")


def check_hidden_watches(browser, _):
    """While a question hides what is in flight, the server does not say how many watches are open."""
    browser.evaluate("controls.setLevel('story'); controls.goTo(player.items.findIndex((item) => "
                     "questions.open.some((each) => each.panels.includes('wire') && item.at >= each.from)) + 1)")
    words = browser.evaluate("document.querySelector('.lane.server').textContent")
    want("Open watches?? hidden until" in words, f"the server says {words}")
    browser.press("Home")


def check_names_of_runs(browser, path):
    """Of two runs each panel says which one it is about; where both fail, both say why."""
    words = browser.evaluate("document.getElementById('branches').textContent")
    for part in ("run here in A", "Save run A as schedule, run B as schedule"):
        want(part in words, f"'{part}' is not in {words}")
    text, data = path.read_text(encoding="utf-8"), data_of(path)
    data["other"] |= {"held": False, "failure": {**data["failure"], "messages": ["what B says"]}}
    both = path.with_name("both_fail.html")
    words = json.dumps(data).replace("<", "\\u003c")
    both.write_text(re.sub(r'(<script type="application/json" id="data">).*?(</script>)',
                           lambda found: found[1] + words + found[2], text, flags=re.DOTALL), encoding="utf-8")
    browser.open(both)
    words = browser.evaluate("document.getElementById('why').textContent")
    want("What went wrong in A" in words and "B fails, toowhat B says" in words, f"what went wrong is {words}")
    browser.open(path)


def check_verdict(browser, path):
    """What should have happened stands apart from what happened, and has no part of it."""
    should, did = (browser.evaluate(f"document.querySelector('#why .{name}')?.textContent ?? ''") for name in ("should", "did"))
    data = data_of(path)
    want(data["story"].strip().replace("`", "") in should, f"what should have happened is {should}")
    broken = [clause for clause in data["clauses"] if "broken" in clause]
    want(all(clause["name"] in should for clause in broken), f"a broken clause is not in {should}")
    for message in data["failure"]["messages"]:
        want(message.split("\n")[0].replace("`", "") in did, f"'{message}' is not in what happened: {did}")


def check_defect(browser, path):
    """The patch of a variant is there as a diff: its lines in order, those that are gone and those in their place marked."""
    lines = data_of(path)["patch"].splitlines()
    lines = lines[next(i for i, line in enumerate(lines) if line.startswith("+++ ")):]
    wanted = [(kind, line[1:]) for line in lines if not line.startswith(("---", "+++", "@@"))
              for kind in [{"-": "removed", "+": "added"}.get(line[:1], "")]]
    seen = browser.evaluate("""[...document.querySelectorAll('#why .diff li:not(.place)')].map((each) =>
      [each.className.replace('decides', '').trim(), each.firstChild.data.slice(2)])""")
    want([tuple(each) for each in seen] == wanted, f"the diff is {seen[:6]} instead of {wanted[:6]}")


def check_phone(browser, _):
    """On a phone the controls stay on the screen, wherever one has scrolled to."""
    browser.size(360, 740)
    for where in ("0", "document.documentElement.scrollHeight"):
        browser.evaluate(f"window.scrollTo(0, {where})")
        for name in ("#first", "#back", "#forward", "#last"):
            box = browser.evaluate(f"(({{left, right, top, bottom}}) => [left, right, top, bottom])(document.querySelector('{name}').getBoundingClientRect())")
            want(box[0] >= 0 and box[1] <= 360 and box[2] >= 0 and box[3] <= 740, f"{name} is at {box}, scrolled to {where}")
    bar = browser.evaluate("document.getElementById('bar').getBoundingClientRect().top")
    want(bar == 0, f"the other controls are at {bar}, scrolled to the end")
    browser.evaluate("document.querySelector('#help-button').scrollIntoView({block: 'nearest'})")
    right = browser.evaluate("document.querySelector('#help-button').getBoundingClientRect().right")
    want(right <= 360, f"the last of them cannot be reached: it ends at {right}")
    browser.evaluate("window.scrollTo(0, 0)")
    browser.size(1280, 800)
