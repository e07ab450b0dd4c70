#!/usr/bin/env bash
# regrade [--long]              grades the same submissions again and again, and wants the same results
#
# Four submissions to E01t, in turn: first from source to points, then with programs that are kept.
# Each result must be that of the first time, but for what it says of time.
#
#   --long      100 in full and 10,000 without compiling instead of 10 and 1,000: hours
#   --full N    so many in full
#   --cached N  so many without compiling
#   --jobs N    so many at a time; 2 if left out
#   --resume F  continues from the file that a call with the same --full and --cached has left: each result is
#               written there when it is made. A signal prints the line that continues
#
# Examples:
#   ./dev regrade
#   ./dev regrade --full 100 --cached 0
#
# Exit: 0 all results are the same, 1 some differ, 2 the call was wrong, 130 a signal has ended it.
: "${root:?a lane is run by ./dev}"

need product
need mutants
build release exercises/grader/watchlab-course exercises/toolkit/libwatchlab-toolkit.so || exit 1
exec python3 "$root/tests/course/regrade.py" "$@"
