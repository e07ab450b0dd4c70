#!/usr/bin/env bash
# attack [--long] [NAME…]       plays submissions that mean no good against the grader
#
# Each attack of tests/exercises/hostile is handed in to an exercise that it fits, and graded as an
# instructor would grade it: as root, whose submissions get a user of their own, and as a user without privileges,
# in turn. It must not get more points than the starter, nor show what is hidden; the grader must live,
# nothing must be left, and another student's files must be as they were. Five honest submissions are
# graded after a hostile one, and must get the result of before, byte for byte.
#
#   NAME       only attacks whose class/name has this in it
#   --list     names each attack and says what it tries
#   --on ID    only on this exercise; may be given again
#   --long     each attack on every exercise that it fits, by each user, and 50 pairs: hours
#   --every N  of --long, one play in N
#   --skip K   of --every, so many before the first: --skip 0 to N-1 are the whole
#   --pairs N  so many honest submissions after a hostile one
#   --jobs N   so many at a time
#   --verbose  names each play, and how long it took
#
# Examples:
#   ./dev attack
#   ./dev attack symbols/ keeps_keys --verbose
#   ./dev attack --long --every 10 --skip 3
#
# Exit: 0 none gained anything, 1 some did, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

need product
need mutants  # what applies the patches that make wrong libraries
build release exercises/grader/watchlab-course exercises/toolkit/libwatchlab-toolkit.so \
  scenarios/cli/watchlab || exit 1
exec python3 "$root/tests/exercises/hostile/play.py" "$@"
