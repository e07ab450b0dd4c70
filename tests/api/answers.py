"""What commands answer, as docs/stability.md promises it: the exit status of calls, and what --json writes in them."""

import json
import os
import pathlib
import subprocess
import tempfile

FILES = {
    "broken.yaml": """apiVersion: watchlab/v1
name: broken
story: Its expectation is wrong.
clients: [{name: x, kind: informer}]
script: [{create: demo}]
expect: [{store: {exactly: []}}]
""",
    "invalid.yaml": "apiVersion: watchlab/v1\nname: invalid\nscirpt: []\n",
    "older.yaml": "apiVersion: watchlab/v1\nname: older\nstory: s\nserver: {crowd: 3}\nclients: [{name: x, kind: informer}]\n",
}
# One that holds, one in which something is found and one that is wrong, of each command that a script may ask.
CALLS = """
    run missed_delete | run broken.yaml | run invalid.yaml | run nowhere | run missed_delete --bogus | bogus
    explore missed_delete --schedules 5 | explore broken.yaml --schedules 5 | explore nowhere
    replay missed_delete --schedule default | replay broken.yaml --schedule default | replay broken.yaml --schedule w9:1
    shrink broken.yaml --schedule default | shrink broken.yaml --schedule default --story small.yaml
    shrink missed_delete --schedule default
    explain missed_delete | explain broken.yaml --endings 0 | explain nowhere
    branch missed_delete --take 17=1 | branch missed_delete --take 17=99999
    trace missed_delete | trace broken.yaml | trace nowhere
    diff missed_delete missed_delete | diff missed_delete broken.yaml | diff missed_delete nowhere
    draw missed_delete --view spacetime -o a.svg | report missed_delete -o a.html | report nowhere -o a.html
    fuzz --seeds 1..3 | fuzz --seeds 3 | digest missed_delete | digest nowhere | list | show missed_delete | show nowhere
    validate broken.yaml | validate invalid.yaml | migrate --check broken.yaml | migrate --check older.yaml
    museum list | museum show ghost_after_relist | merge explored.jsonl | merge nowhere.jsonl
"""
TYPES = {str: "string", bool: "bool", int: "number", float: "number", type(None): "null"}


def fields_of(value, name=""):
    """The fields of a JSON value and of what is in them, each with its type."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from fields_of(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        yield f"{name}: array"
        for inner in value:
            yield from fields_of(inner, f"{name}[]")
    else:
        yield f"{name}: {TYPES[type(value)]}"


def as_json(words, line):
    try:
        return json.loads(line)
    except ValueError:
        raise SystemExit(f"{words} --json writes a line that is no JSON: {line[:80]}") from None


def answers(program, home):
    """A line for each exit status, and for each field that a call writes with --json."""
    found = set()
    with tempfile.TemporaryDirectory(prefix="watchlab-answers-") as folder:
        for name, text in FILES.items():
            pathlib.Path(folder, name).write_text(text)

        def call(*words):
            return subprocess.run([program, *words], cwd=folder, env={**os.environ, "WATCHLAB_HOME": str(home)}, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False)

        pathlib.Path(folder, "explored.jsonl").write_text(call("explore", "missed_delete", "--schedules", "5", "--json").stdout)
        for words in (each.strip() for line in CALLS.splitlines() for each in line.split("|")):
            if words:
                found.add(f"{words}: exit {call(*words.split()).returncode}")
                for line in call(*words.split(), "--json").stdout.splitlines():
                    found.update(f"{words} --json: {field}" for field in fields_of(as_json(words, line)))
    return found
