#!/usr/bin/env bash
# bench [NAME…] [--long] [--json]   runs the benchmarks, with comparable programs beside ours
#
# Prints the median, the lowest and the highest of seven repetitions. Run it on a quiet machine; the load average is
# printed first, so that you can judge the numbers.
#
# `bench course` measures what students and instructors wait for, in about four minutes: from an edit to the verdict,
# grading a submission, a folder of 200.
#
# `bench build` builds the engine (the libraries that the first story needs), then the product and then all tests in a
# fresh folder without a compiler cache, and prints the processor time of each; the product's has the engine in it, that of
# the tests has neither. The product takes two to three minutes on two idle cores, the tests several times as much; `bench
# build engine` and `bench build product` stop there.
#
# Examples:
#   ./dev bench
#   ./dev bench course
#   ./dev bench build product
#   ./dev bench --list
#   ./dev bench timers posts --json
#   ./dev bench modern          # core 0.37 beside client-go 0.37
#   ./dev bench peers           # Shuttle and Loom, if cargo is installed; only when named
#   ./dev bench objects         # heavy: only when named, or with --long
#   ./dev bench lockstep        # an hour of a real Go informer and manager; needs Go
#   ./dev bench serve           # the server over real sockets, and a real kube-apiserver if judge has built one
#
# Exit: 0 measured, 1 the build failed, 2 bad usage.
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
# Builds $4… in folder $tree and prints row $1, whose aim is at most $2 seconds of processor. $3 were spent on it before.
build_row() {
  local name=build.$1 user system wall format='%-34s %12.1f %-12s in %.0f s, aim %s\n'
  TIMEFORMAT='%U %S %R'
  { time ninja -C "$tree" ${WATCHLAB_JOBS:+-j "$WATCHLAB_JOBS"} "${@:4}" >"$tree.log" 2>&1; } 2>"$tree.times" ||
    { tail -n 20 "$tree.log" >&2; refuse "bench: $name was not built; the whole log is build/bench.log"; }
  read -r user system wall <"$tree.times"
  spent=$(awk "BEGIN { print $user + $system + $3 }")
  [[ ! $json ]] || format='{"name":"%s","median":%.1f,"unit":"%s","wall":%.1f,"repetitions":1,"aim":"%s"}\n'
  # shellcheck disable=SC2059 # one of the two above
  printf "$format" "$name" "$spent" "s processor" "$wall" "<= $2"
}

if [[ ${1:-} == build ]]; then
  parts=tests json='' spent=0
  for word in "${@:2}"; do
    case $word in
      engine | product) parts=$word ;;
      --json) json=yes ;;
      *) refuse "bench: after build expected engine, product or --json, not '$word'" ;;
    esac
  done
  export CCACHE_DISABLE=1 LC_ALL=C
  tree=$root/build/bench
  printf 'watchlab: load average %s\n' "$(cut -d ' ' -f 1-3 /proc/loadavg)" >&2
  rm -rf "$tree"
  CXX=${CXX:-g++} meson setup --buildtype=release "$tree" "$root" >"$tree.log" || { tail -n 5 "$tree.log" >&2; exit 1; }
  build_row engine 150 0 tests/packaging/engine
  [[ $parts == engine ]] || build_row product 330 "$spent" "$program"
  [[ $parts != tests ]] || build_row tests 700 0
  rm -rf "$tree"
  exit 0
fi
build release tests/benchmarks/watchlab-bench scenarios/cli/watchlab || exit 1
# Measures client-go and prints the file with its rows; nothing where that cannot be done. $1 is classic (0.32) or
# modern (0.37, which needs Go 1.26), $2 the modules of tests/conformance/client-go, the rest for go build.
measure_client_go() {
  local place=$root/build/client-go/$1 ending
  if ! command -v go >/dev/null; then
    say "client-go is left out: there is no go here"
    return
  fi
  mkdir -p "$place"
  for ending in mod sum; do cp "$root/tests/conformance/client-go/$2.$ending" "$place/go.$ending"; done
  if ! (cd "$root/tests/benchmarks/client-go" &&
    go build -trimpath -mod=mod -modfile "$place/go.mod" "${@:3}" -o "$place/measure" .) >&2; then
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
  [[ ! " $* " =~ \ (stores|queues|lists|informers|fibers)\  && " $* " =~ \ [a-z] ]] || measure_client_go classic go
  [[ ! " $* " =~ \ modern\  && " $* " =~ \ [a-z] ]] || measure_client_go modern releases/0.37 -tags modern
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
