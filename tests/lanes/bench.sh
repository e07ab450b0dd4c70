#!/usr/bin/env bash
# bench [NAME…] [--long] [--json]   measures, with a peer of the same run beside each number
#
# Prints the median, the lowest and the highest of seven repetitions. Run it on a quiet machine:
# the load average is printed first, so that a good number can be distinguished from a bad one.
#
# `bench course` measures what students and instructors wait for, in about four minutes: from an
# edit to the verdict, the grading of a submission, a folder of 200.
#
# Examples:
#   ./dev bench
#   ./dev bench course
#   ./dev bench --list
#   ./dev bench timers posts --json
#   ./dev bench modern          # the machine of client-go 0.37 beside that release
#   ./dev bench peers              (Shuttle and Loom, if cargo is here; only when it is named)
#   ./dev bench objects         # heavy: only when named, or with --long
#   ./dev bench lockstep        # an hour of a real Go informer and manager, where Go is there
#   ./dev bench serve           # the server over real sockets, and a real kube-apiserver where judge has built one
#
# Exit: 0 measured, 1 the build failed, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

need product
if [[ ${1:-} == lockstep ]]; then
  shift
  exec "$root/dev" lockstep --measure "$@"
fi
if [[ ${1:-} == course ]]; then
  shift
  need mutants
  build release exercises/grader/watchlab-course exercises/toolkit/libwatchlab-toolkit.so || exit 1
  printf 'watchlab: load average %s\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)" >&2
  exec python3 "$root/tests/course/bench.py" "$@"
fi
build release tests/benchmarks/watchlab-bench scenarios/cli/watchlab || exit 1
# Measures client-go and prints the file with its rows; nothing where that cannot be done. $1 is classic (0.32) or
# modern (0.37, which needs Go 1.26); what follows is for go build.
measure_client_go() {
  local place=$root/build/client-go/$1
  if ! command -v go >/dev/null; then
    say "client-go is left out: there is no go here"
    return
  fi
  mkdir -p "$place"
  if ! (cd "$root/tests/benchmarks/client-go" && go build -trimpath "${@:2}" -o "$place/measure" .) >&2; then
    say "client-go is left out ($1): its program was not built"
    return
  fi
  "$place/measure" >"$place/rows.jsonl" && echo "$place/rows.jsonl"
}

# The same of Shuttle and Loom.
measure_rust() {
  local place=$root/build/peers
  if ! command -v cargo >/dev/null; then
    say "Shuttle and Loom are left out: there is no cargo here"
    return
  fi
  if ! cargo build --quiet --release --locked --target-dir "$place" \
    --manifest-path "$root/tests/benchmarks/peers/Cargo.toml" >&2; then
    say "Shuttle and Loom are left out: their program was not built"
    return
  fi
  "$place/release/watchlab-peers" >"$place/rows.jsonl" && echo "$place/rows.jsonl"
}

# The same of a kube-apiserver, where `./dev judge build` has built one.
measure_real_server() {
  local place=$root/build/real-server program
  program=$(find "$root"/build/judge/*/real-server 2>/dev/null | sort -V | tail -n 1)
  if [[ ! $program ]]; then
    say "kube-apiserver is left out: ./dev judge build has not built it"
    return
  fi
  mkdir -p "$place"
  python3 "$root/tests/benchmarks/real_server.py" "$program" "$place" >"$place/rows.jsonl" && echo "$place/rows.jsonl"
}

# Prints the files with the rows of all peers that are asked for.
measure_peers() {
  [[ " $* " != *" serve "* ]] || measure_real_server
  [[ " $* " != *" peers "* ]] || measure_rust
  [[ ! " $* " =~ \ (stores|queues|lists|informers|fibers)\  && " $* " =~ \ [a-z] ]] || measure_client_go classic
  [[ ! " $* " =~ \ modern\  && " $* " =~ \ [a-z] ]] || measure_client_go modern -tags modern -modfile modern.mod
}

peers=()
if [[ " $* " != *" --list "* ]]; then
  mapfile -t files < <(measure_peers "$@")
  if ((${#files[@]})); then
    cat "${files[@]}" >"$root/build/peers.jsonl"
    peers=(--peers "$root/build/peers.jsonl")
  fi
fi
printf 'watchlab: load average %s\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)" >&2
exec "$root/build/release/tests/benchmarks/watchlab-bench" "${peers[@]}" "$@"
