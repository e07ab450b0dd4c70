#!/usr/bin/env bash
# races [--versions] [--measure] [WHAT…]   explores the goroutines of Go tests, with the overlay of Go's runtime
#
# Needs Go 1.25 or newer. The first run builds the standard library with the overlay, which takes up to a minute and is
# kept in Go's cache; what no registry has is skipped with a line. docs/go-races.md is the guide.
#
#   WHAT         module, race and client-go; all by default:
#                  module     the overlay fits the installed Go, and the small programs with known bugs: each is found,
#                             made small, explained, and replayed in a hundred processes; all tests of a package are
#                             explored, and which do not fit is said
#                  race       a data race is found by -race, and an access to memory is a point
#                  client-go  an informer of unmodified client-go holds; the races that live in it are pieces of ./dev museum
#   --versions   module with each version of Go that the overlay knows; GOTOOLCHAIN downloads those that are missing
#   --measure    prints what a point costs, and how many runs there are in a second
#
# Examples:
#   ./dev races
#   ./dev races --versions module
#
# Exit: 0 all held or were skipped, 1 something failed, 2 bad usage.
: "${root:?a lane is run by ./dev}"

all=(module race client-go)
wanted=() versions='' measure=''
while (($#)); do
  case $1 in
    --versions) versions=yes ;;
    --measure) measure=yes ;;
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
