#!/usr/bin/env bash
# conformance [--stories N]     plays the stories to the real client-go and compares the two
#
# watchlab plays all shipped scenarios, generated stories with legal faults, stories of watchlab fuzz and stories with
# illegal faults. client-go plays each client's part in virtual time, up to its end. Then watchlab explores small
# generated programs over channels, select, locks, conditions and timers, and Go runs them: the outcomes must agree with
# each other and with Go's specification. docs/conformance.md says what is compared. Needs Go 1.25 or later, for
# client-go 0.37 Go 1.26; without Go the lane prints one line, and fails if CI is set.
#
#   --stories N       how many generated stories (default 300), seeds 1 to N
#   --fuzz N          how many stories of watchlab fuzz (default 200), seeds 1 to N; 0 for none
#   --from SEED       the first seed of those instead of 1
#   --shapes N        how many stories about one thing each, such as expired pages or a stop while much is in flight
#                     (default 100), seeds 1 to N; 0 for none
#   --illegal N       how many stories with illegal faults (default 100), seeds 1 to N; 0 for none
#   --programs N      how many generated programs (default 300), seeds 1 to N; 0 for none
#   --machine NAMES   which machines, separated by commas, or all: classic (the default), 0.33, 0.35, 0.36, modern; each
#                     beside its own release of client-go: 0.32, 0.33, 0.35, and 0.37 for the last two
#   --defects NAME…   tests the comparison: breaks the machines by the patches in tests/conformance/defects.txt, or those
#                     whose names start like this, and expects a difference for each; with --table as the first NAME it
#                     prints a Markdown table at the end
#   --sample N        the same with N of the patches, others at each commit
#   --long            20,000 stories, 300 programs, then all defects: some four minutes
#
# Examples:
#   ./dev conformance
#   ./dev conformance --stories 20000 --programs 0
#   ./dev conformance --machine all --fuzz 1000 --programs 0
#   ./dev conformance --defects core/d
#
# Exit: 0 no difference (or no Go), 1 differences or no Go in CI, 2 bad usage.
: "${root:?a lane is run by ./dev}"

all_machines=(classic 0.33 0.35 0.36 modern)
stories=300
fuzz=200
from=1
shapes=100
illegal=100
programs=300
machines=(classic)
defects=()
long=''
while (($#)); do
  case $1 in
    --stories | --fuzz | --from | --shapes | --illegal | --programs)
      [[ ${2:-} =~ ^(0|[1-9][0-9]*)$ ]] || refuse "conformance: $1 takes a number, as in $1 300"
      printf -v "${1#--}" %s "$2"
      shift 2
      ;;
    --sample)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || refuse "conformance: --sample takes a number, as in --sample 4"
      defects=(--sample "$2")
      shift 2
      ;;
    --machine)
      IFS=, read -ra machines <<<"${2:-}"
      [[ ${2:-} != all ]] || machines=("${all_machines[@]}")
      for machine in "${machines[@]:-}"; do
        [[ $machine && " ${all_machines[*]} " == *" $machine "* ]] ||
          refuse "conformance: --machine takes one of ${all_machines[*]}, several with commas between, or all"
      done
      shift 2
      ;;
    --long)
      stories=20000 fuzz=5000 shapes=5000 illegal=2000 long=yes
      shift
      ;;
    --defects)
      shift
      defects=(--sample 0 "$@")
      break
      ;;
    *) refuse "conformance: there is no argument $1; see ./dev conformance --help" ;;
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
    "golang.org/toolchain@v0.0.1-go1.26.0.linux-$(dpkg --print-architecture)" |
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

# The release of client-go that plays a machine, and what its gates are set to beside their defaults.
release_of() {
  case $1 in
    classic) echo 0.32 ;;
    0.33 | 0.35) echo "$1" ;;
    *) echo 0.37 ;;
  esac
}
gates_of() { [[ $1 != 0.36 ]] || echo KUBE_FEATURE_UnlockWhileProcessingFIFO=false; }

# The file that names the modules of release $1, without its ending.
modules_of() {
  local folder=$root/tests/conformance/client-go
  if [[ $1 == 0.32 ]]; then echo "$folder/go"; else echo "$folder/releases/$1"; fi
}

