#!/usr/bin/env python3
"""Four weeks of two students, from the bundle to the gradebook: one reads English, one Chinese.

Each week has an exercise of another kind: the tour and a suite of tests, an implementation, predictions, stories. The
students start each, check what they were given, take a hint, hand in what they have made; the late one is late. Then all
is graded, and the gradebook and the pages say what it was worth. The last line is `N passed, N failed`.
"""

import concurrent.futures
import csv
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import course  # noqa: E402

WEEKS = (("E00", "00-tour"), ("E01t", "01t-store-tests"), ("E01", "01-store"), ("E03", "03-in-the-queue"),
         ("E17", "17-break-it-by-a-story"))
GRADED = WEEKS[1:]
# What each language says, and the other does not, by what was called.
SAYS = {
    "start": ("Your files are in", "你的文件在"),
    "check": (": checked in ", "：检查用时"),
    "predict": ("predictions came true", "个预测中"),
    "page": ("<html lang=en>", "<html lang=zh-CN>"),
}
POLICY = """exercises:
  - {id: E01t, due: "2026-12-07T12:00:00Z", points: 30}
  - {id: E01, due: "2026-12-14T12:00:00Z", points: 30}
  - {id: E03, due: "2026-12-21T12:00:00Z", points: 10}
  - {id: E17, due: "2026-12-28T12:00:00Z", points: 30}
late_percent: [90, 80, 70]
"""


class Term:
    """What was looked at, and what was not as it should be."""

    def __init__(self, place):
        self.place = place
        self.program = place / "handout/watchlab-course"
        self.passed = 0
        self.failed = 0
        self.counting = threading.Lock()

    def want(self, holds, what):
        with self.counting:
            self.passed += bool(holds)
            self.failed += not holds
        if not holds:
            print(f"FAIL  {what}", flush=True)

    def run(self, student, words, status, given=None):
        """What a student sees, who works in a folder of her own."""
        ended = subprocess.run([self.program, *words, "--homework", student.folder, *student.language], cwd=student.place,
                               input=given, capture_output=True, text=True, check=False,
                               env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "", "NO_COLOR": "1"})
        self.want(ended.returncode == status,
                  f"{student.name}: {' '.join(words)}: status {ended.returncode}, not {status}\n{ended.stdout}{ended.stderr}")
        return ended.stdout

    def says(self, student, what, text):
        own, other = SAYS[what][student.is_chinese], SAYS[what][not student.is_chinese]
        self.want(own in text and other not in text, f"{student.name}: {what} says: {text}")


class Student:
    def __init__(self, name, is_chinese, place):
        self.name, self.is_chinese, self.place = name, is_chinese, place / name
        self.place.mkdir()
        self.folder = self.place / "homework"
        self.language = ["--lang", "zh-CN"] if is_chinese else []


def bring(student, slug):
    """What the student has made of an exercise: what the instructor would, and of stories all but one."""
    for file in (course.ROOT / "exercises" / slug / "instructor/solution").iterdir():
        if not (student.is_chinese and file.name == "build_3.yaml"):
            shutil.copy(file, student.folder / slug / file.name)


def live(term, student):
    """The four weeks."""
    for identifier, slug in WEEKS:
        term.says(student, "start", term.run(student, ["start", identifier], 0))
        pages = {file.name for file in (student.folder / slug).glob("README*")}
        term.want(("README.zh.md" in pages) == student.is_chinese, f"{student.name}: {slug} has {pages}")
        if identifier == "E00":
            term.run(student, ["check"], 0)
        elif identifier == "E03":
            # To a number, and to a choice that it is not: one line of two is an answer.
            term.says(student, "predict", term.run(student, ["predict"], 0, "1\nb\nAdded default/red\nadd default/red\n" * 20))
        else:
            term.says(student, "check", term.run(student, ["check"], 1))
            hint = term.run(student, ["hint"], 0)
            term.want(any("\u4e00" <= letter <= "\u9fff" for letter in hint) == student.is_chinese, hint)
            bring(student, slug)
            complete = not (student.is_chinese and identifier == "E17")
            term.says(student, "check", term.run(student, ["check"], 0 if complete else 1))
    listed = term.run(student, ["list"], 0)
    term.want(("done" in listed) != student.is_chinese and ("完成" in listed) == student.is_chinese, listed)


def hand_in(term, student):
    for identifier, slug in GRADED:
        to = term.place / "in" / identifier / student.name
        to.mkdir(parents=True)
        for file in (student.folder / slug).iterdir():
            if file.suffix in (".cpp", ".hpp", ".yaml"):
                shutil.copy(file, to / file.name)


def grade(term, identifier):
    ended = course.run(["grade", identifier, "--cohort", str(term.place / "in" / identifier),
                        "--out", str(term.place / "out" / identifier)])
    term.want("2 graded, 0 not gradable, 0 failed" in ended.stdout, f"{identifier}: {ended.stdout}")


def keep_the_book(term):
    place = term.place
    (place / "roster.csv").write_text("id,name\nada,Ada\nmin,敏\n", encoding="utf-8")
    (place / "policy.yaml").write_text(POLICY)
    (place / "times.csv").write_text("student,exercise,submitted\nmin,E01,2026-12-15T13:00:00Z\n")
    for language in ("en", "zh-CN"):
        course.run(["gradebook", str(place / "out"), "--roster", str(place / "roster.csv"), "--policy",
                    str(place / "policy.yaml"), "--submitted", str(place / "times.csv"), "-o", str(place / "book.csv"),
                    "--feedback", str(place / language), "--lang", language])
        term.want(SAYS["page"][language != "en"] in (place / language / "ada.html").read_text(encoding="utf-8"),
                  f"the page in {language} is in another language")
    with open(place / "book.csv", encoding="utf-8", newline="") as file:
        rows = {(row["student"], row["exercise"]): row for row in csv.DictReader(file)}
    for student, identifier, points, days in (("ada", "E01t", 30, 0), ("ada", "E01", 30, 0), ("ada", "E17", 30, 0),
                                              ("min", "E01t", 30, 0), ("min", "E01", 24, 2), ("min", "E17", 20, 0)):
        row = rows[student, identifier]
        term.want(abs(float(row["points"]) - points) < 0.01 and int(row["late_days"]) == days,
                  f"{student}, {identifier}: {points} points and {days} days late expected: {row}")
    term.want(rows["ada", "E03"]["points"] == rows["min", "E03"]["points"], "equal predictions, other points")


def main():
    with tempfile.TemporaryDirectory(prefix="watchlab-term-") as folder:
        os.chmod(folder, 0o711)
        place = pathlib.Path(folder)
        course.run(["bundle", "--out", str(place / "handout"), *(identifier for identifier, _ in WEEKS)])
        term = Term(place)
        students = [Student("ada", False, place), Student("min", True, place)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda student: live(term, student), students))
            for student in students:
                hand_in(term, student)
            list(pool.map(lambda week: grade(term, week[0]), GRADED))
        keep_the_book(term)
    print(f"{term.passed} passed, {term.failed} failed")
    return 1 if term.failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where a reader like head is gone, end quietly
    sys.exit(main())
