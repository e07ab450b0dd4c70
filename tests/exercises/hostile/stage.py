"""Plays one submission: hands it in, lets it be graded as a user would, and looks at what came of it."""

import dataclasses
import os
import pathlib
import re
import resource
import signal
import subprocess
import time

import attacks
import hand_ins
import rooms
import verdict

PROGRAM = attacks.PROGRAM
SECONDS_MAX = 330  # for one submission, whatever it tries: what a grader may take, and a bit
BUILD_SECONDS_MAX = 1800  # for the first of an exercise, whose libraries are built with it


@dataclasses.dataclass(frozen=True)
class Play:
    """One attack on one exercise, by one user."""

    name: str
    of: str
    exercise: attacks.Exercise
    as_root: bool
    attack: attacks.Attack | None = None  # none for what is in hand_ins.py

    def __str__(self):
        return f"{self.of}/{self.name} on {self.exercise.id} as {'root' if self.as_root else 'a user'}"


@dataclasses.dataclass
class Outcome:
    play: Play
    points: float = 0.0
    problems: tuple = ()
    seconds: float = 0.0
    processor: float = 0.0  # seconds of it that were used


def processor_time():
    """Of this process's children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Stage:
    """What a worker plays on: its rooms, and what honest submissions get in them."""

    current = None

    def __init__(self, place, names):
        rooms.adopt_orphans()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        me = os.getpid()
        mark, key = f"{names[0]}-{me}", names[1] + me  # so that what one leaves is not reported of another
        users = {True: 0, False: rooms.FIRST_USER + os.getpid() % 400} if os.geteuid() == 0 else \
            {False: os.geteuid()}
        self.mark, self.key = mark, key
        self.rooms = {as_root: rooms.Room(pathlib.Path(place) / f"{me}-{uid}", uid, mark, key)
                      for as_root, uid in users.items()}

    def run(self, room, words, seconds=SECONDS_MAX):
        """Runs the grader as the room's user: its exit status, and what it has printed."""
        own = {"user": room.uid, "group": room.uid, "extra_groups": []} if os.geteuid() != room.uid else {}
        grader = subprocess.Popen([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, cwd=room.folder, **own,
                                  env={"PATH": os.environ["PATH"], "TMPDIR": str(room.tmp), "NO_COLOR": "1",
                                       verdict.SECRET: f"{verdict.SECRET}-{self.mark}"})
        try:
            printed, _ = grader.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            grader.kill()
            printed, _ = grader.communicate()
        return grader.returncode, printed

    def grade(self, room, exercise, seconds=SECONDS_MAX):
        """Grades what is handed in: the exit status, what was printed, and the result's text or None."""
        status, printed = self.run(room, ["grade", exercise.id, "--submission", room.hand_in,
                                          "--format", "gradescope", "--out", room.result], seconds)
        return status, printed, room.result.read_bytes() if room.result.is_file() else None

    def names_for(self, room, exercise):
        solution = exercise.first("instructor/solution/*.cpp")
        return {"MARK": self.mark, "KEY": self.key, "SECRET": verdict.SECRET, "HIDDEN": exercise.hidden,
                "SOLUTION": solution, "SOLUTION_BY_NAME": solution.relative_to(attacks.ROOT),
                "CORRECT": exercise.first("variants/correct/*.cpp"),
                "TOOLKIT": attacks.ROOT / "exercises/toolkit/worlds.hpp",
                "OTHER": room.other / "result.json", "OTHER_FILE": room.other / "answer.cpp",
                "RESULT": room.result}

    def hand_in(self, room, play):
        names = self.names_for(room, play.exercise)
        path = room.hand_in / play.exercise.file
        play.exercise.bring_others(room.hand_in)
        if play.attack is not None:
            path.write_bytes(attacks.text_of(play.attack, play.exercise, names))
        elif play.of == "answers":
            path.write_bytes(hand_ins.ANSWERS[play.name]())
        elif play.of == "orders":
            path.write_bytes(hand_ins.ORDERS[play.name]())
        elif play.of == "stories":
            own = f"name: {path.stem}\n"  # a story is called like its file
            path.write_text(hand_ins.STORIES[play.name].replace("name: build_1\n", own))
        else:
            hand_ins.FILES[play.name](path, play.exercise)
        room.give(room.hand_in)

    def play(self, play, honest):
        """Plays an attack; `honest` are the points of the starter."""
        room = self.rooms[play.as_root]
        started = time.monotonic()
        used = processor_time()
        room.clear()
        self.hand_in(room, play)
        status, printed, text = self.grade(room, play.exercise)
        problems, points = verdict.wrong_with(play, printed, text, honest, self.mark)
        if status < 0:
            problems.insert(0, f"the grader died of signal {-status}"
                            if time.monotonic() - started < SECONDS_MAX else
                            f"the grader was not done after {SECONDS_MAX} s")
        elif status != 0:
            problems.insert(0, f"the grader ended with {status}: {printed[-300:].decode(errors='replace')}")
        problems += room.left()
        return Outcome(play, points, tuple(problems), time.monotonic() - started, processor_time() - used)

    def play_honestly(self, exercise, as_root, suite):
        """The result of a checked-in submission, without what it says of time."""
        room = self.rooms[as_root]
        room.clear()
        text = exercise.starter if suite == "starter" else \
            (exercise.folder / "instructor/suites" / suite / exercise.file).read_text()
        (room.hand_in / exercise.file).write_text(text)
        exercise.bring_others(room.hand_in)
        room.give(room.hand_in)
        status, printed, result = self.grade(room, exercise, BUILD_SECONDS_MAX)
        if status != 0 or result is None:
            raise SystemExit(f"attack: {exercise.id}'s {suite} was not graded ({status}): {printed.decode()}")
        return self.without_times(result)

    @staticmethod
    def without_times(result):
        return re.sub(rb'"execution_time":[^,]*,', b"", result)
