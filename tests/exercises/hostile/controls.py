"""Shows that the checks of this folder can fail: what they look for is planted, and must be found."""

import os
import subprocess

import attacks
import stage as stages
import verdict


def failed_controls(stage, exercises):
    """The checks that did not notice what was planted, as one outcome."""
    by_id = {exercise.id: exercise for exercise in exercises}
    failed = []
    for as_root, room in stage.rooms.items():
        failed += [f"left, {kind}" for kind in planted_in(room)]
        for name, exercise, code in (
                ("gained", by_id["E01"], 'void attack() { gained("a control"); }\n'),
                ("says", by_id["E01t"], "void attack() {}\n")):
            says = "what nobody says" if name == "says" else ""
            attack = attacks.Attack(name, "controls", "", code, says=says)
            if not stage.play(stages.Play(name, "controls", exercise, as_root, attack), 100).problems:
                failed.append(name)
    failed += [f"shown, {kind}" for kind, text in shown_by(by_id["E01t"]) if not seen(by_id["E01t"], text)]
    play = stages.Play("planted", "controls", by_id["E01t"], False)
    return stages.Outcome(play, 0, tuple(f"a check does not see {what}" for what in failed))


def planted_in(room):
    """What `Room.left` does not see."""
    missed = []

    def expect(kind, undo=lambda: None):
        if not room.left():
            missed.append(kind)
        undo()

    room.clear()
    subprocess.run(["bash", "-c", "sleep 60 >/dev/null 2>&1 & disown"], check=True)
    expect("a process")
    (room.tmp / "folder").mkdir()
    expect("a folder", room.clear)
    shared = f"/dev/shm/{room.mark}"
    open(shared, "w", encoding="utf-8").close()
    expect("shared memory", lambda: os.unlink(shared))
    status = (room.other / "result.json").stat()
    (room.other / "result.json").chmod(0o600)
    expect("a mode", lambda: (room.other / "result.json").chmod(status.st_mode & 0o777))
    if room.left():
        missed.append("that nothing is left")
    return missed


def shown_by(exercise):
    """Results that must not be, and what is wrong with each."""
    name = sorted(exercise.hidden_words() - {exercise.hidden.stem})[0]
    line = sorted(exercise.hidden_lines())[0].replace("\\", "\\\\").replace('"', '\\"')
    return [("no result", None), ("no JSON", b"{"), ("points", b'{"score": 1}'),
            ("bytes", b'{"score": 0, "output": "\xff"}'),
            ("control characters", b'{"score": 0, "output": "\\u001b[2J"}'),
            ("a hidden name", f'{{"score": 0, "output": "it is {name}."}}'.encode()),
            ("a hidden line", f'{{"score": 0, "output": "{line}"}}'.encode()),
            ("the environment", f'{{"score": 0, "output": "{verdict.SECRET}-mark"}}'.encode())]


def seen(exercise, text):
    play = stages.Play("control", "controls", exercise, False)
    return bool(verdict.wrong_with(play, b"", text, 0, "mark")[0])
