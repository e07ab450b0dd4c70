#!/usr/bin/env bash
# attack [--long] [NAME…]       plays malicious submissions against the grader
#
# Each attack in tests/exercises/hostile is handed in to an exercise that it fits and graded as an instructor would,
# in turn as root, where a submission gets a user of its own, and as a user without privileges. It must not get more
# points than the starter or reveal what is hidden. The grader must survive, nothing may be left behind, and another
# student's files must be unchanged. Five honest submissions are graded after a malicious one and must get the same
# result as before, byte for byte.
#
#   NAME       only attacks whose class/name contains this
#   --list     lists the attacks and what each tries
#   --on ID    only on this exercise; may be repeated
#   --long     each attack on every exercise that it fits, by each user, and 50 pairs: hours
#   --every N  of --long, one play in N
#   --skip K   of --every, how many to skip first: --skip 0 to N-1 together are all
#   --pairs N  how many honest submissions to grade after a malicious one
#   --jobs N   how many at a time
#   --verbose  prints each play and how long it took
#
# Examples:
#   ./dev attack
#   ./dev attack symbols/ keeps_keys --verbose
#   ./dev attack --long --every 10 --skip 3
#
# Exit: 0 no attack gained anything, 1 some did, 2 bad usage.
: "${root:?a lane is run by ./dev}"

need product
need mutants  # what applies the patches that make wrong libraries
build release exercises/grader/watchlab-course exercises/toolkit/libwatchlab-toolkit.so \
  scenarios/cli/watchlab || exit 1
exec python3 "$root/tests/exercises/hostile/play.py" "$@"
