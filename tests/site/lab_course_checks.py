"""What a student does in the lab: wins a level, predicts, diagnoses, looks at a bug of the museum. Called by lab_checks.py."""

import json
import pathlib
import re
import subprocess
import tempfile

from lab import COURSE_PROGRAM, course_of, listed, ROOT
from lab_reader import want, Wrong

RIGHT = {"steps_of_a_relist": "b, d, e, c, a", "way_of_a_deletion": "d, b, f, a, e, c", "requests_in_all": "5",
         "calls_after_the_cut": "update default/blue, add default/green, delete default/red", "last_state": "b"}  # of E21
WRONG = {"requests_in_all": "4", "last_state": "a"}
STATE = "document.getElementById('level-state').textContent"


class Missing(Exception):
    """The engine lacks what is to be looked at. Says what."""


def need(fact, what):
    if not fact:
        raise Missing(what)


def choices_shown(reader):
    """The decisions of the run that is shown: step, kind, what, the answer, and how many there are, each."""
    with reader.in_page():
        return json.loads(reader.says("document.getElementById('data').textContent"))["choices"]


def taken(choices):
    return [number for number, choice in enumerate(choices, 1) if choice[3] != 0]


def begin(reader, level):
    reader.open(f"?level={level['name']}")
    reader.wait("document.querySelector('#level-state')", f"{level['name']} begins")
    reader.done()
    want("0 of" in reader.says(STATE) and "not yet" in reader.says(STATE), f"it begins with {reader.says(STATE)!r}")


def win_as_scheduler(reader, level):
    """Loses, and wins by the stored schedule of the piece."""
    reader.open(f"?story={level['name'].partition('-')[2]}")
    reader.do("play")
    solution = choices_shown(reader)
    numbers = taken(solution)
    begin(reader, level)
    if len(numbers) == 1:  # loses by some other choice
        for number in {*range(1, 6)} - {*numbers}:
            reader.take(f"{number}=1")
            lost = reader.says(STATE)
            reader.click("undo")
            if "Won" not in lost:
                break
        want(f"1 of {level['choices']}" in lost and "No choices are left" in lost, f"a choice that breaks nothing gives {lost!r}")
        want("0 of" in reader.says(STATE), f"back at the beginning it says {reader.says(STATE)!r}")
    for number in numbers:
        if "Won" not in reader.says(STATE):
            reader.take(f"{number}={solution[number - 1][3]}")
            want("Won" in reader.says(STATE) or f"1 of {level['choices']} · not yet" in reader.says(STATE) or number != numbers[0], reader.says(STATE))


def win_as_network(reader, left):
    """Tries what the network may do, as many things as there are choices left, until the level is won."""
    choices = choices_shown(reader)
    for number in range(max(taken(choices), default=0) + 1, len(choices) + 1):
        if choices[number - 1][1] == "value":
            reader.take(f"{number}=1")
            if "Won" in reader.says(STATE) or (left > 1 and win_as_network(reader, left - 1)):
                return True
            reader.click("undo")
    return False


def check_levels(reader, folder, every):
    """A level is lost by a choice that breaks nothing, and won by those of its bug; that is remembered."""
    there = [each for each in course_of(folder)["levels"] if each["isThere"]]
    need(there, "no level: the engine has no variants")
    for level in there[::every]:
        try:
            if level["you_are"] == "the network":
                begin(reader, level)
                win_as_network(reader, level["choices"])
            else:
                win_as_scheduler(reader, level)
            want("Won" in reader.says(STATE), f"its choices give {reader.says(STATE)!r}")
            want(reader.says("location.search") == f"?level={level['name']}", "the address does not lead back to the level")
            begin(reader, level)
            reader.click("open-levels")
            mark = f"[...document.querySelectorAll('#course-rows .good')][{int(level['name'][:2]) - 1}].textContent"
            want("✓" in reader.says(mark), "it is won, and the list does not say so")
        except Wrong as wrong:
            raise Wrong(f"{level['name']}: {wrong}") from None


def natively(*words):
    """What the course prints after the student has predicted, line by line."""
    with tempfile.TemporaryDirectory() as home:
        for each in words:
            done = subprocess.run([COURSE_PROGRAM, *each, "--homework", f"{home}/homework"], cwd=home, capture_output=True, text=True, check=False)
    return said(done.stdout)


def said(text):
    """Lines without the places of files, and without what is for a terminal."""
    lines = [re.sub(r"\S*homework/", "", line.rstrip()) for line in text.splitlines()]
    return [line for line in lines if line and "watchlab-course" not in line and "watchlab course" not in line]


def graded(reader, exercise):
    """The points that the grader gives for what the lab keeps to be handed in."""
    kept = json.loads(reader.says("localStorage.getItem('watchlab homework')"))
    with tempfile.TemporaryDirectory() as folder:
        for path, text in kept.items():
            if f"/{exercise['slug']}/" in path:
                (pathlib.Path(folder) / path.rpartition("/")[2]).write_text(text, encoding="utf-8")
        instructor = ROOT / "exercises" / exercise["slug"] / "instructor"
        done = subprocess.run([COURSE_PROGRAM, "grade", exercise["id"], "--submission", folder, "--instructor", instructor],
                              cwd=ROOT, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)["points"]


