#!/usr/bin/env python3
"""Wins each level of exercises/break-it in `serve-report`, within its choices, as a student would.

    tests/report/levels.py [--terminal] [LEVEL...]

A level of a piece of the museum is won by the stored schedule of the piece, whose answers are given one after the
other; one of a story beside it by trying what the network may do. With --terminal the winning answers are then typed into
`serve-report --terminal`. Builds the variants, so it takes minutes the first time. The last line is `N passed, N failed`. Exit 0 if nothing failed.
"""

import itertools
import re
import subprocess
import sys
import urllib.error

from branching import ROOT, Wrong, data_in, fetch, served, want

LEVELS = ROOT / "exercises/break-it"


def said(text, name):
    return next(iter(re.findall(rf"^{name}: (\S+)", text, re.MULTILINE)), "")


def take(url, run, number, answer):
    """The session after that answer, and the data of its run."""
    return data_in(fetch(f"{url}/run/{run}/take", {"decision": number, "alternative": answer}))


def answers_of(piece):
    """What the stored schedule of a piece answers otherwise than by default, as `solution_of` says it."""
    page = subprocess.run([ROOT / "watchlab", "report", piece, "--schedule",
                           f"@scenarios/museum/{piece}/schedule.txt", "-o", "-"],
                          cwd=ROOT, capture_output=True, text=True, check=True)
    return [(i, choice[3]) for i, choice in enumerate(data_in(page.stdout)["choices"], 1) if choice[3] != 0]


def win_as_network(url, choices):
    """Tries what the network may do, as many things as there are choices, until the level is won."""
    runs = [data_in(fetch(url + "/run/0"))]
    for _ in range(choices):
        branches = []
        for data in runs:
            last = max((i for i, choice in enumerate(data["choices"]) if choice[3] != 0), default=-1)
            for i, choice in itertools.islice(enumerate(data["choices"]), last + 1, None):
                if choice[1] == "value" and choice[3] == 0:
                    branches.append(take(url, data["session"]["run"], i + 1, 1))
                    if branches[-1]["session"]["level"]["after"]:
                        return branches[-1]
        runs = branches
    raise Wrong("nothing that the network may do wins it")


def check(path, in_terminal):
    text = path.read_text(encoding="utf-8")
    story, choices = said(text, "scenario"), int(said(text, "choices"))
    with served(ROOT / "watchlab", "serve-report", path.stem) as url:
        data = data_in(fetch(url + "/run/0"))
        want(data["held"] and not data["session"]["level"]["after"], "it is won before it begins")
        if "you_are: the network" in text:
            data = win_as_network(url, choices)
        else:
            for number, answer in answers_of(said(text, "variant") or story):
                if data["session"]["level"]["after"]:
                    break  # the last ones were not needed
                data = take(url, data["session"]["run"], number, answer)
        level, run = data["session"]["level"], data["session"]["runs"][data["session"]["run"]]
        want(level["after"], f"it ends with {run['outcome']} after {run['choices']} choices")
        want(run["choices"] == choices, f"{run['choices']} choices win it, and it allows {choices}")
    if in_terminal:
        typed = "".join(f"{i}={choice[3]}\n" for i, choice in enumerate(data["choices"], 1) if choice[3] != 0)
        ended = subprocess.run([ROOT / "watchlab", "serve-report", path.stem, "--terminal"], cwd=ROOT, input=typed,
                               capture_output=True, text=True, check=False)
        want(ended.returncode == 0 and "\nWon: " in ended.stdout, f"in a terminal: {ended.stdout[-400:]}{ended.stderr}")


def main():
    failed = 0
    names = [word for word in sys.argv[1:] if word != "--terminal"]
    paths = [path for path in sorted(LEVELS.glob("*.yaml")) if not names or path.stem in names]
    for path in paths:
        try:
            check(path, "--terminal" in sys.argv[1:])
            print(f"held  {path.stem}", flush=True)
        except (Wrong, urllib.error.URLError, subprocess.CalledProcessError) as wrong:
            failed += 1
            print(f"FAIL  {path.stem}: {wrong}", flush=True)
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
