"""What a student does in the lab: wins a level, predicts, diagnoses, looks at a bug of the museum. Called by lab_checks.py."""

import json
import pathlib
import re
import subprocess
import tempfile

from lab import COURSE_PROGRAM, course_of, listed, ROOT
from lab_reader import want

RIGHT = {"steps_of_a_relist": "b, d, e, c, a", "way_of_a_deletion": "d, b, f, a, e, c", "requests_in_all": "5",
         "calls_after_the_cut": "update default/blue, add default/green, delete default/red", "last_state": "b"}  # of E21
WRONG = {"requests_in_all": "4", "last_state": "a"}
STATE = "document.getElementById('level-state').textContent"


class Missing(Exception):
    """The engine lacks what is to be looked at. Says what."""


def need(fact, what):
    if not fact:
        raise Missing(what)


def solution(reader, slug):
    """The decisions of the stored schedule of a piece that are not the default ones, from the page of its run in the lab; and others."""
    reader.open(f"?story={slug}")
    reader.do("play")
    reader.wait("document.querySelector('#page iframe')")
    with reader.in_page():
        choices = json.loads(reader.says("document.getElementById('data').textContent"))["choices"]
    takes = [f"{number}={choice[3]}" for number, choice in enumerate(choices, 1) if choice[3] != 0]
    return takes, [f"{number}=1" for number in range(1, 6) if f"{number}=1" not in takes]


def check_levels(reader, folder, every):
    """A level is lost by a choice that breaks nothing, and won by those of its bug; that is remembered."""
    there = [each for each in course_of(folder)["levels"] if each["isThere"] and each["you_are"] == "the scheduler"]
    need(there, "no level: the engine has no variants")
    for level in there[::every]:
        name, slug = level["name"], level["name"].partition("-")[2]
        takes, others = solution(reader, slug)
        reader.open(f"?level={name}")
        reader.wait("document.querySelector('#level-state')", f"{name} begins")
        reader.done()
        want("0 of" in reader.says(STATE) and "not yet" in reader.says(STATE), f"{name} begins with {reader.says(STATE)!r}")
        want(reader.says("location.search") == f"?level={name}", "the address does not lead back to the level")
        if len(takes) > 1:
            reader.take(takes[0])
            want(f"1 of {level['choices']}" in reader.says(STATE) and "not yet" in reader.says(STATE), f"{name}: {reader.says(STATE)!r}")
            takes = takes[1:]
        else:
            for each in others:
                reader.take(each)
                if "Won" not in reader.says(STATE):
                    break
                reader.click("undo")
            want(f"1 of {level['choices']}" in reader.says(STATE) and "No choices are left" in reader.says(STATE), f"{name}: {reader.says(STATE)!r}")
            reader.click("undo")
            want("0 of" in reader.says(STATE), f"{name}: back at the beginning it says {reader.says(STATE)!r}")
        for each in takes:
            if "Won" not in reader.says(STATE):
                reader.take(each)
        want("Won" in reader.says(STATE), f"{name}: {reader.says(STATE)!r}")
        reader.open(f"?level={name}")
        reader.wait("document.querySelector('#level-state')")
        reader.click("open-levels")
        mark = f"[...document.querySelectorAll('#course-rows .good')][{int(name[:2]) - 1}].textContent"
        want("✓" in reader.says(mark), f"{name} is won, and the list does not say so")


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