# In file $1 puts $4 for the first $3 after $2.
replace_after() {
  AFTER=$2 OLD=$3 NEW=$4 perl -0pi -e '
    my $at = index($_, $ENV{OLD}, index($_, $ENV{AFTER}));
    $at > index($_, $ENV{AFTER}) && index($_, $ENV{AFTER}) >= 0 or die "it is not there";
    substr($_, $at, length $ENV{OLD}) = $ENV{NEW}' "$1" || {
    say "conformance: ${1##*/} of client-go has no '$3' after '$2'"
    exit 1
  }
}

# Copies module k8s.io/$2 of release $1 below $here/$1.
copy_module() {
  local from modules
  modules=$(modules_of "$1").mod
  from=$(cd "$root/tests/conformance/client-go" && go mod download -modfile "$modules" "k8s.io/$2" &&
    go list -modfile "$modules" -m -f '{{.Dir}}' "k8s.io/$2") || return 1
  cp -R "$from" "$here/$1/$2" && chmod -R u+w "$here/$1/$2"
}

# The same lines of every release: locks of queues, orders of maps, the random part of a backoff.
open_common_choices() {
  local cache=$1/client-go/tools/cache wait=$1/apimachinery/pkg/util/wait drawn=$2
  # A bubble's time stands still while a goroutine waits for a sync.Mutex: so the queues get another.
  replace_in "$cache/delta_fifo.go" 'lock sync.RWMutex' 'lock openLock' 1
  replace_in "$cache/fifo.go" 'lock sync.RWMutex' 'lock openLock' 1
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
  replace_in "$wait/wait.go" "time.Duration($drawn*maxFactor*float64(duration))" \
    'hooks.Extra(duration, maxFactor)' 1
  ask_hooks "$cache"/{delta_fifo,fifo,shared_informer}.go
  cat >"$cache/open_choices.go" <<'END'
package cache

import "watchlab/conformance/hooks"

type openLock = hooks.Lock

func openKey(object interface{}) string {
	key, _ := MetaNamespaceKeyFunc(object)
	return key
}

// OpenItems returns what a queue of newest states holds.
func OpenItems(queue *FIFO) []interface{} {
	queue.lock.Lock()
	defer queue.lock.Unlock()
	items := make([]interface{}, 0, len(queue.items))
	for _, item := range queue.items {
		items = append(items, item)
	}
	return items
}
END
}

# Adds the import of the hooks to Go files that import sync.
ask_hooks() { sed -i '0,/^\t"sync"$/s//\t"sync"\n\n\t"watchlab\/conformance\/hooks"/' "$@"; }

# What release $2, whose copies are in $1, leaves open beyond that.
open_own_choices() {
  local cache=$1/client-go/tools/cache wait=$1/apimachinery/pkg/util/wait known='f.knownObjects.ListKeys()'
  # A bubble's time stands still while a goroutine waits for a channel that was made outside.
  case $2 in
    0.32 | 0.33) replace_in "$cache/reflector.go" 'return neverExitWatch,' 'return make(chan time.Time),' 1 ;;
  esac
  if [[ $2 == 0.32 ]]; then
    replace_in "$wait/wait.go" '"math/rand"' '"watchlab/conformance/hooks"' 1
    return
  fi
  replace_in "$wait/wait.go" '"math/rand"' '"math/rand"; "watchlab/conformance/hooks"' 1
  replace_in "$cache/the_real_fifo.go" 'lock sync.RWMutex' 'lock openLock' 1
  replace_after "$cache/the_real_fifo.go" ') Resync() error {' "$known" 'hooks.Order("resync", f.knownObjects.ListKeys())'
  [[ $2 != 0.37 ]] || known='knownObjects.ListKeys()'
  replace_in "$cache/the_real_fifo.go" "knownKeys := $known" "knownKeys := hooks.Order(\"tombstones\", $known)" 1
  ask_hooks "$cache/the_real_fifo.go"
  [[ $2 != 0.33 ]] || return 0
  replace_in "$cache/reflector.go" 'r.store.Replace(temporaryStore.List(), resourceVersion)' \
    'r.store.Replace(hooks.InOrder("streamed", temporaryStore.List(), openKey), resourceVersion)' 1
  ask_hooks "$cache/reflector.go"
  [[ $2 == 0.37 ]] || return 0
  replace_in "$cache/controller.go" 'objs := clientState.List()' \
    'objs := hooks.InOrder("resync", clientState.List(), openKey)' 1
  ask_hooks "$cache/controller.go"
}

