#!/usr/bin/env bash
# hostile [--long]              feeds malformed bytes to everything that reads bytes
#
# First, the test cases that tests/hostile/classes.txt names, one for each class of bad input. Next, hostile peers send
# `watchlab serve`, plain and over TLS, what no client should: slow and endless headers, 64 MB bodies, bad chunks, patches
# that grow, thousands of requests ahead of their answers and of half-open connections (tests/hostile/peers.py). Each must
# get an answer or the end of its connection, memory must stay bounded, and another client's watch must go on. Then
# libFuzzer generates bytes for the parsers: a client's of responses and watches, a server's of requests, bodies and
# patches, those of JSON objects, and whole sessions of one connection with the server of serve. Each must return an error
# value: no crash, no hang, no undefined behaviour, bounded memory. This is built with clang-16 and its address and
# undefined-behaviour sanitizers; without them the lane says so and skips it. The default tests (./dev test hostile) play
# the same seeds, cut and changed at every byte.
#
#   --long        10,000 half-open connections instead of 1,000, peers as slow as the server allows, and ten minutes
#                 of the fuzzer instead of half a minute
#   --classes     the test cases only
#   --peers       the peers only
#   --time N      how many seconds to fuzz
#   --jobs N      how many files to compile at a time; 2 by default
#
# Examples:
#   ./dev hostile
#   ./dev hostile --time 3600
#
# Results are in build/hostile: found-* are inputs that broke something, corpus/ is what the next run starts from.
# Exit: 0 nothing was found or it was skipped, 1 something was found, 2 bad usage.
: "${root:?a lane is run by ./dev}"

seconds=30
jobs=2
peers=()
only=''
while (($#)); do
  case $1 in
    --long) seconds=600 peers=(--long) ;;
    --classes | --peers) only=$1 ;;
    --time | --jobs)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || refuse "hostile: $1 wants a number"
      [[ $1 == --time ]] && seconds=$2 || jobs=$2
      shift
      ;;
    *) refuse "hostile: there is no argument $1; see ./dev hostile --help" ;;
  esac
  shift
done

if [[ $only != --peers ]]; then
  # The suites are called like their files.
  mapfile -t cases < <(sed -nE 's/^[^#|]* \| .*\/([a-z_]*)\.cpp \| /\1\//p' "$root/tests/hostile/classes.txt")
  "$root/dev" test "${cases[@]}" || exit 1
  [[ $only != --classes ]] || exit 0
fi
need product
build release scenarios/cli/watchlab || exit 1
python3 "$root/tests/hostile/peers.py" "$root/build/release/scenarios/cli/watchlab" "${peers[@]}" || exit 1
[[ $only != --peers ]] || exit 0

place=$root/build/hostile
mkdir -p "$place/objects" "$place/corpus"
compiler=${WATCHLAB_CLANG:-clang++-16}
sanitizers=-fsanitize=address,undefined
if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
  "$compiler" -fsanitize=fuzzer "$sanitizers" -x c++ - -o "$place/probe" 2>/dev/null; then
  echo "skipped: there is no $compiler with libFuzzer (Debian: clang-16 and libclang-rt-16-dev)"
  exit 0
fi

cd "$root" || exit 2
# All of serve but its sockets.
sources=(core/api/*.cpp core/runtime/*.cpp core/watch/{watch,json_frame_decoder,stream_watcher}.cpp
  core/client/{api_messages,tls_channel,http_body,http_message,url}.cpp sim/apiserver/*.cpp sim/faults/*.cpp sim/network/*.cpp tests/hostile/{fuzzer,readers,session}.cpp)
for source in sim/http/*.cpp; do
  [[ $source =~ http_(server|client).cpp ]] || sources+=("$source")
done
for source in "${sources[@]}"; do
  [[ -f $source ]] || refuse "hostile: there is no $source any more; name in tests/lanes/hostile.sh what took its place"
done
command -v ccache >/dev/null && compiler="ccache $compiler"
flags="-std=c++20 -O1 -gline-tables-only -fno-sanitize-recover=all $sanitizers -I$root"
export compiler flags place
compile_one() {
  local object=$place/objects/${1//\//_}.o
  # shellcheck disable=SC2086 # both are lists of words
  [[ $object -nt $1 && ! $(find core sim tests/hostile -name '*.hpp' -newer "$object" -print -quit) ]] ||
    $compiler $flags -fsanitize=fuzzer-no-link -c "$1" -o "$object"
}
export -f compile_one
printf '%s\n' "${sources[@]}" | xargs -P "$jobs" -I {} bash -c 'compile_one {}' || exit 1
objects=("${sources[@]//\//_}")
objects=("${objects[@]/#/$place/objects/}")
"${compiler##* }" -fsanitize=fuzzer "$sanitizers" "${objects[@]/%/.o}" \
  -Wl,--dynamic-list-data -o "$place/fuzzer" -lboost_json -lboost_container -lboost_context -lfmt -lssl -lcrypto -lz || exit 1

log=$place/log.txt
started=$SECONDS status=0
WATCHLAB_SEEDS=$place/corpus "$place/fuzzer" "$place/corpus" -dict=tests/hostile/words.txt \
  -max_total_time="$seconds" -rss_limit_mb=1024 -malloc_limit_mb=128 -timeout=10 -max_len=16384 -print_final_stats=1 \
  -artifact_prefix="$place/found-" >"$log" 2>&1 </dev/null || status=1
((status == 0)) || grep -v '^#' "$log" | tail -40
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
memory=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log")
covered=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) corp: \([0-9]*\).*/\1 edges, \2 features, \3 inputs kept/p' "$log" | tail -n 1)
echo "${runs:-0} inputs in $((SECONDS - started)) s, $covered, at most ${memory:-?} MB:" \
  "$( ((status)) && echo 'something was found' || echo 'nothing was found')"
((status == 0))
