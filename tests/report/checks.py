"""What a page of `watchlab report` has to do in a browser: a function a claim, which raises `Wrong`."""

import copy
import json
import re

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


def check_focus(browser, _):
    """What is focused stays so when its key is chosen, and an opened clause stays open from step to step."""
    browser.evaluate("controls.setLevel('story'); controls.goTo(player.items.findLastIndex((item) => item.lane === 'handlers') + 1)")
    focused = "document.activeElement.className + ' ' + document.activeElement.textContent.slice(0, 80)"
    browser.evaluate("choice.choose(null); document.querySelector('.handlers .key').focus()")
    before = browser.evaluate(focused)
    browser.evaluate("document.activeElement.click()")
    want(browser.evaluate(focused) == before and browser.evaluate("document.activeElement.ariaPressed") == "true",
         f"focus was on {before} and is on {browser.evaluate(focused)}")
    browser.evaluate("document.querySelector('#clauses details').open = true")
    browser.press("k")
    want(browser.evaluate("document.querySelector('#clauses details').open"), "a step closes what a reader has opened")
    browser.press("Home")


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
        for width in (1280, 400, 360):
            browser.size(width, 800)
            wide = browser.evaluate("document.documentElement.scrollWidth")
            want(wide <= width, f"at {width} px the page is {wide} px wide")
        words = browser.evaluate("document.body.innerText")
        want("[object" not in words, "an object stands there as a text")
        want(not re.search(r"`[^`\n]+`", words), f"a backtick stands there: {re.findall(r'.*`.*', words)[:1]}")
        for scheme in ("dark", "light"):
            browser.scheme(scheme)
            faint = browser.evaluate(CONTRAST)
            want(not faint, f"too little contrast, {scheme}: {faint}")
    want(not browser.evaluate(NAMELESS), f"without a name: {browser.evaluate(NAMELESS)}")
    browser.size(1280, 800)


def check_speed(browser, path):
    """Of a page of 5,000 steps: the first paint, and how long a step takes."""
    paint = browser.evaluate("""new Promise((done) => requestAnimationFrame(() => setTimeout(() =>
      done(performance.getEntriesByType('paint').map((each) => each.startTime).at(-1)), 200)))""")
    want(paint is not None, "nothing is painted")
    median, most, longest = browser.evaluate("""(() => { const times = []; controls.goTo(0);
      for (let i = 0; i < 400; ++i) { const begun = performance.now(); if (!controls.move(1)) break;
        void document.body.offsetHeight; times.push(performance.now() - begun); }
      times.sort((a, b) => a - b);
      return [0.5, 0.95, 1].map((part) => times[Math.ceil(times.length * part) - 1]); })()""")
    size = path.stat().st_size
    print(f"      {size / 1e6:.2f} MB, first paint after {paint:.0f} ms, a step {median:.1f} ms, "
          f"95 % within {most:.1f} ms, all within {longest:.1f} ms")
    want(size <= 2_000_000, f"the page has {size} bytes")


def check_small_steps(browser, _):
    """A step puts few new nodes into the page, and makes few that it then does not need."""
    made, added = browser.evaluate("""(() => { let made = 0; const make = document.createElement;
      document.createElement = function (...words) { ++made; return make.apply(this, words); };
      const seen = new MutationObserver(() => {});
      seen.observe(document.getElementById('main'), {childList: true, subtree: true});
      const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
      const [all, fresh] = [[], []];
      controls.setLevel('story'); controls.goTo(Math.floor(player.items.length / 2));
      for (let i = 0; i < 101; ++i) { made = 0; seen.takeRecords(); controls.move(1); all.push(made);
        fresh.push(seen.takeRecords().flatMap((each) => [...each.addedNodes]).reduce((sum, node) =>
          sum + 1 + (node.querySelectorAll?.('*').length ?? 0), 0)); }
      document.createElement = make; seen.disconnect();
      return [median(all), median(fresh)]; })()""")
    print(f"      a step makes {made} elements and puts {added} nodes into the page")
    want(added <= 100, f"a step puts {added} new nodes into the page")
    want(made <= 600, f"a step makes {made} elements")


