#!/usr/bin/env bash
# lockstep [--long] [--exact] [--runs N] [--seeds N] [--measure] [NAME…]   plays real Go controllers on a story's clock
#
# First the tests of the Go module run, without a world. Then the stories of docs/go are played, each an hour or less of
# virtual time, several times: all runs of a story must have the same digest. fuzz must find the bug in each program of
# docs/go/mistakes, and nothing without it. Needs Go 1.26; what no registry has is skipped with a line. docs/go.md says
# what is deterministic and what is not.
#
#   NAME        one of module informer informer-0.32 manager manager-0.32 elected operator operator-runtime upstream
#               mistakes claims claims-0.32; module, informer and claims by default. claims is the story whose
#               schedules order the goroutines of its program: its race is found, made small, explained and replayed 20
#               times. upstream runs tests of client-go and controller-runtime themselves, see
#               tests/lockstep/upstream.sh
#   --long      all of them, or those that are named, each story a hundred times, and 1,000 schedules of claims twice,
#               with equal digests; the manager takes minutes to build
#   --exact     with the overlay of Go's runtime, which takes minutes to build; mistakes always have it
#   --runs N    how often each story is played; 5 by default
#   --seeds N   how many stories are drawn for a program without its bug; 100 by default, 2000 with --long
#   --measure   prints how long each story takes instead (the median of its runs), and what the same program does in a
#               minute of real time against `watchlab serve`: `./dev bench lockstep`
#
# Examples:
#   ./dev lockstep
#   ./dev lockstep --runs 100 informer
#
# Exit: 0 all held or were skipped, 1 something differs, 2 bad usage.
: "${root:?a lane is run by ./dev}"

all=(module informer informer-0.32 manager manager-0.32 elected operator operator-runtime upstream mistakes claims claims-0.32)
runs='' wanted=() measure='' exact='' seeds='' long=''
while (($#)); do
  case $1 in
    --long) long=yes ;;
    --exact) exact=yes ;;
    --seeds)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || refuse "lockstep: --seeds needs a number, not '${2-}'"
      seeds=$2
      shift
      ;;
    --runs)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || refuse "lockstep: --runs needs a number, not '${2-}'"
      runs=$2
      shift
      ;;
    --measure) measure=yes ;;
    *)
      [[ " ${all[*]} " == *" $1 "* ]] || refuse "lockstep: there is no $1; there are ${all[*]}"
      wanted+=("$1")
      ;;
  esac
  shift
