#!/usr/bin/env python3
"""Lays out the Go module of scenarios/go as a proxy of modules has it, in files.

    go_proxy.py VERSION PLACE

GOPROXY=file://PLACE then serves the module as vVERSION. Prints its path, which is written in scenarios/go/go.mod.
"""

import json
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "scenarios/go"


def files():
    """What git knows of the module, and what is not committed yet."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "."], cwd=SOURCES, check=True,
                            capture_output=True, text=True).stdout
    return sorted(name for name in listed.split("\0") if name and (SOURCES / name).is_file())


def main(version, place):
    text = (SOURCES / "go.mod").read_text()
    module = re.search(r"^module (\S+)$", text, re.MULTILINE)[1]
    folder = pathlib.Path(place) / re.sub("[A-Z]", lambda letter: "!" + letter[0].lower(), module) / "@v"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "list").write_text(f"v{version}\n")
    (folder / f"v{version}.info").write_text(json.dumps({"Version": f"v{version}"}))
    (folder / f"v{version}.mod").write_text(text)
    with zipfile.ZipFile(folder / f"v{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in files():
            archive.write(SOURCES / name, f"{module}@v{version}/{name}")
        archive.write(ROOT / "LICENSE", f"{module}@v{version}/LICENSE")
    print(module)


if __name__ == "__main__":
    main(*sys.argv[1:])
