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
# Measures client-go and prints the file with its rows; nothing where that cannot be done.
measure_client_go() {
  local place=$root/build/client-go
  if ! command -v go >/dev/null; then
    say "client-go is left out: there is no go here"
    return
  fi
  mkdir -p "$place"
  if ! (cd "$root/tests/benchmarks/client-go" && go build -trimpath -o "$place/measure" .) >&2; then
    say "client-go is left out: its program was not built"
    return
  fi
  "$place/measure" >"$place/rows.jsonl" && echo "$place/rows.jsonl"
}

peers=()
if [[ " $* " != *" --list "* ]] &&
  [[ " $* " =~ \ (stores|queues|lists|informers)\  || ! " $* " =~ \ [a-z] ]]; then
  rows=$(measure_client_go)
  [[ ! $rows ]] || peers=(--peers "$rows")
fi
printf 'watchlab: load average %s\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)" >&2
exec "$root/build/release/tests/benchmarks/watchlab-bench" "${peers[@]}" "$@"