done
if ((!${#wanted[@]})); then
  wanted=(module informer claims)
  [[ ! $long ]] || wanted=("${all[@]}")
fi
runs=${runs:-${long:+100}} seeds=${seeds:-${long:+2000}}
runs=${runs:-5} seeds=${seeds:-100}

if ! command -v go >/dev/null; then
  echo "skipped lockstep: there is no go"
  exit 0
fi
version=$(go env GOVERSION)
if [[ ! $version =~ ^go1\.([0-9]+) ]] || ((BASH_REMATCH[1] < 26)); then
  echo "skipped lockstep: Go 1.26 is needed, and there is ${version#go}"
  exit 0
fi
need product
export WATCHLAB_ALLOW_RUN=1  # its stories are our own
build release scenarios/cli/watchlab || exit 1
watchlab=$root/build/release/scenarios/cli/watchlab
passed=0 failed=0 skipped=0

# Lets all that is built from now on have the overlay. Fails where it cannot be made.
use_overlay() {
  (cd "$root/scenarios/go" && go run ./overlay -o "$root/build/overlay") || return 1
  export GOFLAGS=-overlay=$root/build/overlay/overlay.json
}

# The story $1, once its Go modules are there; says in a line that it is skipped when they cannot be had.
story=''
prepare() {
  local folder=$root/docs/go file=$1/$1.yaml get=download
  case $1 in
    module) folder=$root/scenarios/go ;;
    elected) file=manager/elected.yaml ;;
    operator) file=operator/client_go.yaml ;;
    operator-runtime) file=operator/controller_runtime.yaml ;;
    mistakes)  # what is found is written beside the programs, so that they are copied
      folder=$root/build/lockstep/mistakes
      file=mistakes/stale_read.yaml
      mkdir -p "$folder"
      cp -r "$root/docs/go/mistakes" "$root/docs/go/go.mod" "$root/docs/go/go.sum" "$folder/"
      (cd "$folder" && go mod edit -replace "example.org/watchlab=$root/scenarios/go")
      ;;
    *-0.32)  # client-go 0.32, and the controller-runtime that belongs to it
      folder=$root/build/lockstep/$1
      file=${1%-*}/${1%-*}.yaml get=tidy
      mkdir -p "$folder"
      cp -r "$root/docs/go/${1%-*}" "$folder/"
      sed -i 's/RunWithContext(ctx)/Run(ctx.Done())/' "$folder/${1%-*}"/*_test.go  # which 0.32 has not
      printf 'module examples\n\ngo 1.25.0\n\nrequire example.org/watchlab v0.0.0\n\nreplace example.org/watchlab => %s\n' \
        "$root/scenarios/go" >"$folder/go.mod"
      (cd "$folder" && go mod edit -require k8s.io/api@v0.32.13 -require k8s.io/apimachinery@v0.32.13 \
        -require k8s.io/client-go@v0.32.13 -require sigs.k8s.io/controller-runtime@v0.20.4)
      ;;
  esac
  story=$folder/$file
  if ! (cd "$folder" && timeout 300 go mod "$get") >/dev/null 2>&1; then
    echo "skipped $1: its Go modules cannot be had"
    skipped=$((skipped + 1))
    return 1
  fi
}

# Of the story $1, which is blank: fuzz finds the mistake of its program, what it finds fails the same each time, and
# without the mistake nothing is found.
check_mistake() {
  local name=$1 folder=$root/build/lockstep/mistakes/mistakes output began=$SECONDS spent same=() digests found
  rm -f "$folder"/found_*.yaml
  if output=$("$watchlab" fuzz --client go "$folder/$name.yaml" --seeds 1..600 --first 2>&1); then
    echo "FAIL  $name: its mistake was not found"
    return 1
  fi
  spent=$((SECONDS - began))
  found=$(find "$folder" -name 'found_*.yaml')
  for ((i = 0; i < 20; i++)); do same+=("$found"); done
  digests=$("$watchlab" digest "${same[@]}" 2>&1 | cut -d' ' -f1 | sort | uniq -c)
  if [[ $output == *divergence* || $(wc -l <<<"$digests") != 1 ]] || "$watchlab" run --quiet "$found" >/dev/null 2>&1; then
    echo "FAIL  $name: what was found does not fail the same each time"
    echo "$output" "$digests"
    return 1
  fi
  if ! output=$(MISTAKE=none "$watchlab" fuzz --client go "$folder/$name.yaml" --seeds "1..$seeds" 2>&1); then
    echo "FAIL  $name: something was found without its mistake"
    echo "$output"
    return 1
  fi
  echo "pass  $name: found in $spent s, 20 of 20 alike, a script of $(sed -n '/^script:/,/^[^ s]/{/^ /p}' "$found" | wc -l) lines;" \
    "nothing in $seeds stories without it"
}

check_mistakes() {
  local folder=$root/build/lockstep/mistakes name
  prepare mistakes || return 0
  if ! (cd "$folder" && use_overlay); then
    echo "skipped mistakes: there is no overlay for this Go"
    skipped=$((skipped + 1))
    return 0
  fi
  local GOFLAGS=-overlay=$root/build/overlay/overlay.json began=$SECONDS
  export GOFLAGS
  (cd "$folder/mistakes" && go test -c -o "$folder/program" .) || return 1
  echo "built the programs of mistakes in $((SECONDS - began)) s, the overlaid runtime and client-go first"
  for name in stale_read double_create lost_tombstone missing_finalizer requeue_storm two_leaders; do
    if check_mistake "$name"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  done
}

# The story claims holds in its default order; explore finds its race, which is replayed, made small and explained.
check_claims() {
  local name=$1 place=$root/build/lockstep/$1 began=$SECONDS output small status=0 twice='' digests
  prepare "$name" || return 0
  mkdir -p "$place"
  if ! (cd "${story%/*}" && go run example.org/watchlab/overlay) >/dev/null 2>&1; then
    echo "skipped $name: there is no overlay for this Go"
    skipped=$((skipped + 1))
    return 0
  fi
  fails() { echo "FAIL  $name: $1"; echo "$output"; failed=$((failed + 1)); }
  output=$("$watchlab" run --quiet "$story" 2>&1) || { fails "it does not hold in its default order"; return; }
  output=$("$watchlab" explore "$story" --schedules 400 --json 2>&1) && { fails "explore does not find the race"; return; }
  sed -n 's/.*"schedule":"\([^"]*\)".*/\1/p' <<<"$output" | head -1 >"$place/found.txt"
  [[ -s $place/found.txt ]] || { fails "explore names no schedule"; return; }
  small=$("$watchlab" shrink "$story" --schedule "@$place/found.txt" 2>"$place/shrunk.txt") || true
  printf '%s\n' "$small" >"$place/small.txt"
  output=$(cat "$place/shrunk.txt")$small
  [[ $small == w1:* && $(grep -o , <<<"$small" | wc -l) -lt 8 ]] || { fails "it is not made small"; return; }
  output=$("$watchlab" replay "$story" --schedule "@$place/small.txt" --times 20 2>&1) || status=$?
  [[ $status == 1 && $output == *"second has the seat"* ]] || { fails "20 replays are not alike"; return; }
  output=$("$watchlab" explain "$story" --schedule "@$place/small.txt" --endings 0 2>&1) || true
  [[ $output == *"claims_test.go:"*"goes on"* || $output == *"claims_test.go:"*"starts"* ]] || { fails "explain names no goroutine"; return; }
  if [[ $long ]]; then
    output=$(for _ in 1 2; do
      "$watchlab" explore "$story" --schedules 1000 --continue --jobs 2 --json 2>&1 || true
    done)
    digests=$(sed -n 's/.*"digest":"\([0-9a-f]*\)","executions":1000,.*/\1/p' <<<"$output")
    [[ $(wc -l <<<"$digests") == 2 && $(uniq <<<"$digests" | wc -l) == 1 ]] || { fails "1,000 schedules twice are not alike"; return; }
    twice=", 1,000 schedules twice alike"
  fi
  echo "pass  $name: found, small, explained, 20 of 20 replays alike$twice, $((SECONDS - began)) s"
  passed=$((passed + 1))
}

