#!/usr/bin/env bash
# measure [--json]              says how large the tree is, and how its code is divided
#
# Counts lines of C++ without comments and blank lines, files and folders, functions, and the share
# of comments. Lines of exercises' starters, solutions and variants count as exercises, not as code
# of the product. Nothing is built.
#
#   --json  one object instead of the table
#
# Examples:
#   ./dev measure
#   ./dev measure --json
#
# Exit: 0 counted, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

exec python3 "$root/tests/measure.py" "$@"
