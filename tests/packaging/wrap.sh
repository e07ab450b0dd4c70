#!/usr/bin/env bash
# Builds docs/example-project with watchlab from its sources, by the Meson wrap. The libraries are compiled anew, which
# takes minutes. The last line is `N passed, N failed`.
set -uo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
place=$root/build/packaging
passed=0
failed=0

wants() { # MESSAGE COMMAND…: counts whether the command ends well
  local what=$1 started=$SECONDS
  shift
  if "$@" >"$place/log.txt" 2>&1; then
    passed=$((passed + 1))
    echo "held  $what, $((SECONDS - started)) s"
  else
    failed=$((failed + 1))
    echo "FAIL  $what"
    tail -n 20 "$place/log.txt" | sed 's/^/  /'
  fi
}
finds_the_mistake() { ! "$1" >"$place/found.txt" 2>&1 && grep -q deadlock "$place/found.txt"; }

rm -rf "$place/wrap"
mkdir -p "$place/wrap/subprojects"

# The wrap names an address; here it is this tree, at what is checked out.
cp "$root"/docs/example-project/{meson.build,bounded_queue.hpp,bounded_queue_test.cpp} "$place/wrap"
sed -e "s|^url = .*|url = file://$root|; s|^revision = .*|revision = $(git -C "$root" rev-parse HEAD)|" \
  -e '/^depth/d' "$root/docs/packaging/watchlab.wrap" >"$place/wrap/subprojects/watchlab.wrap"
wants "Meson gets watchlab by its wrap" meson setup -Dunity=on --wrap-mode=forcefallback "$place/wrap/build" "$place/wrap"
wants "it builds the example" ninja -C "$place/wrap/build"
wants "which finds its mistake" finds_the_mistake "$place/wrap/build/bounded_queue_test"
echo "$passed passed, $failed failed"
((failed == 0))