# A program that never waits is named by the world, with its place: the module has no turn in which it could.
check_circles() {
  local folder=$root/build/lockstep/circles output
  mkdir -p "$folder"
  (cd "$root/scenarios/go" && go test -c -o "$folder/module.test" .) || return 1
  rm -f "$folder/lives.txt"
  printf '%s\n' 'apiVersion: watchlab/v1' 'name: circles' 'story: A program never waits.' 'clients:' \
    '  - name: program' '    kind: go' \
    '    run: [sh, -c, "echo life >>lives.txt && exec ./module.test -test.run=^TestProgram"]' \
    'script: [{at: 1s, create: demo}]' >"$folder/circles.yaml"
  output=$(WATCHLAB_TEST_PROGRAM=circles "$watchlab" run "$folder/circles.yaml" 2>&1)
  if [[ $? != 1 || $output != *"runs in circles at watchlab_test.go:"* ]]; then
    echo "FAIL  circles: the place is not named"
    echo "$output"
    return 1
  fi
  if [[ $(wc -l <"$folder/lives.txt") != 1 ]]; then  # each play takes seconds of real time
    echo "FAIL  circles: it was played again after that was found"
    return 1
  fi
  echo "pass  circles: $(grep -o 'runs in circles at [^:]*:[0-9]*' <<<"$output")"
}

check_module() {
  prepare module || return 0
  if check_circles; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  local output
  if output=$(cd "$root/scenarios/go" && timeout 600 go vet ./... 2>&1 && timeout 600 go test -timeout 300s . ./overlay 2>&1); then
    echo "pass  module: $(grep -c '^func Test' "$root/scenarios/go/watchlab_test.go") tests"
    passed=$((passed + 1))
  else
    echo "FAIL  module"
    echo "$output"
    failed=$((failed + 1))
  fi
}

# client-go's and controller-runtime's own tests, with our server in the place of their fake client.
check_upstream() {
  local version status output
  for version in 32 37; do
    status=0
    output=$(export root watchlab; "$root/tests/lockstep/upstream.sh" "$version" 2>&1) || status=$?
    if ((status == 3)); then
      echo "skipped upstream, 0.$version: its Go modules cannot be had"
      skipped=$((skipped + 1))
      continue
    fi
    echo "$output"
    passed=$((passed + $(grep -c '^pass ' <<<"$output" || true)))
    failed=$((failed + $(grep -c '^FAIL  upstream' <<<"$output" || true)))
  done
}

