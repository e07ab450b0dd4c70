"""Reads the attacks of this folder, and makes submissions of them."""

import dataclasses
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAM = ROOT / "build/release/exercises/grader/watchlab-course"

# What no source file can hold, as the sources here write it.
BYTES = {b"BYTE_E9": b"\xe9", b"BYTE_00": b"\0", b"SIGN_RLO": "\u202e".encode(), b"SIGN_PDF": "\u202c".encode()}

# Where a starter calls the attack: before this line of it. A starter that is not here is a file of tests,
# which gets one more.
CALLED_BEFORE = {
    "E01": "  return std::make_unique<MapStore>(runtime);",
    "E05": "  return std::make_unique<GroupedQueue>(runtime, known);",
    "E08": "  return std::make_unique<ListWatchReflector>(runtime, server, store);",
    "E10": "  return std::make_unique<OwnProcessor>(runtime, cache);",
    "E12": "  return std::make_unique<OwnListener>(runtime, handler, informer);",
    "E15": "  return std::make_unique<SetController>(runtime, cache, server);",
    "E16": "  return moment.steps.back().deed",
}

# What an attack can write anew in E01's starter, by the function that it stands in.
STORE = {
    "put": "    (void)object;\n",
    "get": "    (void)key;\n    return nullptr;\n",
    "list": " return {}; ",
}


@dataclasses.dataclass(frozen=True)
class Exercise:
    """An exercise as the attacks see it."""

    id: str
    slug: str
    kind: str  # implement, tests, model-check, predict, diagnose, write-scenario
    file: str

    @property
    def folder(self):
        return ROOT / "exercises" / self.slug

    @property
    def starter(self):
        return (self.folder / "starter" / self.file).read_text()

    def bring_others(self, hand_in):
        """What the starter has beside the one file that an attack is, so that nothing else is missing."""
        for file in (self.folder / "starter").iterdir():
            if file.name != self.file:
                (hand_in / file.name).write_bytes(file.read_bytes())

    def first(self, pattern):
        """The first file of the exercise that matches, or of E01t, where there are all kinds."""
        found = sorted(self.folder.glob(pattern))
        return found[0] if found else sorted((ROOT / "exercises/01t-store-tests").glob(pattern))[0]

    @property
    def hidden(self):
        """A file that no submission may see: a hidden defect, or the hidden tests."""
        return self.first("instructor/tests/*.cpp" if self.kind == "implement" else "variants/hidden/*.patch")

    def hidden_words(self):
        """Names of hidden defects and tests, which no student may learn."""
        if self.kind != "implement":
            return {file.stem for file in self.folder.glob("variants/hidden/*")}
        shown = "".join(file.read_text() for file in self.folder.glob("tests/*.cpp"))
        return {name for file in self.folder.glob("instructor/tests/*.cpp")
                for name in re.findall(r"BOOST_AUTO_TEST_CASE\((\w+)", file.read_text())
                if not re.search(rf"\b{name}\b", shown)}

    def hidden_lines(self):
        """Lines of the hidden file that stand in nothing that students may read."""
        shown = "".join(file.read_text(errors="replace") for folder in ("tests", "starter")
                        for file in self.folder.glob(f"{folder}/*")) + self.starter
        lines = {line.lstrip("+- ").strip() for line in self.hidden.read_text().splitlines()}
        return {line for line in lines if len(line) >= 30 and line not in shown}


@dataclasses.dataclass(frozen=True)
class Attack:
    """One section of a file of attacks."""

    name: str
    of: str  # the class: the name of its file
    tries: str
    code: str
    fits: tuple = ("tests", "implement")
    says: str = ""  # what the grader has to say of it: "this | or this"
    wall: str = ""  # without which, in the list of the result, it may say something else
    alone: bool = False  # whether it stands in place of the starter
    store: str = ""  # the function of E01's starter that it writes anew
    slow: bool = False  # whether it lasts as long as a grade may, so that it is begun first

    def is_for(self, exercise):
        """An attack is C++, so none is for tests in Go."""
        return not exercise.file.endswith(".go") and (exercise.kind in self.fits or exercise.id in self.fits)


