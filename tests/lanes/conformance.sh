#!/usr/bin/env bash
# conformance [--stories N]     plays the stories to the real client-go and compares what it does
#
# All shipped scenarios and N generated stories with legal faults are played by watchlab, and each
# client's part of them by client-go 0.32 in virtual time. Then small generated programs over channels,
# select, locks, conditions and timers are explored by watchlab and played by Go: the outcomes must
# agree with each other and with Go's specification. docs/conformance.md says what is compared.
# Needs Go 1.25 or later; without it there is one line that says so, and with CI set a failure.
#
#   --stories N       how many generated stories (300 if left out), seeds 1 to N
#   --programs N      how many generated programs (300 if left out), seeds 1 to N; 0 for none
#   --defects NAME…   sees the comparison fail instead: breaks the port by the patches of
#                     tests/conformance/defects.txt, or those whose names begin so, and wants a
#                     difference for each; with --table as a first NAME it ends with a table in Markdown
#   --sample N        the same with N of the patches, others at each commit
#   --long            20,000 stories, 300 programs, and then all the defects: some four minutes
#
# Examples:
#   ./watchlab conformance
#   ./watchlab conformance --stories 20000 --programs 0
#   ./watchlab conformance --defects core/d
#
# Exit: 0 no difference (or no Go), 1 differences or no Go in CI, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

stories=300
programs=300
defects=()
long=''
while (($#)); do
  case $1 in
    --stories | --programs)
      [[ ${2:-} =~ ^(0|[1-9][0-9]*)$ ]] || refuse "conformance: $1 takes a number, as in $1 300"
      [[ $1 == --stories ]] && stories=$2 || programs=$2
      shift 2
      ;;
    --sample)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || refuse "conformance: --sample takes a number, as in --sample 4"
      defects=(--sample "$2")
      shift 2
      ;;
    --long)
      stories=20000 long=yes
      shift
      ;;
    --defects)
      shift
      defects=(--sample 0 "$@")
      break
      ;;
    *) refuse "conformance: there is no argument $1; see ./watchlab conformance --help" ;;
  esac
done
((stories > 0)) || refuse "conformance: --stories takes a number from 1 on"

here=$root/build/conformance
mkdir -p "$here"

without_go() {
  if [[ ${CI:-} ]]; then
    say "conformance: $1; in CI that is a failure"
    exit 1
  fi
  say "conformance: skipped: $1"
  exit 0
}

# Prints which Go 1.N is on the PATH; nothing without one.
minor_of_go() {
  command -v go >/dev/null || return 0
  (cd "$root/tests/conformance/client-go" && go env GOVERSION 2>/dev/null) |
    sed -n 's/^go1\.\([0-9]*\).*/\1/p'
}

# Puts a Go that fits on the PATH, out of the module proxy, as Go fetches newer ones of itself. Debian's is
# too old for the tests, but not for that.
fetch_go() {
  local folder
  need go
  folder=$(cd "$here" && go mod download -json \
    "golang.org/toolchain@v0.0.1-go1.25.0.linux-$(dpkg --print-architecture)" |
    sed -n 's/.*"Dir": "\(.*\)",*$/\1/p')
  [[ $folder ]] || return 0
  chmod u+x "$folder"/bin/* "$folder"/pkg/tool/*/*
  export PATH=$folder/bin:$PATH GOTOOLCHAIN=local
}

minor=$(minor_of_go)
if [[ ${CI:-} && ${minor:-0} -lt 25 ]]; then
  fetch_go
  minor=$(minor_of_go)
fi
((${minor:-0} >= 25)) || without_go "Go 1.25 or later is needed, here is ${minor:+Go 1.}${minor:-none}"

# Builds the test program of Go package $1 as $2.
build_judge() {
  (cd "$root/tests/conformance/client-go" && go test -c -o "$here/$2" "$1") || {
    say "conformance: the Go program $2 cannot be built"
    exit 1
  }
}

# Runs judge $1 with what it needs in the environment ($2…). Prints its differences and its summary.
judge() {
  local name=$1 status=0 summary
  shift
  env "$@" "$here/$name" -test.v -test.timeout 2h >"$here/$name.log" 2>&1 || status=1
  sed -n '/SUMMARY/d; s/^ *[a-z]*_test.go:[0-9]*: //p' "$here/$name.log"
  summary=$(sed -n 's/^.*SUMMARY //p' "$here/$name.log")
  [[ $summary ]] || {
    tail -n 50 "$here/$name.log" >&2
    say "conformance: the Go program $name did not come to its end"
    return 1
  }
  echo "$summary"
  return "$status"
}

need product
targets=("$program")
((programs == 0)) || targets+=(tests/conformance/conformance-primitives)
build release "${targets[@]}" || exit 1
build_judge . client-go

see_it_fail() {
  need mutants
  python3 "$root/tests/conformance/defects.py" --program "$program" --judge "$here/client-go" "$@"
}

if ((${#defects[@]})); then
  see_it_fail "${defects[@]}"
  exit
fi

status=0
"$root/build/release/$program" transcribe --quiet "$root/scenarios" --stories "1..$stories" \
  -o "$here/transcripts.jsonl" || status=1
judge client-go "WATCHLAB_TRANSCRIPTS=$here/transcripts.jsonl" || status=1
if ((programs > 0)); then
  build_judge ./primitives primitives
  "$root/build/release/tests/conformance/conformance-primitives" "$programs" \
    >"$here/programs.jsonl" || status=1
  judge primitives "WATCHLAB_PROGRAMS=$here/programs.jsonl" || status=1
fi
[[ ! $long ]] || see_it_fail || status=1
exit "$status"
