#!/usr/bin/env bash
# scoreboard [SUITE] [OPTION…]   measures the search on suites of known bugs, next to published figures
#
# Prints for each program the number of schedules to the first failure: the median of the trials, its 95 % confidence
# interval in brackets, and how many trials found the bug if not all did. Rows that fall behind the best published figure
# come first. A run without further options also writes docs/scoreboard.md.
#
#   sctbench            CS, Chess and two more of SCTBench, ported to watchlab/std (the default)
#     --trials N        searches per program, with different seeds; 20 by default. dpor and dfs have no seed: one search
#     --cap N           maximum number of schedules of a search; 10000 by default
#     --seed N          of the first trial; 1 by default
#     --only REGEXP     only programs whose name matches, such as CS/reorder
#     --strategy NAME   only this one, beside portfolio; may be repeated
#     --list            lists the programs and runs nothing
#
#   go --from FOLDER    the programs of GoKer, each a bug of a real Go program. FOLDER is a copy of GoBench
#                       (https://github.com/timmyyuan/gobench); we keep no copy. Prints a line for each: in how many of a
#                       hundred runs the authors of GoBench saw it fail, how many runs Go's own scheduler needs in the same
#                       bubble, and how many the exploration needs.
#     -run REGEXP       only programs whose name matches, such as blocking/etcd/7443
#     -trials N         searches per program, with different seeds; 20 by default
#     -runs N           maximum number of runs of a search; 1000 by default
#     -strategy NAME    portfolio by default; docs/go-races.md has the others
#     -own DURATION     time limit of a trial of Go's own scheduler; 300ms by default, 0: none
#     -memory           uses -race, and lets goroutines stop at each memory access
#
#   client-go           twelve bugs of the museum, put back into client-go 0.32: how many runs the tests of docs/go/races need
#                       to find each, next to Go's own scheduler and our C++ port. The options are those of go.
#
#   sieve               bugs of operators that Sieve found, as small operators in Go in docs/go/sieve, and Kubernetes' own
#                       ReplicaSet controller. Each story has the faults that Sieve would try, and the schedule chooses
#                       among them. The fixed operators must hold. Needs Go 1.26; the first build takes minutes. With the
#                       default numbers, it rewrites these rows in docs/scoreboard.md
#     --trials N        searches per bug, with different seeds; 5 by default
#     --cap N           maximum number of schedules of a search; 200 by default
#     --held N          schedules with the fixed operator; 20 by default
#     --seed N          of the first trial; 1 by default
#     --only REGEXP     only bugs whose name matches
#     --list            lists the bugs and runs nothing
#
#   e2e                 Kubernetes' own conformance tests for API machinery, from the module k8s.io/kubernetes, against
#                       `watchlab serve`. Each has passed or failed, or needs a node: a program in a container. The first
#                       build takes a quarter of an hour on two cores and 6 GB of disk; the tests take eleven minutes.
#                       A run without options also writes docs/scoreboard.md.
#     --focus REGEXP    other tests, such as '\[sig-apps\].*\[Conformance\]'
#     --skip REGEXP     leaves these tests out
#     --minutes N       time limit for all tests; 60 by default
#
# Examples:
#   ./dev scoreboard
#   ./dev scoreboard sctbench --trials 5 --only 'reorder|twostage'
#   ./dev scoreboard e2e --focus 'sig-api-machinery.*Watchers.*Conformance'
#   ./dev scoreboard go --from ~/gobench -run etcd -trials 5
#   ./dev scoreboard sieve --only zookeeper
#
# Exit: 0 every bug was found that others find within the cap (go: at least 90 % of those that fit a bubble, in half of
# their trials; sieve: all, in half of their trials, and no fixed operator failed; e2e: at least 80 % of those that need
# no node), 1 fewer, 2 bad usage.
: "${root:?a lane is run by ./dev}"

if [[ ${1:-} == client-go ]]; then
  command -v go >/dev/null || refuse "scoreboard client-go: there is no go"
  shift
  (($#)) || set -- -page "$root/docs/scoreboard.md"
  cd "$root/scenarios/go" && exec go run ./scoreboard -client-go "$root" "$@"
fi
if [[ ${1:-} == sieve ]]; then
  shift
  need product
  command -v go >/dev/null || refuse "scoreboard sieve: there is no go"
  build release scenarios/cli/watchlab || exit 1
  exec python3 "$root/tests/scoreboard/sieve.py" "$@"
fi
if [[ ${1:-} == e2e ]]; then
  need product
  build release scenarios/cli/watchlab scenarios/cli/watchlab-serve || exit 1
  exec python3 "$root/tests/scoreboard/e2e/e2e.py" "${@:2}"
fi
if [[ ${1:-} != go ]]; then
  need product
  build release tests/scoreboard/watchlab-scoreboard || exit 1
  exec python3 "$root/tests/scoreboard/board.py" "$@"
fi
shift
[[ ${1:-} == --from && -d ${2:-} ]] || refuse "scoreboard go: --from FOLDER, a copy of GoBench, comes first"
command -v go >/dev/null || refuse "scoreboard go: there is no go"
from=$(cd "$2" && pwd)
shift 2
(($#)) || set -- -page "$root/docs/scoreboard.md"
cd "$root/scenarios/go" && go run ./scoreboard -from "$from" "$@"
