#!/usr/bin/env bash
# Proves that a scenario means one run: `watchlab digest scenarios` says the same twice in a row, and the
# same in a release build (GCC), a debug build (GCC) and a sanitized one (Clang).
#
# usage: tests/digest_agreement.sh [TREE…]    the builds to compare with release; debug and asan if left out
# Exit: 0 they agree, 1 they do not, 2 something could not be built or run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/sanitizer_options.sh
source tests/sanitizer_options.sh

command=scenarios/cli/watchlab
digests=$(mktemp -d)
trap 'rm -rf "$digests"' EXIT

digest_with() {  # of tree $1, into file $2
  ./dev build "$1" "$command" >/dev/null || exit 2
  "build/$1/$command" digest scenarios >"$digests/$2" || exit 2
}

digest_with release release
digest_with release release.again
status=0
(($#)) || set -- debug asan
for other in release.again "$@"; do
  [[ $other == release.again ]] || digest_with "$other" "$other"
  if cmp -s "$digests/release" "$digests/$other"; then
    echo "release and $other agree on $(wc -l <"$digests/release") scenarios"
  else
    echo "release and $other do not agree:"
    diff "$digests/release" "$digests/$other" | head -n 20
    status=1
  fi
done
exit "$status"
