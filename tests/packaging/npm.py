#!/usr/bin/env python3
"""Packs the folder of the archive for npm, with the module of scenarios/node.

    npm.py FOLDER VERSION PLACE

Writes two packages, as esbuild has them, and prints their paths: PLACE/watchlab-VERSION.tgz, which is the same everywhere,
and PLACE/watchlab-linux-ARCHITECTURE-VERSION.tgz with the programs, which is an optional dependency of it. The same
sources and SOURCE_DATE_EPOCH give the same bytes.
"""

import gzip
import io
import json
import os
import pathlib
import platform
import sys
import tarfile

from native_files import native_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "scenarios/node"
MODULE = ROOT / "build/wasm"
MODULE_FILES = ("watchlab.mjs", "watchlab-module.mjs", "watchlab.wasm", "stories.json")
ARCHITECTURES = {"x86_64": "x64", "aarch64": "arm64"}  # as Node calls them


def pack(path, files):
    """Writes files, as (name, bytes, whether a program), as npm does: in a folder called package."""
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=9, mtime=epoch) as zipped, \
            tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data, is_program in sorted(files):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mtime, entry.mode = len(data), epoch, 0o755 if is_program else 0o644
            archive.addfile(entry, io.BytesIO(data))
    print(path)


def main(folder, version, place):
    folder, place = pathlib.Path(folder), pathlib.Path(place)
    license_text = (ROOT / "LICENSE").read_bytes()
    about = json.loads((SOURCES / "package.json").read_text())
    about |= {"version": version,
              "optionalDependencies": {f"@watchlab/linux-{each}": version for each in ARCHITECTURES.values()}}
    files = [(path.name, path.read_bytes(), path.name == "bin.js") for path in SOURCES.iterdir() if path.suffix in (".js", ".ts")]
    if (MODULE / "watchlab.wasm").exists():  # ./dev wasm has made it
        files += [(f"wasm/{name}", (MODULE / name).read_bytes(), False) for name in MODULE_FILES]
        files.append(("wasm.mjs", (SOURCES / "wasm.mjs").read_bytes(), False))
    pack(place / f"watchlab-{version}.tgz",
         [*files, ("package.json", json.dumps(about, indent=2).encode(), False), ("LICENSE", license_text, False),
          ("README.md", (ROOT / "docs/node.md").read_bytes(), False)])
    architecture = ARCHITECTURES[platform.machine()]
    native = {"name": f"@watchlab/linux-{architecture}", "version": version, "license": about["license"],
              "description": f"The programs of watchlab for Linux on {architecture}", "os": ["linux"], "cpu": [architecture],
              "libc": ["glibc"]}
    pack(place / f"watchlab-linux-{architecture}-{version}.tgz",
         [*((str(inside), path.read_bytes(), inside.parts[0] == "bin") for inside, path in native_files(folder)),
          ("package.json", json.dumps(native, indent=2).encode(), False), ("LICENSE", license_text, False)])


if __name__ == "__main__":
    main(*sys.argv[1:])
