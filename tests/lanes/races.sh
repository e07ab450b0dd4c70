#!/usr/bin/env bash
# races [--versions] [--measure] [--hunt SECONDS] [WHAT…]   explores the goroutines of Go tests, with the overlay of Go's runtime
#
# Needs Go 1.25 or newer. The first run builds the standard library with the overlay, which takes up to a minute and is
# kept in Go's cache. A line names what is skipped because no registry has it. docs/go-races.md is the guide.
#
#   WHAT         module, race and client-go; all by default:
#                  module     the overlay fits the installed Go, and the small programs with known bugs: each is found,
#                             shrunk, explained, and replayed in a hundred processes; all tests of a package are
#                             explored, and those that don't fit are named
#                  race       -race finds a data race, and goroutines can stop at each memory access
#                  client-go  the informers, queues, broadcasters and electors of unmodified client-go hold in a few
#                             hundred orders each; the races that live in them are pieces of ./dev museum
#   --versions   module with each version of Go that the overlay knows; GOTOOLCHAIN downloads those that are missing
#   --measure    prints what a point costs, and how many runs a second there are
#   --hunt N     instead of all that, explores the tests of client-go 0.37 and 0.32 for N seconds, without and with -race:
#                15 s for each test, then another round with other orders. Prints each finding with the line to replay it
#
# Examples:
#   ./dev races
#   ./dev races --versions module
#   ./dev races --hunt 3600
#
# Exit: 0 all held or were skipped, 1 something failed, 2 bad usage.
: "${root:?a lane is run by ./dev}"

all=(module race client-go)
wanted=() versions='' measure='' hunt=''
while (($#)); do
  case $1 in
    --versions) versions=yes ;;
    --measure) measure=yes ;;
    --hunt)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || refuse "races: --hunt needs a number of seconds, not '${2-}'"
      hunt=$2
      shift
      ;;
    *)
      [[ " ${all[*]} " == *" $1 "* ]] || refuse "races: there is no $1; there are ${all[*]}"
      wanted+=("$1")
      ;;
  esac
  shift
done
((${#wanted[@]})) || wanted=("${all[@]}")

if ! command -v go >/dev/null; then
  echo "skipped races: there is no go"
  exit 0
fi
module=$root/scenarios/go
if ! (cd "$module" && go mod download) >/dev/null 2>&1; then
  echo "skipped races: this Go cannot have the modules of scenarios/go ($(go env GOVERSION 2>/dev/null || echo no version))"
  exit 0
fi
if ! overlay=$(cd "$module" && go run ./overlay 2>&1); then
  echo "skipped races: ${overlay##*$'\n'}"
  exit 0
fi
passed=0 failed=0 skipped=0

# Runs the command behind the name $1, and prints what it has printed if it fails.
check() {
  local name=$1 began=$SECONDS output
  shift
  if output=$("$@" 2>&1); then
    echo "pass  $name, $((SECONDS - began)) s"
    passed=$((passed + 1))
  else
    echo "FAIL  $name"
    echo "$output"
    failed=$((failed + 1))
  fi
}

module_tests() {
  cd "$module" && go vet ./instrument ./overlay ./goroutines ./explore ./scoreboard &&
    GOFLAGS=-overlay=$overlay timeout 600 go test -vet=off -run '^TestTheWorldOrdersGoroutines$' . &&
    timeout 600 go test -timeout 500s ./instrument ./goroutines ./explore ./scoreboard
}

race_test() {
  cd "$module" && timeout 600 go test -race -vet=off -timeout 500s -run '^(TestADataRaceIsFound|TestAnAccessIsAPoint)$' ./goroutines
}

client_go_tests() { cd "$root/docs/go" && timeout 600 go test -vet=off ./races; }

# The tests of client-go for another version than that of docs/go, in a copy.
races_of() {
  local folder=$root/build/races/$1
  mkdir -p "$folder"
  cp -r "$root/docs/go/races" "$folder/"
  sed -i '/ // not 0.32$/d' "$folder"/races/*_test.go
  printf 'module watchlab/examples\n\ngo 1.25.0\n\nrequire example.org/watchlab v0.0.0\n\nreplace example.org/watchlab => %s\n' \
    "$module" >"$folder/go.mod"
  (cd "$folder" && go mod edit -require "k8s.io/api@v$1" -require "k8s.io/apimachinery@v$1" -require "k8s.io/client-go@v$1" &&
    timeout 300 go mod tidy) >/dev/null 2>&1 && echo "$folder"
}

# One round: each test for 15 s, in each way. The round $1 is part of the seeds. Prints what was found.
hunt_once() {
  local folder race
  for folder in "$root/docs/go" "${old[@]}"; do
    for race in '' -race; do
      ((SECONDS < hunt)) || return 0
      echo "round $1: ${folder#"$root/"} ${race:-without -race}, after $SECONDS s"
      (cd "$folder" && WATCHLAB_HUNT=15s WATCHLAB_HUNT_SEED=$1 timeout $((hunt - SECONDS + 30)) \
        go test ${race:+"$race"} -v -vet=off -timeout 0 ./races 2>&1) | grep --line-buffered -v '^=== RUN\|^PASS\|^ok' || true
    done
  done
}

if [[ $hunt ]]; then
  mapfile -t old < <(races_of 0.32.13)
  for ((round = 1, SECONDS = 0; SECONDS < hunt; ++round)); do hunt_once "$round"; done
  echo "hunted for $SECONDS s, $((round - 1)) rounds"
  exit
fi

for each in "${wanted[@]}"; do
  case $each in
    module)
      check module module_tests
      [[ $versions ]] || continue
      for version in $(sed -n 's/^var Known = .*{\(.*\)}/\1/p' "$module/instrument/changes.go" | tr -d '",'); do
        check "module, $version" env GOTOOLCHAIN="$version.0" bash -c "cd '$module' && go test -vet=off ./goroutines"
      done
      ;;
    race)
      if [[ $(go env CGO_ENABLED) == 1 ]] && command -v "$(go env CC)" >/dev/null; then
        check race race_test
      else
        echo "skipped race: -race needs a C compiler"
        skipped=$((skipped + 1))
      fi
      ;;
    client-go)
      if (cd "$root/docs/go" && timeout 300 go mod download) >/dev/null 2>&1; then
        check client-go client_go_tests
      else
        echo "skipped client-go: its Go modules cannot be had"
        skipped=$((skipped + 1))
      fi
      ;;
  esac
done
if [[ $measure ]]; then
  (cd "$module" && GOMAXPROCS=1 go test -vet=off -overlay "$overlay" -run '^$' -bench Cost ./goroutines | grep ^Benchmark)
  (cd "$module" && go test -vet=off -count=1 -v -run 'SmallAndReplayed/correct|AllOrders' ./goroutines | grep -o '[0-9]* runs passed.*')
fi
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
