"""The commands that take long and keep where they stand, for the scripts of this folder that disturb them."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / "build/release"
WATCHLAB = str(TREE / "scenarios/cli/watchlab")
# Each run of it fails, in one of two ways.
HASTY = """apiVersion: watchlab/v1
name: hasty
story: s
clients: [{name: x, kind: informer}]
script: [{create: one}, {create: two}]
until: {handled: {count: 1}}
expect: [{store: {exactly: [two]}}]
"""
# What differs between two runs that find the same.
FLEETING = ("seconds", "resume", "checksum", "runs_a_second")


def lines_of(text):
    """The results of a command, without what it says of time."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [{key: value for key, value in line.items() if key not in FLEETING} for line in lines]


def words_of(text):
    """The results of a lane that speaks words: all numbers but those of seconds."""
    return [line.rsplit(", ", 1)[0] for line in text.splitlines()]


class Long:
    """A command that takes long: its words, what its results are, and the file that says where it stands.

    `finding` is in that file as soon as something was found that could be lost."""

    def __init__(self, name, words, results, kept, finding):
        self.name, self.words, self.results, self.kept, self.finding = name, words, results, kept, finding
        self.environment = {**os.environ, "NO_COLOR": "1"}
        self.moments = (0, 0.4)  # parts of a whole run between which it is killed

    def live_in(self, place, libraries=""):
        """From here on it keeps everything below this folder, which its processes have in their environment."""
        for name in ("state", "tmp"):
            (place / name).mkdir(parents=True, exist_ok=True, mode=0o711)
        self.state = place / "state"
        self.environment |= {"XDG_STATE_HOME": str(self.state), "TMPDIR": str(place / "tmp")}
        if libraries:
            self.environment["LD_LIBRARY_PATH"] = libraries
        return self

    def killed_between(self, first, last):
        """Of a command that takes long to come to its first result."""
        self.moments = (first, last)
        return self

    def start(self, resume=(), out=subprocess.PIPE, err=subprocess.DEVNULL):
        return subprocess.Popen([*self.words, *resume], cwd=ROOT, env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)

    def finished(self, process):
        out, _ = process.communicate()
        return self.results(out), process.returncode

    def files(self):
        """Where it stands, the newest last; there is nothing before the first result and after the last."""
        return sorted((self.state / "watchlab").glob(self.kept), key=lambda path: path.stat().st_mtime)

    def resume_words(self):
        """How the next call continues."""
        left = self.files()
        return ["--resume", str(left[-1])] if left else []

    def has_finding(self):
        return any(self.finding in path.read_bytes() for path in self.files())


def libraries(mutant):
    """Where a library is that is wrong in every other story, so that fuzz has something to find."""
    sys.path.insert(0, str(ROOT / "tests/variants"))
    import variant  # pylint: disable=import-outside-toplevel
    if not mutant.exists():
        variant.build(ROOT / "tests/mutants/core/d04_replace_forgets_the_known.patch", mutant, TREE)
    return ":".join([str(mutant), str(TREE / "core"), str(TREE / "sim"), str(TREE / "scenarios")])


def long_commands(place):
    """Name -> a function that makes the command, living in this folder."""
    story = place / "hasty.yaml"
    story.write_text(HASTY)
    explore = [WATCHLAB, "explore", str(story), "--continue", "--json", "--save-every", "20ms"]
    fuzz = [WATCHLAB, "fuzz", "--json", "--jobs", "2", "--save-every", "20ms", "--keep-large"]

    def exploring(name, *words):
        return Long(name, [*explore, *words], lines_of, "hasty.*.resume", rb'\"kind\"').live_in(place)

    return {
        "sampling": lambda: exploring("sampling", "--strategy", "random", "--schedules", "1500", "--jobs", "2"),
        "fuzz": lambda: Long("fuzz", [*fuzz, "--seeds", "1..80"], lines_of, "fuzz.*.resume",
                             b"signature").live_in(place, libraries(place / "mutant")),
        "hunt": lambda: Long("hunt", [sys.executable, "tests/mutants/hunt.py", "core/d01", "core/d04",
                                      "--tries", "30"], words_of, "hunt.*.resume",
                             b'"found"').live_in(place).killed_between(0.3, 0.8),
        "regrade": lambda: Long("regrade", [sys.executable, "tests/course/regrade.py", "--full", "2",
                                            "--cached", "24"], words_of, "regrade.*.resume",
                                b'"number"').live_in(place),
    }
