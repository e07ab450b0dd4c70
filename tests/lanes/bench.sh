#!/usr/bin/env bash
# bench [NAME…] [--json]        measures, with a peer of the same run beside each number
#
# Prints the median, the lowest and the highest of seven repetitions. Run it on a quiet machine:
# the load average is printed first, so that a number can be told from a bad one.
#
# Examples:
#   ./watchlab bench
#   ./watchlab bench --list
#   ./watchlab bench timers posts --json
#
# Exit: 0 measured, 1 the build failed, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

need product
build release tests/benchmarks/watchlab-bench || exit 1
printf 'watchlab: load average %s\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)" >&2
exec "$root/build/release/tests/benchmarks/watchlab-bench" "$@"