# Makes copies of client-go and apimachinery of release $1 that ask the judge wherever Go leaves a choice
# open, and $here/$1/go.mod, which names them. docs/conformance.md says what is replaced and why.
open_choices() {
  local copies=$here/$1 modules stamp drawn='jitterRand()'
  modules=$(modules_of "$1")
  stamp=$(cat "$root/tests/lanes/conformance.sh" "$modules".{mod,sum} | cksum)
  [[ $(cat "$copies/stamp" 2>/dev/null) != "$stamp" ]] || return 0
  [[ ! -d $copies ]] || chmod -R u+w "$copies"
  rm -rf "$copies"
  mkdir -p "$copies"
  if ! copy_module "$1" client-go || ! copy_module "$1" apimachinery; then
    say "conformance: client-go $1 cannot be fetched"
    exit 1
  fi
  [[ $1 != 0.32 ]] || drawn='rand.Float64()'
  open_common_choices "$copies" "$drawn"
  open_own_choices "$copies" "$1"
  cp "$modules.mod" "$copies/go.mod"
  cp "$modules.sum" "$copies/go.sum"
  for module in client-go apimachinery; do
    go mod edit -replace "k8s.io/$module=$copies/$module" "$copies/go.mod"
  done
  echo "$stamp" >"$copies/stamp"
}

# Builds the test program of Go package $2 against release $1 as $here/$3.
build_judge() {
  local tags=''
  [[ $1 == 0.32 ]] || tags=modern
  (cd "$root/tests/conformance/client-go" &&
    go test -tags "$tags" -modfile "$here/$1/go.mod" -c -o "$here/$3" "$2") || {
    say "conformance: the Go program $3 cannot be built"
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
  parts+=("$summary${with:+, $with}")
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

need product
targets=("$program")
((programs == 0)) || targets+=(tests/conformance/conformance-primitives)
build release "${targets[@]}" || exit 1
for machine in "${machines[@]}"; do
  release=$(release_of "$machine")
  open_choices "$release"
  build_judge "$release" . "client-go-$release"
done

see_it_fail() {
  local judges=() gates
  need mutants
  for machine in "${machines[@]}"; do
    gates=$(gates_of "$machine")
    judges+=(--judge "$machine=$here/client-go-$(release_of "$machine")${gates:+,$gates}")
  done
  python3 "$root/tests/conformance/defects.py" --program "$program" "${judges[@]}" "$@"
}

if ((${#defects[@]})); then
  see_it_fail "${defects[@]}"
  exit
fi

seeds=(--stories "1..$stories")
((fuzz == 0)) || seeds+=(--fuzz "$from..$((from + fuzz - 1))")
((shapes == 0)) || seeds+=(--shapes "1..$shapes")
((illegal == 0)) || seeds+=(--illegal "1..$illegal")

# Plays all on machine $1 and to its release. Which module that was stands in the summary.
compare_machine() {
  local status=0 release with gates
  release=$(release_of "$1")
  "$root/build/release/$program" transcribe --quiet "$root/scenarios" "${seeds[@]}" --machine "$1" \
    -o "$here/transcripts.$1.jsonl" 2> >(tee "$here/transcribe.$1.log" >&2) || status=$?
  if ((status != 0)); then
    failures+=("$(tail -n 1 "$here/transcribe.$1.log" || true) (transcribe --machine $1 ends with $status)")
  fi
  gates=$(gates_of "$1")
  with="$1 by client-go $(sed -n 's/^.*k8s.io\/client-go v//p' "$(modules_of "$release").mod")${gates:+ with $gates}"
  judge "client-go-$release" "WATCHLAB_TRANSCRIPTS=$here/transcripts.$1.jsonl" ${gates:+"$gates"}
}

for machine in "${machines[@]}"; do
  compare_machine "$machine"
done
if ((programs > 0)); then
  [[ -d $here/0.32 ]] || open_choices 0.32
  build_judge 0.32 ./primitives primitives
  "$root/build/release/tests/conformance/conformance-primitives" "$programs" \
    >"$here/programs.jsonl" || failures+=('the programs could not be explored')
  judge primitives "WATCHLAB_PROGRAMS=$here/programs.jsonl"
fi
if [[ $long ]] && ! see_it_fail; then
  failures+=('a defect is not as tests/conformance/defects.txt says')
fi
summarise