def answer(reader, answers):
    for question, value in answers.items():
        asked = f"document.querySelector('[data-question={question}]')"
        reader.says(f"""(() => {{
          const [asked, value] = [{asked}, {json.dumps(value)}];
          const [list, text] = [asked.querySelector('ol'), asked.querySelector('input[type=text]')];
          if (list) {{
            value.split(', ').forEach((letter, to) => {{
              const row = list.querySelector(`[data-letter=${{letter}}]`);
              while ([...list.children].indexOf(row) > to) row.querySelector('button').click();
            }});
          }} else if (text) text.value = value;
          else asked.querySelector(`input[value=${{value}}]`).click();
        }})()""")


def check_predictions(reader, folder):
    """Predictions are locked, and what came of them is told in the words of the course; what no story answers may stay open."""
    exercise = next((each for each in course_of(folder)["exercises"] if each["id"] == "E21"), None)
    need(exercise, "no exercise: the engine has no course")
    for answers in (RIGHT, {**RIGHT, **WRONG}):
        reader.open()
        reader.says("localStorage.removeItem('watchlab homework') ?? localStorage.removeItem('watchlab answers E21')")
        reader.open("?exercise=E21")
        reader.wait("document.getElementById('questions')", "the questions")
        reader.done()
        reader.do("lock")
        want("nothing is locked" in reader.says("document.getElementById('feedback').textContent"), "a form without answers is taken")
        answer(reader, answers)
        reader.says("document.getElementById('questions').dispatchEvent(new Event('input'))")
        reader.open("?exercise=E21")
        reader.wait("document.getElementById('questions')", "the questions")
        reader.done()
        reader.do("lock")
        want(reader.says("document.getElementById('questions') === null"), "answers are asked for again")
        shown = said(reader.says("document.getElementById('feedback').textContent"))
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as mine:
            mine.write(f"answers: {json.dumps(answers)}\n")
            mine.flush()
            wanted = natively(("start", "E21"), ("predict", "E21", "--answers", mine.name))
        verdicts = [line for line in shown if re.match(r"  [✓✗]|      (it was|you said) ", line)]
        want(len(verdicts) >= 4 and set(verdicts) <= set(wanted), f"the lab says {shown}, and the program {wanted}")
        want(("      you said 4; it was 5" in verdicts) == (answers != RIGHT), f"wrong and right answers are told apart as {verdicts}")
        want((graded(reader, exercise) > 99) == (answers == RIGHT), f"what is handed in is graded with {graded(reader, exercise)} points")
        want(any(re.match(r"E21: \d+ of \d+ points", line) for line in shown), f"no points in {shown}")
        reader.open("?exercise=E21")
        reader.wait("document.getElementById('feedback')", "what came of locked answers")
        reader.click("open-exercises")
        row = reader.says("[...document.querySelectorAll('#course-rows li')].map((each) => each.textContent).find((each) => each.includes('E21'))")
        want("done" in row, f"E21 is listed as {row!r}")


def check_diagnosis(reader, folder):
    """A case is opened on its broken build, explored there, and its schedule and clause are checked."""
    need(any(each["id"] == "E13" for each in course_of(folder)["exercises"]), "no E13: the engine has no builds of it")
    reader.open("?exercise=E13")
    reader.wait("document.querySelector('[data-case=build_1]')", "the cases")
    reader.done()
    reader.says("document.querySelector('[data-story=\"build_1.yaml\"]').click()")
    reader.put("schedules", "5000")
    reader.do("explore")
    want("deletions_arrive" in reader.status(), f"exploring the first case gives {reader.status()!r}")
    reader.do("shrink")
    reader.says("document.querySelector('[data-case=build_1] > button').click()")
    reader.says("""(() => { const clause = document.querySelector('[data-case=build_1] select');
      clause.value = 'C4'; clause.dispatchEvent(new Event('change')); })()""")
    reader.do("check")
    shown = said(reader.says("document.getElementById('feedback').textContent"))
    want("  ✓ build_1" in shown and any(line.startswith("1 of 4 cases are reproduced.") for line in shown), f"a solved case gives {shown}")


def check_piece(reader, folder):
    """A bug of the museum is played, and branched, in the core that has it; the fixed core passes."""
    pieces = [each for each in listed("museum", "list") if not each["live"] and each["slug"] in course_of(folder)["variants"]]
    need(pieces, "no piece of the museum: the engine has no variants")
    piece = next((each for each in pieces if each["slug"] == "recreated_object_lost"), pieces[0])
    reader.open(f"?story={piece['slug']}")
    reader.do("play")
    kind = piece["fails"].split(":")[0]
    want(reader.status().startswith("✕") and kind in reader.status(), f"{piece['slug']} ends with {reader.status()!r}")
    before = reader.tried()
    reader.take()
    want(reader.tried() == before + 1, "a choice of the broken core is not played")
    reader.put("core", "")
    reader.put("schedule", "")
    reader.do("play")
    want(reader.status().startswith("✓"), f"the fixed core ends with {reader.status()!r}")
