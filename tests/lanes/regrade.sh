#!/usr/bin/env bash
# regrade [--long]              grades the same submissions again and again, and compares the results
#
# Four submissions to E01t, in turn: first from source to points, then with cached programs. Each result must equal the
# first one, except for its times.
#
#   --long      100 in full and 10,000 without compiling instead of 10 and 1,000: hours
#   --full N    how many in full
#   --cached N  how many without compiling
#   --jobs N    how many at a time; 2 by default
#   --resume F  continues from the file of an earlier call with the same --full and --cached; each result is written
#               as soon as it is known. A signal prints the command that continues
#
# Examples:
#   ./dev regrade
#   ./dev regrade --full 100 --cached 0
#
# Exit: 0 all results are the same, 1 some differ, 2 bad usage, 130 ended by a signal.
: "${root:?a lane is run by ./dev}"

need product
need mutants
build release exercises/grader/watchlab-course exercises/toolkit/libwatchlab-toolkit.so || exit 1
exec python3 "$root/tests/course/regrade.py" "$@"
