#!/usr/bin/env bash
# test [SUITE…] [--long]        builds and runs the tests, two programs at a time
#
# Prints one line for each program, the output of those that fail, and at the very end `N passed, N failed`, which counts
# test cases. A program that dies counts as one more failed case.
#
#   SUITE         a test program (core-cache), the start of its name (core), or a suite, which is the stem of a file
#                 (delta_fifo_test); a suite may name cases: delta_fifo_test/pop*
#   --long        plays many more seeds, minutes instead of seconds
#   --build TREE  another build than release: debug, clang, asan or tsan
#   --list        lists the programs and runs none
#
# Examples:
#   ./dev test
#   ./dev test sim-kernel delta_fifo_test
#   ./dev test core-runtime --build tsan
#
# Exit: 0 all passed, 1 some failed, 2 bad usage.
: "${root:?a lane is run by ./dev}"

tree=release
suites=()
list=''
while (($#)); do
  case $1 in
    --long) export WATCHLAB_LONG=1 ;;
    --list) list=yes ;;
    --build)
      tree=${2:-}
      shift
      ;;
    -*) refuse "test: there is no flag $1; see ./dev test --help" ;;
    *) suites+=("$1") ;;
  esac
  shift
done

# A sanitizer looks for wrong memory, not for rare schedules, and costs twenty times the time.
[[ $tree != [at]san ]] || export WATCHLAB_BRIEF=1

need product
need mutants  # the patches of exercises are applied with it
place=$root/build/$tree
export tree results=$place/tests/results
if ! build "$tree" build.ninja; then  # so that the list of programs is that of today
  echo "0 passed, 1 failed"
  exit 1
fi

# Prints `NAME PATH` of each program that $1 may mean, and the filter if $1 is a suite.
programs_of() {
  local stem=${1%%/*} list=$place/tests/programs.txt folder
  if grep "^$stem " "$list" || grep "^$stem" "$list"; then
    return
  fi
  folder=$(cd "$root" && find tests -name "$stem.cpp" -printf '%h\n' | head -n 1)
  [[ $folder ]] || return 1
  # A folder has its programs beside each other; those of tests itself stand one folder deeper.
  [[ $folder != tests ]] || folder=tests/${stem%_test}
  # Or, where that folder has no program, of a folder beside it.
  sed -n "s|^[^ ]* $folder/[^/]*\$|& $1|p" "$list" | grep . || sed -n "s|^[^ ]* ${folder%/*}/.*\$|& $1|p" "$list" | grep .
}

chosen=$(mktemp)
trap 'rm -f "$chosen" "$chosen.here"' EXIT
if ((${#suites[@]} == 0)); then
  cp "$place/tests/programs.txt" "$chosen"
fi
for suite in "${suites[@]}"; do
  programs_of "$suite" >>"$chosen" ||
    refuse "test: no program and no suite is called $suite; ./dev test --list names them"
done
if [[ $list ]]; then
  cut -d ' ' -f 1 "$chosen"
  exit 0
fi

mapfile -t targets < <(cut -d ' ' -f 2 "$chosen" | sort -u)
if ! build "$tree" "${targets[@]}"; then
  echo "0 passed, 1 failed"
  exit 1
fi

# A suite stands in one program of its folder.
while read -r name path suite; do
  if [[ ! $suite ]] || "$place/$path" --list_content 2>&1 | grep "^${suite%%/*}\*" >/dev/null; then
    echo "$name $path${suite:+ $suite}"  # no blank at the end: to xargs it would join two lines
  fi
done <"$chosen" >"$chosen.here"
# The longest begin first: one that begins last would run alone at the end, beside an idle processor.
awk -v slow="exercises-hostile exercises-grading scenarios-cli sim-explore-oracle sim-explore sim-litmus scenarios-language" '
  BEGIN { count = split(slow, names); for (i = 1; i <= count; i++) place[names[i]] = i }
  { print ($1 in place ? place[$1] : count + 1), $0 }' "$chosen.here" | sort -s -n -k 1,1 | cut -d ' ' -f 2- >"$chosen"

# shellcheck source=tests/sanitizer_options.sh
source "$root/tests/sanitizer_options.sh"

# The sum of an attribute of the report's outermost suite; nothing if the program wrote none.
attribute() { sed -n "s/.* $2=\"\([0-9]*\)\".*/\1/p;q" "$1" 2>/dev/null; }
export -f attribute

# Runs program NAME at PATH with an optional suite FILTER and prints what came of it.
run_program() {
  local name=$1 path=build/$tree/$2 filter=${3:-} started=$EPOCHREALTIME status=0 report log passed failed
  report=$results/$name${filter:+.${filter//[^a-z0-9_]/_}}
  log=$report.log
  # shellcheck disable=SC2086 # the personality is a command and its flag, or nothing
  timeout -k 10 "${WATCHLAB_TEST_TIMEOUT:-1800}" $personality "$path" \
    ${filter:+--run_test="$filter"} --report_format=XML --report_level=short \
    --report_sink="$report.xml" --log_level=error --color_output=no </dev/null >"$log" 2>&1 ||
    status=$?
  passed=$(attribute "$report.xml" test_cases_passed)
  failed=$(attribute "$report.xml" test_cases_failed)
  if [[ ! $passed ]] || ((status != 0 && failed == 0)); then
    failed=1  # it died, or complained at its end
    cat "$report.xml" >>"$log" 2>/dev/null || true
  fi
  : "${passed:=0}"
  echo "$passed $failed" >"$report.count"
  exec 9>>"$results/.lock"
  flock 9  # two programs may end at the same moment
  printf '%s %-28s %5d cases %8.1f s\n' "$( ((failed)) && echo FAIL || echo pass)" \
    "$name${filter:+ $filter}" "$((passed + failed))" \
    "$(awk -v from="$started" -v to="$EPOCHREALTIME" 'BEGIN { print to - from }')"
  if ((failed)); then
    ((status != 124)) || echo "  stopped after ${WATCHLAB_TEST_TIMEOUT:-1800} s"
    sed 's/^/  /' "$log"
    echo "  again: (exit $status) $path${filter:+ --run_test=$filter}"
  fi
}
export -f run_program

personality=''
if [[ $tree == tsan ]] && setarch -R true 2>/dev/null; then
  personality='setarch -R'  # TSan's shadow does not fit every random layout
fi
export personality

rm -rf "$results"
mkdir -p "$results"
cd "$root" || exit 2  # tests name files of the tree from here
xargs -P 2 -L 1 bash -c 'run_program "$@"' run <"$chosen"
awk '{ passed += $1; failed += $2 }
     END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }' "$results"/*.count
