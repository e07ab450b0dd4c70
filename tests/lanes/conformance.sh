#!/usr/bin/env bash
# conformance [--stories N]     plays the stories to the real client-go and compares what it does
#
# All shipped scenarios, generated stories with legal faults, stories of watchlab fuzz and stories with
# illegal faults are played by watchlab, and each client's part of them, up to its end, by client-go 0.32
# in virtual time. Then small generated programs over channels,
# select, locks, conditions and timers are explored by watchlab and played by Go: the outcomes must
# agree with each other and with Go's specification. docs/conformance.md says what is compared.
# Needs Go 1.25 or later; without it there is one line that says so, and with CI set a failure.
#
#   --stories N       how many generated stories (300 if left out), seeds 1 to N
#   --fuzz N          how many stories of watchlab fuzz (200 if left out), seeds 1 to N; 0 for none
#   --from SEED       the first seed of those instead of 1
#   --illegal N       how many stories with illegal faults (100 if left out), seeds 1 to N; 0 for none
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
fuzz=200
from=1
illegal=100
programs=300
defects=()
long=''
while (($#)); do
  case $1 in
    --stories | --fuzz | --from | --illegal | --programs)
      [[ ${2:-} =~ ^(0|[1-9][0-9]*)$ ]] || refuse "conformance: $1 takes a number, as in $1 300"
      printf -v "${1#--}" %s "$2"
      shift 2
      ;;
    --sample)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || refuse "conformance: --sample takes a number, as in --sample 4"
      defects=(--sample "$2")
      shift 2
      ;;
    --long)
      stories=20000 fuzz=5000 illegal=2000 long=yes
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

# In file $1 puts $3 for $2, which must stand there $4 times.
replace_in() {
  local count
  count=$(grep -cF -- "$2" "$1" || true)
  ((count == $4)) || {
    say "conformance: ${1##*/} of client-go has '$2' $count times, not $4 times"
    exit 1
  }
  OLD=$2 NEW=$3 perl -pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$1"
}

# Copies module k8s.io/$1 below $here/k8s.
copy_module() {
  local from
  from=$(cd "$root/tests/conformance/client-go" && go mod download "k8s.io/$1" &&
    go list -m -f '{{.Dir}}' "k8s.io/$1") || return 1
  cp -R "$from" "$here/k8s/$1" && chmod -R u+w "$here/k8s/$1"
}

# Makes copies of client-go and apimachinery that ask the judge wherever Go leaves a choice open, and
# $here/go.mod, which names them. docs/conformance.md says what is replaced and why.
open_choices() {
  local cache=$here/k8s/client-go/tools/cache wait=$here/k8s/apimachinery/pkg/util/wait stamp
  stamp=$(cat "$root/tests/lanes/conformance.sh" "$root"/tests/conformance/client-go/go.{mod,sum} |
    cksum)
  [[ $(cat "$here/k8s/stamp" 2>/dev/null) != "$stamp" ]] || return 0
  [[ ! -d $here/k8s ]] || chmod -R u+w "$here/k8s"
  rm -rf "$here/k8s"
  mkdir -p "$here/k8s"
  if ! copy_module client-go || ! copy_module apimachinery; then
    say "conformance: client-go cannot be fetched"
    exit 1
  fi
  # A bubble's time stands still while a goroutine waits for a sync.Mutex: so the queues get another.
  replace_in "$cache/delta_fifo.go" 'lock sync.RWMutex' 'lock openLock' 1
  replace_in "$cache/fifo.go" 'lock sync.RWMutex' 'lock openLock' 1
  # ... and while it waits for a channel that was made outside: so "never" is made inside.
  replace_in "$cache/reflector.go" 'return neverExitWatch,' 'return make(chan time.Time),' 1
  # The order of a Go map is open.
  replace_in "$cache/delta_fifo.go" 'knownKeys := f.knownObjects.ListKeys()' \
    'knownKeys := hooks.Order("tombstones", f.knownObjects.ListKeys())' 1
  replace_in "$cache/delta_fifo.go" 'keys := f.knownObjects.ListKeys()' \
    'keys := hooks.Order("resync", f.knownObjects.ListKeys())' 1
  replace_in "$cache/fifo.go" 'for id := range items {' \
    'for _, id := range hooks.Keys("replace", items) {' 1
  replace_in "$cache/shared_informer.go" 'range s.indexer.List() {' \
    'range hooks.InOrder("initial", s.indexer.List(), openKey) {' 1
  # The random part of a backoff is open.
  replace_in "$wait/wait.go" 'time.Duration(rand.Float64()*maxFactor*float64(duration))' \
    'hooks.Extra(duration, maxFactor)' 1
  replace_in "$wait/wait.go" '"math/rand"' '"watchlab/conformance/hooks"' 1
  sed -i '0,/^\t"sync"$/s//\t"sync"\n\n\t"watchlab\/conformance\/hooks"/' \
    "$cache/delta_fifo.go" "$cache/fifo.go"
  sed -i '0,/^\t"sync"$/s//\t"sync"\n\n\t"watchlab\/conformance\/hooks"/' "$cache/shared_informer.go"
  cat >"$cache/open_choices.go" <<'END'
package cache

import "watchlab/conformance/hooks"

type openLock = hooks.Lock

func openKey(object interface{}) string {
	key, _ := MetaNamespaceKeyFunc(object)
	return key
}
END
  cp "$root"/tests/conformance/client-go/go.{mod,sum} "$here/"
  for module in client-go apimachinery; do
    go mod edit -replace "k8s.io/$module=$here/k8s/$module" "$here/go.mod"
  done
  echo "$stamp" >"$here/k8s/stamp"
}

