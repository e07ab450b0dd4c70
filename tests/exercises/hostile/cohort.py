"""A cohort of honest and hostile submissions: each is graded as if it were alone."""

import json
import os
import shutil
import subprocess

import attacks
import hand_ins
import verdict

# Folders of a cohort, under names that a terminal or a reader of text may stumble over. One with a line break is
# refused, and the grader ends with 1 for that.
NAMES = {b"honest": "honest", b"a\x1b[2J\x1b[31mred": "is_zeros", b"b\ntwo lines: 100 of 100 points": "is_a_pipe",
         b"c-caf\xe9": "is_a_link_to_itself", b"d" * 200: "is_an_empty_file", b"d" * 252: "is_zeros",
         b"--help": "is_too_large", b"e;id": "is_of_wide_letters", "f\u202etxt".encode(): "is_a_folder"}


def play(stage, as_root, exercise, expected):
    """What is wrong with the results of a cohort, a message each. `expected` is the honest one's."""
    room = stage.rooms[as_root]
    room.clear()
    for name, kind in NAMES.items():
        folder = room.hand_in / os.fsdecode(name)
        folder.mkdir()
        if kind == "honest":
            suite = exercise.folder / "instructor/suites/happy_path" / exercise.file
            shutil.copy(suite, folder)
        else:
            hand_ins.FILES[kind](folder / exercise.file, exercise)
    (room.hand_in / "no folder \x1b[2J").write_text("")
    room.give(room.hand_in)
    status, printed = stage.run(room, ["grade", exercise.id, "--cohort", room.hand_in, "--format", "gradescope",
                                       "--out", room.results / "all", "--jobs", "2"])
    problems = [] if status == 1 else [f"the cohort's grader ended with {status}"]
    if verdict.is_no_text(printed):
        problems.append("the terminal gets what it should not")
    results = {path.name.removesuffix(".json"): path.read_bytes() for path in (room.results / "all").glob("*.json")}
    honest = stage.without_times(results.pop("honest", b""))
    if honest != expected:
        problems.append("the honest submission of a cohort gets another result than alone")
    graded = sum(b"\n" not in name for name in NAMES) - 1
    problems += [f"{len(results)} results for {graded} submissions"] if len(results) != graded else []
    for name, text in results.items():
        try:
            if json.loads(text.decode())["score"] > 0:
                problems.append(f"{name!r} gets points")
        except (ValueError, KeyError) as broken:
            problems.append(f"the result of {name!r} cannot be read: {broken}")
    shutil.rmtree(room.results / "all")
    return problems + room.left()
