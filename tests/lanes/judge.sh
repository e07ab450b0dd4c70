#!/usr/bin/env bash
# judge [WHAT] [--release X.Y.Z]   compares the server with a real kube-apiserver
#
# Without WHAT it replays the recorded requests of real servers (tests/conformance/apiserver/RELEASE.json) to
# `watchlab serve` and compares all answers and watches: seconds, without Go. The others build kube-apiserver with its
# own etcd from Go modules, once per release; it listens on loopback only. docs/conformance.md says what is compared,
# what differs, and why.
#
#   build              builds the real server: ten minutes and 3 GB of disk
#   probe [NAME…]      plays the fixed sequences of tests/judge/probes.py, or some of them, to both servers
#   asked              plays the first recorded requests to both and prints a line for each
#   refresh            the same as probe, and records the answers of the real server
#   fuzz [N]           plays N random sequences (default 100) to both and shrinks those that differ
#     --seed SEED      the first seed instead of 1; a seed always makes the same sequence
#     --file FILE      records the real server's answers there (gzip) and skips the seeds that are recorded
#   again FILE         replays the sequences of such a file to our server only: after a change, or without Go
#   timing [NAME…]     measures the rules about time at both, or some of them: two minutes
#   informers          runs informers of core beside a real server that is compacted and restarted: two minutes
#   defects [NAME…]    breaks our server by the patches in tests/mutants/sim and expects the recorded answers, or the
#                      timing, to notice; results for unchanged code are reused
#   --release X.Y.Z    of Kubernetes; 1.35.4 by default, and all that are recorded where nothing is built
#
# Examples:
#   ./dev judge
#   ./dev judge fuzz 1000 --seed 5001
#   ./dev judge refresh --release 1.34.4
#
# Exit: 0 nothing differs (or there is no Go), 1 something does, 2 bad usage.
: "${root:?a lane is run by ./dev}" "${program:?}"

what=replay release='' seed=1 file='' rest=()
case ${1:-} in
  build | probe | asked | refresh | fuzz | again | timing | informers | defects)
    what=$1
    shift
    ;;
esac
while (($#)); do
  case $1 in
    --release)
      [[ ${2:-} =~ ^1\.[0-9]+\.[0-9]+$ ]] || refuse "judge: --release takes a release, as in --release 1.35.4"
      release=$2
      shift 2
      ;;
    --seed)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || refuse "judge: --seed takes a number, as in --seed 1"
      seed=$2
      shift 2
      ;;
    --file)
      [[ $what == fuzz && -n ${2:-} ]] || refuse "judge: --file takes a file, and belongs to fuzz"
      file=$2
      shift 2
      ;;
    -*) refuse "judge: there is no argument $1; see ./dev judge --help" ;;
    *)
      [[ $what == probe || $what == timing || $what == defects || ($what == again && -r $1) || ($what == fuzz && $1 =~ ^[1-9][0-9]*$) ]] ||
        refuse "judge: there is no argument $1; see ./dev judge --help"
      rest+=("$1")
      shift
      ;;
  esac
done

here=$root/build/judge
may_build || refuse "judge: $(id -un) cannot write to $root"
mkdir -p "$here"
need product
build release "$program" tests/judge/judge_informers || exit 1
judge=(python3 "$root/tests/judge/judge.py")
places=(--program "$root/build/release/$program" --folder "$here")

if [[ $what == replay ]]; then
  exec "${judge[@]}" replay "${places[@]}" ${release:+--release "$release"}
fi

if [[ $what == again ]]; then
  [[ ${#rest[@]} == 1 ]] || refuse "judge: again takes one file, as judge fuzz --file has written it"
  exec "${judge[@]}" again "${places[@]}" --file "${rest[0]}"
fi

if [[ $what == defects ]]; then
  need mutants
  exec python3 "$root/tests/judge/defects.py" --program "$root/build/release/$program" "${rest[@]}"
fi

release=${release:-1.35.4}
real=$here/$release/real-server
if [[ ! -x $real ]] && ! command -v go >/dev/null; then
  say "judge: skipped: there is no Go to build kube-apiserver $release with"
  exit 0
fi
[[ -x $real ]] || "$root/tests/judge/build.sh" "$release" "$here/$release" >"$here/build-$release.log" 2>&1 || {
  say "judge: kube-apiserver $release cannot be built; see build/judge/build-$release.log"
  exit 1
}
case $what in
  build) echo "$real" ;;
  probe) exec "${judge[@]}" probe "${places[@]}" --real "$real" "${rest[@]/#/--only=}" ;;
  asked) exec "${judge[@]}" asked "${places[@]}" --real "$real" ;;
  timing) exec "${judge[@]}" timing "${places[@]}" --real "$real" "${rest[@]/#/--only=}" ;;
  informers)
    exec "${judge[@]}" informers "${places[@]}" --real "$real" --informers "$root/build/release/tests/judge/judge_informers"
    ;;
  refresh) exec "${judge[@]}" probe "${places[@]}" --real "$real" --refresh "$release" ;;
  fuzz) exec "${judge[@]}" fuzz "${places[@]}" --real "$real" --seed "$seed" --fuzz "${rest[0]:-100}" ${file:+--file "$file"} ;;
esac