def check_why(browser, path):
    """What went wrong says how the two steps that decide it stand to one another, and each leads there."""
    turns = data_of(path)["turns"]
    want(len(turns) == 2, f"{len(turns)} steps decide it")
    text = browser.evaluate("document.getElementById('why').textContent")
    want(data_of(path)["story"].strip() in text, "it does not say what the story is about")
    want(f"this comes before step {turns[0]['step']}" in text, "the second step does not name the first")
    for number, turn in enumerate(turns, 1):
        browser.press(str(number))
        want(f"step {turn['step']}," in browser.evaluate("document.getElementById('where').textContent"),
             f"key {number} does not lead to step {turn['step']}")
    browser.press("Home")


def check_left_out(browser, _):
    """An object that a list has and the queue does not get is named as such, where that happens."""
    chain = "[...document.querySelectorAll('#why .chain button')]"
    words = browser.evaluate(f"{chain}.map((each) => each.textContent.replace(/^\\d+ /, ''))")
    want(words.count("✕ not queued") == 1, f"what became of it is {words}")
    turns = browser.evaluate("document.querySelector('#why .turns').textContent")
    want("the list has default/demo, and the queue does not get it" in turns, f"the steps that decide it say {turns}")
    at = words.index("✕ not queued")
    want(words[at - 1] == "a list has it" and words[at + 1] == "popped Deleted", f"what became of it is {words}")
    browser.evaluate(f"{chain}[{at}].click()")
    want("queue" in browser.evaluate("document.getElementById('where').textContent"), "it leads elsewhere")
    words = browser.evaluate("document.getElementById('narration').textContent")
    want("✕ the list has default/demo, and the queue does not get it" in words, f"at that place the page says {words}")
    browser.press("Home")


def check_not_in_the_list(browser, _):
    """Where a list comes without an object, and no deletion of it is queued, the page says so."""
    text = browser.evaluate("document.getElementById('why').textContent")
    for part in ("a list does not have it", "✕ no deletion queued",
                 "the list came without default/demo, which waits in the queue, and no deletion of it is queued"):
        want(part in text, f"'{part}' is not in what went wrong: {text}")


def check_ends(browser, path):
    """By one key to the end and back: the states are those that the data say."""
    data = data_of(path)
    browser.press("End")
    want(browser.evaluate("watchlab.place()") > 0 or not data["events"], "End leads nowhere")
    browser.evaluate("watchlab.goTo(watchlab.places())")
    want(now(browser) == whole_end(data), "the end is not what the data say")
    browser.press("Home")
    want(now(browser) == data["base"], "back at the start the state is another one than at first")
    for width in (400, 1280):
        browser.size(width, 800)
        wide = browser.evaluate("document.documentElement.scrollWidth")
        want(wide <= width, f"at {width} px the page is {wide} px wide")


def check_differences(browser, path):
    """Of two runs side by side: each shows its own state, one cursor moves both, what differs is marked."""
    data = data_of(path)
    browser.evaluate("controls.setLevel('story')")
    browser.press("Home")
    want(browser.evaluate("document.querySelectorAll('#runs .run').length") == 2, "there are no two runs")
    want(now(browser) == data["base"] and browser.evaluate("watchlab.other()") == data["other"]["base"],
         "the two do not begin with their bases")
    parts = data["alignment"]
    for level in ("story", "locks"):
        browser.evaluate(f"controls.setLevel('{level}'); controls.goToDifference()")
        want("only" in browser.evaluate("document.getElementById('narration').textContent"),
             f"at level {level}, d does not lead to what only one of them does")
    want(browser.evaluate("watchlab.place()") == parts[0] + 1, "the first difference is not where the data have it")
    browser.evaluate("controls.setLevel('story')")
    counts = browser.evaluate("['', 'A', 'B'].map((side) => player.items.filter((item) => item.side === side).length)")
    want(counts == [sum(parts[i::3]) for i in range(3)], f"the items are {counts}, which the data do not say")
    browser.evaluate("controls.goToDifference()")
    if now(browser)["clients"] != browser.evaluate("watchlab.other()")["clients"]:
        want(browser.evaluate("document.querySelectorAll('.differs').length") > 0, "what differs is not marked")
    browser.evaluate("controls.goTo(player.items.length)")
    ends = [whole_end(data), whole_end(data["other"])]
    want([now(browser), browser.evaluate("watchlab.other()")] == ends, "the two do not end as their data say")
    browser.press("Home")
    want(now(browser) == data["base"] and browser.evaluate("watchlab.other()") == data["other"]["base"],
         "back at the start the two have other states than at first")