# Builds the test program of Go package $1 as $2.
build_judge() {
  (cd "$root/tests/conformance/client-go" && go test -modfile "$here/go.mod" -c -o "$here/$2" "$1") || {
    say "conformance: the Go program $2 cannot be built"
    exit 1
  }
}

# What made the lane fail, a few words each; and what came of each part.
failures=()
parts=()

# Runs judge $1 with what it needs in the environment ($2…). Prints its differences; keeps its summary.
judge() {
  local name=$1 status=0 summary differing
  shift
  env "$@" "$here/$name" -test.v -test.timeout 2h >"$here/$name.log" 2>&1 || status=$?
  sed -n '/SUMMARY/d; s/^ *[a-z]*_test.go:[0-9]*: //p' "$here/$name.log"
  summary=$(sed -n 's/^.*SUMMARY //p' "$here/$name.log")
  [[ $summary ]] || {
    tail -n 50 "$here/$name.log" >&2
    failures+=("the Go program $name did not come to its end")
    return 0
  }
  parts+=("$summary")
  differing=$(grep -oE '[1-9][0-9]* (differ|lines are no transcripts)' <<<"$summary" | paste -sd, || true)
  if [[ $differing ]]; then
    failures+=("$name: $differing")
  elif ((status != 0)); then
    failures+=("the Go program $name failed, see $here/$name.log")
  fi
}

# Prints what came of all; the last line says why, if the lane fails.
summarise() {
  printf '%s\n' "${parts[@]}"
  if ((${#failures[@]})); then
    local IFS=';'
    echo "conformance: failed: ${failures[*]}"
    return 1
  fi
  echo "conformance: nothing differs"
}

open_choices
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

seeds=(--stories "1..$stories")
((fuzz == 0)) || seeds+=(--fuzz "$from..$((from + fuzz - 1))")
((illegal == 0)) || seeds+=(--illegal "1..$illegal")
status=0
"$root/build/release/$program" transcribe --quiet "$root/scenarios" "${seeds[@]}" \
  -o "$here/transcripts.jsonl" 2> >(tee "$here/transcribe.log" >&2) || status=$?
if ((status != 0)); then
  failures+=("$(tail -n 1 "$here/transcribe.log" || true) (transcribe ends with $status)")
fi
judge client-go "WATCHLAB_TRANSCRIPTS=$here/transcripts.jsonl"
if ((programs > 0)); then
  build_judge ./primitives primitives
  "$root/build/release/tests/conformance/conformance-primitives" "$programs" \
    >"$here/programs.jsonl" || failures+=('the programs could not be explored')
  judge primitives "WATCHLAB_PROGRAMS=$here/programs.jsonl"
fi
if [[ $long ]] && ! see_it_fail; then
  failures+=('a defect is not as tests/conformance/defects.txt says')
fi
summarise
