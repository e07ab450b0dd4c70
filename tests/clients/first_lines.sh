#!/usr/bin/env bash
# first_lines.sh N COMMAND…   prints the first N lines of a program that does not end by itself, then ends it.
# Exit: 0 they came within a minute.
set -uo pipefail
lines=$1
shift
exec 3< <(exec "$@")
program=$!
timeout 60 head -n "$lines" <&3
status=$?
kill "$program" 2>/dev/null
exit "$status"