def whole_end(data):
    state = copy.deepcopy(data["base"])
    for patches in [*data["task_patches"].values(), *(event[7] for event in data["events"])]:
        for patch in patches:
            put(state, patch)
    return state


def check_stuck(browser, _):
    """Where a run gets stuck, a task that no other can help is in the picture, too."""
    browser.press("v")
    words = browser.evaluate("document.getElementById('waits').textContent")
    want("✕ and no task is left that would receive from it" in words, f"who waits for whom says {words}")
    browser.press("Home")


def check_first_difference(browser, path):
    """Of a bug and the fixed core: what comes from a list is the same by either name; the first difference is the bug's."""
    browser.evaluate("controls.setLevel('story')")
    browser.press("d")
    step = browser.evaluate("player.item.step")
    turns = [turn["step"] for turn in data_of(path)["turns"]]
    want(step == turns[0], f"the runs differ first at step {step}, and the bug is decided at {turns}")
    want("Replaced of default/demo" in browser.evaluate("document.getElementById('list').textContent"),
         "what the fixed core does instead is not there")
    browser.evaluate("controls.goTo(player.items.findIndex((item) => item.inOther) + 1)")
    words = browser.evaluate("document.getElementById('narration').textContent")
    want(" · in B: " in words and "Sync" in words and "Replaced" in words, f"the words of B are not beside those of A: {words}")


def check_questions(browser, path):
    """Panels are hidden until their questions are answered, and so are events and search hits."""
    questions = data_of(path)["questions"]
    want(questions, "the story asks nothing")
    browser.evaluate("controls.setLevel('story')")
    hidden = "[...document.querySelectorAll('[data-lane]')].filter((each) => each.querySelector('.masked')).map((each) => each.dataset.lane)"
    browser.press("End")
    panels = {panel for question in questions for panel in question["panels"]}
    want(set(browser.evaluate(hidden)) == panels, f"hidden is {browser.evaluate(hidden)} instead of {panels}")
    shown = "document.getElementById('list').textContent.includes('hidden until')"
    browser.evaluate("controls.goTo(player.items.findIndex((item) => questions.hides(item)) + 1)")
    want(browser.evaluate(shown), "the events give the answer away")
    browser.press("End")
    for i, question in enumerate(questions):
        given = question["answer"] if i else "999"
        browser.evaluate("document.querySelector('#questions input').focus()")
        for key in given:
            browser.press(key)
        browser.press("Enter")
    want(not browser.evaluate(hidden), "something is still hidden when all is answered")
    text = browser.evaluate("document.getElementById('questions').textContent")
    want(f"{len(questions) - 1} of {len(questions)} right" in text, f"the answers are counted wrong: {text}")
    want(f"it is {questions[0]['answer']}" in text, "a wrong answer is not put right")
    browser.open(path)
    browser.press("End")
    again = browser.evaluate("document.getElementById('questions').textContent")
    want(again == text and not browser.evaluate(hidden), f"opened again, the page does not know the answers: {again}")
    browser.evaluate("document.querySelector('#questions .again').click()")
    want(set(browser.evaluate(hidden)) == panels, "asked again, nothing is hidden")
    check_without_storage(browser, path, hidden)


