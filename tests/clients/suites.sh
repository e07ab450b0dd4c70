#!/usr/bin/env bash
# suites.sh FOLDER WATCHLAB   runs controller-runtime's own tests of clients, caches and builders against `watchlab serve`
#
# The tests are those of the module, unmodified; USE_EXISTING_CLUSTER lets them take the server that KUBECONFIG names. The
# module is copied into FOLDER, because its tests read files beside them, and each program is built once.
#
# Prints a line for each package, with how many of its specs passed, and what failed.
# Exit: 0 each passed as many as it should, 1 one did not, 3 the module cannot be had.
set -euo pipefail
place=$1 watchlab=$2
module=sigs.k8s.io/controller-runtime@v0.25.2
# PACKAGE and how many specs have to pass.
rows=("client 310" "cache 275" "builder 72")

get_module() {
  [[ -e $place/ready ]] && return
  local source
  mkdir -p "$place"
  source=$(cd "$place" && GOFLAGS=-mod=mod go mod download -json "$module" | sed -n 's/.*"Dir": "\(.*\)",/\1/p') && [[ $source ]] || return 1
  rm -rf "$place/module"
  cp -r "$source" "$place/module" && chmod -R u+w "$place/module"
  local row
  for row in "${rows[@]}"; do
    (cd "$place/module" && timeout 900 go test -vet=off -c -o "$place/${row% *}.test" "./pkg/${row% *}") || return 1
  done
  touch "$place/ready"
}

get_module >"$place.log" 2>&1 || exit 3
status=0
for row in "${rows[@]}"; do
  read -r package least <<<"$row"
  cd "$place/module/pkg/$package"
  "$watchlab" serve -- env USE_EXISTING_CLUSTER=true timeout 300 "$place/$package.test" --ginkgo.no-color >"$place/$package.txt" 2>&1 || true
  passed=$(sed -n 's/.*-- \([0-9]*\) Passed.*/\1/p' "$place/$package.txt")
  echo "controller-runtime pkg/$package: ${passed:-0} passed, at least $least should"
  if ((${passed:-0} < least)); then
    grep -E '^ *\[FAIL\]' "$place/$package.txt" | sort -u || true
    status=1
  fi
done
exit "$status"
