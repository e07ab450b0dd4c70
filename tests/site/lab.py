#!/usr/bin/env python3
"""Writes the lab, the page with the engine in it, as one folder for any static host: lab.py OUT [--engine DIR].

DIR is what ./dev wasm writes: watchlab.mjs and what it loads. The site calls this, too, with recorded runs of all bugs.
"""

import argparse
import base64
import hashlib
import json
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "scenarios/lab"
TOOLS = ROOT / "build/lab"
PACKAGES = ["codemirror@6.0.2", "@codemirror/lang-yaml@6.1.3", "esbuild@0.28.2"]
WATCHLAB = ROOT / "build/release/scenarios/cli/watchlab"
COURSE_PROGRAM = ROOT / "build/release/exercises/grader/watchlab-course"
ENGINE = ROOT / "build/wasm"
PARTS = ("watchlab.mjs", "watchlab-module.mjs", "watchlab.wasm", "stories.json", "variants.json")  # of the engine
COURSE = ("course.json", "watchlab-course-module.mjs", "watchlab-course.wasm")
LATER = {"pieces", "variants", *COURSE}  # what is fetched when it is opened


def listed(*words):
    done = subprocess.run([WATCHLAB, *words, "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def everything():
    """The stories and the bugs that have pages."""
    pieces = [each for each in listed("museum", "list") if not each["in_go"]]
    return [each for each in listed("list") if not each["path"].startswith("scenarios/museum/")], pieces


def has_tools(folder=TOOLS, packages=PACKAGES):
    """Whether the editor and its bundler are there, or other packages of npm, which gets them once."""
    if all((folder / "node_modules" / package.rpartition("@")[0]).exists() for package in packages):
        return True
    folder.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder, *packages]
    return shutil.which("npm") is not None and subprocess.run(command, capture_output=True, timeout=300, check=False).returncode == 0


def hash_of(script):
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def entries_of(stories, pieces, pages):
    """What the page lists: each story with its text, and each bug with what it was recorded with."""
    entries = []
    for story in stories:
        theme, _, name = story["name"].rpartition("/")
        entries.append({"name": name, "theme": theme, "story": story["story"].strip(),
                        "text": (ROOT / story["path"]).read_text(encoding="utf-8")})
    for piece in pieces:
        folder = ROOT / piece["folder"]
        text = (folder / "scenario.yaml").read_text(encoding="utf-8")
        schedule = (folder / "schedule.txt").read_text(encoding="utf-8").split("\n")[0]
        entry = {"name": piece["slug"], "theme": "museum", "title": piece["title"], "story": re.sub(r"[*`]", "", piece["summary"]),
                 "fails": piece["fails"], "live": piece["live"], "schedule": schedule, "text": text}
        if piece["slug"] in pages:
            entry["page"] = f'pieces/{piece["slug"]}.html.txt'
        entries.append(entry)
    return entries


def field(text, name):
    """A field of a YAML file that stands on one line; "" where it is missing."""
    found = re.search(rf"^ *(?:- )?{name}: *(.*)$", text, re.MULTILINE)
    return found[1].strip("\"'") if found else ""


def levels_of(variants):
    """The levels of break-it, with their titles in both languages."""
    folder = ROOT / "exercises/break-it"
    titles = [dict(re.findall(r"^\| `([\w-]+)`[:：] *(.*?) \|", (folder / page).read_text(encoding="utf-8"), re.MULTILINE))
              for page in ("README.md", "README.zh.md")]
    levels = []
    for file in sorted(folder.glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        levels.append({"name": file.stem, "title": [each[file.stem] for each in titles], "you_are": field(text, "you_are"),
                       "choices": int(field(text, "choices")), "variant": field(text, "variant")})
    return [{**level, "isThere": level["variant"] in ("", *variants)} for level in levels]


def exercises_of(variants):
    """The exercises that the engine's course can check: no C++, and each broken build is there."""
    exercises = []
    for file in sorted((ROOT / "exercises").glob("*/exercise.yaml")):
        folder, text = file.parent, file.read_text(encoding="utf-8")
        cases = folder / "cases.yaml"
        parts = cases.read_text(encoding="utf-8").split("\n  - ")[1:] if cases.exists() else []
        cases = [{"id": field(part, "id"), "story": field(part, "scenario")} for part in parts]
        task = field(text, "task")
        if not (task in ("tour", "predict") or (cases and all(f'{folder.name}/{each["id"]}' in variants for each in cases))):
            continue
        translated = re.search(r'^title:\n  ".*": "(.*)"$', (folder / "texts.zh.yaml").read_text(encoding="utf-8"), re.MULTILINE)
        exercises.append({"id": field(text, "id"), "slug": folder.name, "title": [field(text, "title"), translated[1]], "task": task,
                          "minutes": int(field(text, "minutes")), "files": field(text, "files").strip("[]").replace(",", "").split(),
                          "cases": cases, "stories": {str(each.relative_to(folder)): each.read_text(encoding="utf-8")
                                                      for each in sorted(folder.glob("scenarios/*.yaml"))}})
    return exercises


def course_of(engine):
    """What the page says of levels and exercises, as far as this engine has them."""
    listed_there = engine / "variants.json"
    variants = sum(json.loads(listed_there.read_text(encoding="utf-8")).values(), []) if listed_there.exists() else []
    clauses = re.findall(r"^\| (C\d+) \| `\w+` \| (.*?) \|", (ROOT / "docs/invariants.md").read_text(encoding="utf-8"), re.MULTILINE)
    return {"variants": variants, "levels": levels_of(variants), "clauses": clauses,
            "exercises": exercises_of(variants) if all((engine / part).exists() for part in COURSE) else []}


def write(folder, engine, stories, pieces, pages):
    """Writes the lab; `pages` are recorded runs by slug."""
    folder.mkdir(parents=True)
    for part in filter(lambda part: (engine / part).exists(), PARTS + COURSE):
        shutil.copyfile(engine / part, folder / part)
    if (engine / "variants").exists():
        shutil.copytree(engine / "variants", folder / "variants")
    for name in ("hook.js", "lab.css", "worker.js"):
        shutil.copyfile(SOURCE / name, folder / name)
    shutil.copytree(SOURCE, TOOLS / "source", dirs_exist_ok=True)  # packages are found from there
    subprocess.run([TOOLS / "node_modules/.bin/esbuild", TOOLS / "source/lab.js", "--bundle", "--minify", "--format=esm",
                    "--target=es2022", "--log-level=error", f"--outfile={folder / 'lab.js'}"], check=True)
    licences = sorted(each for each in (TOOLS / "node_modules").rglob("LICENSE*") if "esbuild" not in str(each))
    (folder / "LICENSES.txt").write_text("\n\n".join(f"{each.parent.name}\n{each.read_text(encoding='utf-8')}" for each in licences), encoding="utf-8")
    (folder / "pieces").mkdir()
    for slug, page in pages.items():
        shutil.copyfile(page, folder / f"pieces/{slug}.html.txt")
    (folder / "catalogue.json").write_text(json.dumps(entries_of(stories, pieces, pages), ensure_ascii=False), encoding="utf-8")
    (folder / "course-list.json").write_text(json.dumps(course_of(engine), ensure_ascii=False), encoding="utf-8")
    # Of all scripts that stand in a page, only the step-through page's own and the hook may run.
    scripts = [re.search(r"<script>(.*?)</script>", report("missed_delete"), re.DOTALL)[1], (SOURCE / "hook.js").read_text(encoding="utf-8")]
    index = (SOURCE / "index.html").read_text(encoding="utf-8").replace("/* scripts */", " ".join(map(hash_of, scripts)))
    (folder / "index.html").write_text(index, encoding="utf-8")
    files = sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file() and not LATER & set(each.relative_to(folder).parts))
    version = hashlib.sha256(b"".join((folder / each).read_bytes() for each in files)).hexdigest()[:16]
    offline = (SOURCE / "offline.js").read_text(encoding="utf-8").replace("/* version */", version)
    (folder / "offline.js").write_text(offline.replace("/* files */", ", ".join(json.dumps(f"./{each}") for each in ["", *files])), encoding="utf-8")


def report(name):
    """A page of `report`, for its script."""
    return subprocess.run([WATCHLAB, "report", name, "-o", "-"], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--engine", type=pathlib.Path, default=ENGINE)
    parser.add_argument("--page", action="append", default=[], metavar="SLUG=FILE", help="the recorded run of a bug")
    call = parser.parse_args()
    if not has_tools():
        print("lab: skipped, npm cannot get " + " ".join(PACKAGES))
        return
    stories, pieces = everything()
    write(call.output, call.engine, stories, pieces, {slug: pathlib.Path(file) for slug, _, file in
                                                      (each.partition("=") for each in call.page)})


if __name__ == "__main__":
    main()