def exercises():
    """All that are graded, in the order of the course."""
    found = []
    for file in sorted((ROOT / "exercises").glob("*/exercise.yaml")):
        text = file.read_text()
        field = lambda name, text=text: re.search(rf"(?m)^{name}: \[?([^\],\n]*)", text)[1].strip()
        exercise = Exercise(field("id"), file.parent.name, field("task"), field("files"))
        if exercise.kind != "tour" and is_here(exercise):
            found.append(exercise)
    return found


def is_here(exercise):
    """Whether what an exercise needs is on this machine, which its first grading tells; builds its controllers."""
    if not list(exercise.folder.glob("variants/correct/*.go")):
        return True
    first = subprocess.run([PROGRAM, "grade", exercise.id, "--submission", exercise.folder / "starter"],
                           capture_output=True, text=True, check=False)
    if first.returncode == 2 and "is skipped" in first.stderr:
        print(first.stderr.strip(), flush=True)
        return False
    return True


def read_attacks():
    """The sections of all files, in the order of their names."""
    attacks = [attack for file in sorted(HERE.glob("*.cpp")) for attack in sections_of(file)]
    names = [attack.name for attack in attacks]
    if len(set(names)) != len(names):
        raise SystemExit(f"attacks: a name is used twice: {sorted(n for n in names if names.count(n) > 1)}")
    return attacks


def sections_of(file):
    for section in re.split(r"(?m)^// === ", file.read_text())[1:]:
        title, _, rest = section.partition("\n")
        name, colon, tries = title.partition(": ")
        if not colon or not re.fullmatch(r"\w+", name):
            raise SystemExit(f"{file.name}: expected '// === name: what it tries', found '// === {title}'")
        said = {}
        while match := re.match(r"// (fits|says|wall|alone|store|slow): (.*)\n", rest):
            said[match[1]] = match[2]
            rest = rest[match.end():]
        if lost := re.match(r"// .*\b(fits|says|wall|alone|store|slow): ", rest):
            raise SystemExit(f"{file.name}: {name}: expected '{lost[1]}' at the beginning of a line, found '{lost[0]}'")
        store = said.get("store", "")
        fits = ("E01",) if store else tuple(said["fits"].split()) if "fits" in said else Attack.fits
        yield Attack(name, file.stem, tries, rest.strip() + "\n", fits, said.get("says", ""),
                     said.get("wall", ""), said.get("alone") == "yes", store, said.get("slow") == "yes")


def text_of(attack, exercise, names):
    """The submission, as bytes. `names` are what prelude.hpp declares."""
    prelude = (HERE / "prelude.hpp").read_text().replace("#pragma once\n", "", 1)
    lines = [f'#define {name} {value if isinstance(value, int) else quoted(value)}\n'
             for name, value in names.items()]
    lines += ["#define TESTS\n"] if exercise.kind == "tests" else []
    made = re.search(r"std::unique_ptr<\w+> (make_\w+)\(", (exercise.folder / "subject.hpp").read_text())
    lines += [f"#define MAKE watchlab::exercise::{made[1]}\n"] if made else []
    called = "" if "void attack()" in attack.code else "void attack() {}\n"
    parts = [attack.code, called] if attack.alone else [with_attack(attack, exercise), called]
    text = ("".join(lines) + prelude + "\n".join(parts)).encode()
    for written, meant in BYTES.items():
        text = text.replace(written, meant)
    return text


def with_attack(attack, exercise):
    """The starter with a call of the attack, and the attack below."""
    starter = exercise.starter
    if attack.store:
        place = STORE[attack.store]
        if place not in starter:
            raise SystemExit(f"{exercise.slug}: its starter has no '{place.strip()}' any more")
        return starter.replace(place, "\n" + attack.code, 1)
    if exercise.id in CALLED_BEFORE:
        line = CALLED_BEFORE[exercise.id]
        if line not in starter:
            raise SystemExit(f"{exercise.slug}: its starter has no line '{line.strip()}' any more")
        return starter.replace(line, f"  ::attack();\n{line}") + "\n" + attack.code
    return starter + "\n" + attack.code + "\nBOOST_AUTO_TEST_CASE(hostile) { attack(); }\n"


def quoted(value):
    return '"' + str(value) + '"'