# Lets the program of story $1 live for a minute of real time against a server that has the story's objects, and says
# what that took beside the virtual hour.
live_in_real_time() {
  local place=$root/build/lockstep/real/$1 test status=0 spent
  prepare "$1" || return 0
  mkdir -p "$place"
  test=$(sed -n 's/.*-run, \(Test[A-Za-z]*\).*/\1/p' "$story")
  { printf '%s\n' 'apiVersion: watchlab/v1' 'name: minute' 'story: A minute of real time.' 'until: 1m' \
      'clients: [{name: program, kind: external}]'
    sed -n '/^server:/,/^$/p' "$story"; } >"$place/minute.yaml"
  (cd "${story%/*}" && go test -c -o "$place/program" .) || return 1
  spent=$(TIMEFORMAT='%R %U %S'; { time "$watchlab" serve --quiet "$place/minute.yaml" -- \
    "$place/program" -test.v -test.run "^$test\$" >"$place/printed.txt" 2>&1; } 2>&1) || status=$?
  if ((status)) || ! grep -qE ': (synced|echoed)' "$place/printed.txt"; then
    echo "FAIL  $1 in real time"
    cat "$place/printed.txt"
    return 1
  fi
  awk -v name="$1" -v median="${medians[$1]}" '{ printf "%-10s one minute of real time in %.1f s against serve, " \
    "%.2f s of them computing: an hour takes %.0f times as long\n", name, $1, $2 + $3, 60 * $1 / median }' <<<"$spent"
}

declare -A medians
# Prints the median of how many seconds the story $1 takes; what is built is not counted.
measure_story() {
  local output
  prepare "$1" || return 0
  local -a seconds=()
  for ((i = 0; i < runs; i++)); do
    if ! output=$("$watchlab" run "$story" 2>&1); then
      echo "FAIL  $1"
      echo "$output"
      failed=$((failed + 1))
      return
    fi
    seconds+=("$(sed -n 's/^1 held.* in \([0-9.]*\)s$/\1/p' <<<"$output")")
  done
  mapfile -t seconds < <(printf '%s\n' "${seconds[@]}" | sort -n)
  # Each run plays the story twice, and compares.
  mapfile -t seconds < <(printf '%s\n' "${seconds[@]}" | awk '{ printf "%.2f\n", $1 / 2 }')
  printf '%-10s one virtual hour in %s s (median of %d; %s to %s)\n' "$1" "${seconds[runs / 2]}" "$runs" \
    "${seconds[0]}" "${seconds[runs - 1]}"
  medians[$1]=${seconds[runs / 2]}
  passed=$((passed + 1))
}

# Plays the story $1 that often, and compares the digests.
check_story() {
  local output began=$SECONDS
  prepare "$1" || return 0
  if ! output=$("$watchlab" run --quiet "$story" 2>&1); then
    echo "FAIL  $1"
    echo "$output"
    failed=$((failed + 1))
    return
  fi
  local -a same=()
  for ((i = 0; i < runs; i++)); do same+=("$story"); done
  local digests
  digests=$("$watchlab" digest "${same[@]}" | cut -d' ' -f1 | sort | uniq -c | sort -rn)
  local different
  different=$(wc -l <<<"$digests")
  if ((different == 1)); then
    echo "pass  $1: $runs of $runs runs alike, $((SECONDS - began)) s"
    passed=$((passed + 1))
  else
    echo "FAIL  $1: $runs runs, $different different ones"
    echo "$digests"
    failed=$((failed + 1))
  fi
}

if [[ $exact ]] && ! use_overlay; then
  echo "skipped lockstep: there is no overlay for this Go"
  exit 0
fi
check=check_story
if [[ $measure ]]; then
  check=measure_story
  [[ ${wanted[*]} != "module informer claims" ]] || wanted=(informer manager elected)
fi
for each in "${wanted[@]}"; do
  case $each in
    module) check_module ;;
    mistakes) check_mistakes ;;
    upstream) check_upstream ;;
    claims*) check_claims "$each" ;;
    *) "$check" "$each" ;;
  esac
done
# Together, since they mostly wait.
declare -A minutes
for each in "${!medians[@]}"; do
  live_in_real_time "$each" &
  minutes[$each]=$!
done
for each in "${!minutes[@]}"; do
  if wait "${minutes[$each]}"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
