#!/usr/bin/env python3
"""Packs the folder of the archive as a Python wheel, with the module of scenarios/python.

    wheel.py FOLDER VERSION PLACE

FOLDER is that of the archive, of which the wheel takes native_files. Writes PLACE/watchlab-VERSION-py3-none-manylinux_2_36_MACHINE.whl and prints its path. SOURCE_DATE_EPOCH is the time of all
files: the same sources give the same bytes.
"""

import base64
import hashlib
import os
import pathlib
import platform
import sys
import time
import zipfile

from native_files import native_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAG = f"py3-none-manylinux_2_36_{platform.machine()}"
METADATA = """Metadata-Version: 2.1
Name: watchlab
Version: {version}
Summary: Finds races in Kubernetes list-watch code, replays them every time, and explains them
License: Apache-2.0
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{page}"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: watchlab\nRoot-Is-Purelib: false\nTag: {TAG}\n"
ENTRY_POINTS = "[console_scripts]\nwatchlab = watchlab.__main__:main\n\n[pytest11]\nwatchlab = watchlab.pytest_plugin\n"


def contents(folder, version):
    """All files as (name, bytes, whether a program)."""
    for inside, path in native_files(folder):
        yield f"watchlab/native/{inside}", path.read_bytes(), inside.parts[0] == "bin"
    for path in (ROOT / "scenarios/python/watchlab").glob("*.py"):
        yield f"watchlab/{path.name}", path.read_bytes(), False
    info = f"watchlab-{version}.dist-info"
    page = (ROOT / "docs/python.md").read_text()
    for name, text in (("METADATA", METADATA.format(version=version, page=page)), ("WHEEL", WHEEL),
                       ("entry_points.txt", ENTRY_POINTS), ("LICENSE", (ROOT / "LICENSE").read_text())):
        yield f"{info}/{name}", text.encode(), False


def main(folder, version, place):
    epoch = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]
    wheel = pathlib.Path(place) / f"watchlab-{version}-{TAG}.whl"
    record = f"watchlab-{version}.dist-info/RECORD"
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name, data, is_program):
            entry = zipfile.ZipInfo(name, epoch)
            entry.create_system = 3  # Unix, which has modes
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)

        for name, data, is_program in sorted(contents(pathlib.Path(folder), version)):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            lines.append(f"{name},sha256={digest},{len(data)}\n")
            add(name, data, is_program)
        add(record, ("".join(lines) + f"{record},,\n").encode(), False)
    print(wheel)


if __name__ == "__main__":
    main(*sys.argv[1:])
