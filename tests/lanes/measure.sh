#!/usr/bin/env bash
# measure [--json]              prints how large the tree is, by kind of code
#
# Counts lines of C++ without comments and blank lines, files and folders, functions, and the share of comments. Starters,
# solutions and variants of exercises count as exercises, not as product code. Nothing is built.
#
#   --json  one object instead of the table
#
# Examples:
#   ./dev measure
#   ./dev measure --json
#
# Exit: 0 counted, 2 bad usage.
: "${root:?a lane is run by ./dev}"

exec python3 "$root/tests/measure.py" "$@"
