#!/usr/bin/env python3
"""Writes what a student's bundle has of the exercises without a compiler, as one JSON object of texts by path:
course.py OUT ROOT.

It is what exercises/grader/bundle.cpp brings: no answers of instructors, no names of bugs. In the place of a broken
build's libraries there is its name, by which the page knows its module.
"""

import json
import pathlib
import re
import sys

TASKS = ("tour", "predict", "diagnose", "write-scenario")
TEXTS = ("exercise.yaml", "README.md", "README.zh.md", "hints.yaml", "hints.zh.yaml", "questions.yaml", "texts.zh.yaml")


def texts_of(folder):
    """The files of an exercise by their paths in its folder."""
    files = [folder / name for name in TEXTS]
    files += [file for part in ("starter", "scenarios") for file in sorted((folder / part).glob("**/*"))]
    texts = {str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in files if file.is_file()}
    if (folder / "cases.yaml").exists():
        cases = (folder / "cases.yaml").read_text(encoding="utf-8")
        texts["cases.yaml"] = re.sub(r"^\s*patch:.*\n", "", cases, flags=re.MULTILINE)
        for build in re.findall(r"^ *- id: (\S+)", cases, re.MULTILINE):
            texts[f"built/{build}/libwatchlab-port.so"] = f"{folder.name}/{build}\n"
    return texts


def is_without_compiler(folder):
    text = (folder / "exercise.yaml").read_text(encoding="utf-8")
    task = re.search(r"^task: (\S+)", text, re.MULTILINE)[1]
    return task in TASKS and (task != "write-scenario" or (folder / "cases.yaml").exists())


def course(root):
    exercises = [file.parent for file in sorted((root / "exercises").glob("*/exercise.yaml")) if is_without_compiler(file.parent)]
    files = {f"exercises/{folder.name}/{path}": text for folder in exercises for path, text in texts_of(folder).items()}
    for path in ("exercises/languages/zh.yaml", "exercises/without-cpp/homework.yaml", "exercises/without-cpp/README.md",
                 "exercises/without-cpp/README.zh.md"):
        files[path] = (root / path).read_text(encoding="utf-8")
    # Those of a machine are not there, and nothing asks for more than that they are files.
    return files | {"bin/toolchain.yaml": "compiler: [none]\nflags: []\nroot: ..\nlibraries: []\n", "bin/watchlab": "", "lib/libwatchlab-wall.so": ""}


def main():
    out, root = map(pathlib.Path, sys.argv[1:])
    out.write_text(json.dumps(course(root), ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
