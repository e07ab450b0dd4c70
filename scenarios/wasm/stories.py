#!/usr/bin/env python3
"""Writes what the program is shipped with as one JSON object of texts by path: stories.py OUT FOLDER PATH..."""

import json
import pathlib
import sys

out, folder, paths = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
texts = {path: (folder / path).read_text(encoding="utf-8") for path in sorted(paths)}
pathlib.Path(out).write_text(json.dumps(texts, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