def check_without_storage(browser, path, hidden):
    """Where a browser keeps nothing, questions are asked and answered all the same."""
    refusing = browser.call("Page.addScriptToEvaluateOnNewDocument", source=
                            "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})")
    browser.open(path)
    browser.press("End")
    while browser.evaluate("document.querySelector('#questions form button[type=button]')?.click() ?? 1; questions.open.length"):
        pass
    want(not browser.evaluate(hidden), "without storage an answer shows nothing")
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=refusing["identifier"])
    browser.open(path)


HOSTILE_NAMES = ["<script>document.title='broken'</script>", "</script><img src=x onerror=alert(1)>", "it's \"quoted\" & <b>bold</b>",
                 "\u05e9\u05dc\u05d5\u05dd\u202etxt.exe", "__proto__", "x" * 10_000, "line\nbreak\ttab\\"]


def with_hostile_names(path):
    """The page with such names for its keys, tasks, clients and words, beside it."""
    text, data = path.read_text(encoding="utf-8"), data_of(path)
    for list_name in ("keys", "tasks", "words"):
        data[list_name] = [HOSTILE_NAMES[i % len(HOSTILE_NAMES)] + str(i) for i in range(len(data[list_name]))]
    for event in data["events"]:
        event[6] = HOSTILE_NAMES[event[0] % len(HOSTILE_NAMES)]
    name = data["clients"][0]["name"]
    words = json.dumps(data).replace(json.dumps(name), json.dumps(HOSTILE_NAMES[0]))
    for letter in "<>&":
        words = words.replace(letter, f"\\u{ord(letter):04x}")
    made = path.with_name("names.html")
    made.write_text(re.sub(r'(<script type="application/json" id="data">).*?(</script>)',
                           lambda found: found[1] + words + found[2], text, flags=re.DOTALL), encoding="utf-8")
    return made


def check_names(browser, path):
    """Names that would be markup elsewhere are shown as they are, and break nothing."""
    browser.open(with_hostile_names(path))
    count = browser.evaluate("(() => { let n = 0; controls.goTo(0); while (controls.move(1)) ++n; return n; })()")
    want(count > 0, "no step can be taken")
    want(browser.evaluate("document.querySelectorAll('#main script, #main img, #main b').length") == 0,
         "a name has become markup")
    want("broken" not in browser.evaluate("document.title"), "a name was run as a script")
    long = browser.evaluate("player.items.findIndex((item) => item.isEvent && item.text.length >= 10000) + 1")
    want(long > 0, "no event has the long name")
    browser.evaluate(f"controls.goTo({long})")
    want(browser.evaluate("document.getElementById('narration').textContent.length") >= 10_000, "the long name is not shown")
    for width in (1280, 400):
        browser.size(width, 800)
        wide = browser.evaluate("document.documentElement.scrollWidth")
        want(wide <= width, f"at {width} px the page with long names is {wide} px wide")
    browser.size(1280, 800)


def check_axe(browser, axe):
    """axe-core finds nothing, at both levels and widths."""
    browser.evaluate(axe)
    for level, width, scheme in (("story", 1280, "light"), ("locks", 1280, "dark"), ("story", 360, "dark"), ("story", 400, "light")):
        browser.scheme(scheme)
        browser.evaluate(f"controls.setLevel('{level}'); controls.goTo(Math.floor(player.items.length / 2))")
        browser.size(width, 800)
        found = browser.evaluate("""axe.run(document, {resultTypes: ['violations']}).then((result) =>
          result.violations.map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 120)}`))""")
        want(not found, f"axe-core at level {level}, {width} px, {scheme}: {found}")
    browser.size(1280, 800)
    browser.evaluate("controls.setLevel('story'); controls.goTo(0)")


def height(browser, width):
    """How high the page is in the middle of its story."""
    browser.size(width, 800)
    browser.evaluate("controls.goTo(controls.stops()[Math.floor(controls.stops().length / 2)])")
    return browser.evaluate("document.documentElement.scrollHeight")
