#!/usr/bin/env bash
# lockstep [--long] [--runs N] [--measure] [NAME…]   real Go controllers in stories of ours, on the story's clock
#
# The tests of the Go module play its traps, without a world. Then the stories of docs/go are played, each an hour or
# less of virtual time, and each several times: the digests of all runs must be the same. Needs Go 1.26; what no
# registry answers for is skipped, in a line. docs/go.md says what is deterministic, and what is not.
#
#   NAME        one of them: module informer informer-0.32 manager elected; module and informer if left out
#   --long      all of them, each story a hundred times; the manager takes minutes to build
#   --runs N    how often each story is played; 5 if left out
#   --measure   prints how long each story takes instead, the median of its runs: `./watchlab bench lockstep`
#
# Examples:
#   ./watchlab lockstep
#   ./watchlab lockstep --runs 100 informer
#
# Exit: 0 all held or were skipped, 1 something came differently, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

all=(module informer informer-0.32 manager elected)
runs='' wanted=() measure=''
while (($#)); do
  case $1 in
    --long) wanted=("${all[@]}") runs=${runs:-100} ;;
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
((${#wanted[@]})) || wanted=(module informer)
runs=${runs:-5}

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
build release scenarios/cli/watchlab || exit 1
watchlab=$root/build/release/scenarios/cli/watchlab
passed=0 failed=0 skipped=0

# The story $1, once its Go modules are there; says in a line that it is skipped when they cannot be had.
story=''
prepare() {
  local folder=$root/docs/go file=$1/$1.yaml get=download
  case $1 in
    module) folder=$root/scenarios/go ;;
    elected) file=manager/elected.yaml ;;
    informer-0.32)
      folder=$root/build/lockstep/0.32
      file=informer/informer.yaml get=tidy
      mkdir -p "$folder"
      cp -r "$root/docs/go/informer" "$folder/"
      printf 'module examples\n\ngo 1.25.0\n\nrequire watchlab v0.0.0\n\nreplace watchlab => %s\n' \
        "$root/scenarios/go" >"$folder/go.mod"
      (cd "$folder" && go mod edit -require k8s.io/api@v0.32.13 -require k8s.io/apimachinery@v0.32.13 \
        -require k8s.io/client-go@v0.32.13)
      ;;
  esac
  story=$folder/$file
  if ! (cd "$folder" && timeout 300 go mod "$get") >/dev/null 2>&1; then
    echo "skipped $1: its Go modules cannot be had"
    skipped=$((skipped + 1))
    return 1
  fi
}

check_module() {
  prepare module || return 0
  local output
  if output=$(cd "$root/scenarios/go" && timeout 600 go vet ./... 2>&1 && timeout 600 go test -timeout 300s ./... 2>&1); then
    echo "pass  module: $(grep -c '^func Test' "$root/scenarios/go/watchlab_test.go") tests"
    passed=$((passed + 1))
  else
    echo "FAIL  module"
    echo "$output"
    failed=$((failed + 1))
  fi
}

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
  printf '%-10s one virtual hour in %s s (median of %d; %s to %s)\n' "$1" "${seconds[runs / 2]}" "$runs" \
    "${seconds[0]}" "${seconds[runs - 1]}"
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

check=check_story
if [[ $measure ]]; then
  check=measure_story
  [[ ${wanted[*]} != "module informer" ]] || wanted=(informer manager elected)
fi
for each in "${wanted[@]}"; do
  case $each in
    module) check_module ;;
    *) "$check" "$each" ;;
  esac
done
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
