#!/usr/bin/env bash
# Plays the story of docs/go/informer in a fresh Go module, which gets ours from a proxy as any other.
#
#   go.sh VERSION ARCHIVE WHEEL      the program comes from the unpacked archive, then from the wheel
#
# The last line is `N passed, N failed`; where something cannot be tried, one line says why. Exit 0 unless something failed.
set -uo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
what=go
version=$1
# shellcheck source=tests/packaging/bare_root.sh
source "$root/tests/packaging/bare_root.sh"
mkdir -p "$place"
go=$(command -v go) || skip "there is no go"
folder=$root/build/packaging/go
[[ ! -d $folder ]] || chmod -R u+w "$folder"  # modules are read-only
rm -rf "$folder"
mkdir -p "$folder/module/operator"
module=$(python3 "$root/tests/packaging/go_proxy.py" "$version" "$folder/proxy") || exit 1
cp "$root"/docs/go/informer/* "$folder/module/operator"

# Ours comes from files; others from where this machine has them. Without paths in it, what is built is found again.
here() {
  (cd "$folder/module/operator" && env -i PATH="$(dirname "$go"):/usr/bin:/bin" HOME="$HOME" WATCHLAB_ALLOW_RUN=1 GOFLAGS="-mod=mod -trimpath" GONOSUMDB="$module" \
    GOMODCACHE="$folder/modules" GOPROXY="file://$folder/proxy,file://$("$go" env GOMODCACHE)/cache/download,$("$go" env GOPROXY)" "$@")
}
says() { # TEXT COMMAND…: whether the command fails and says that
  local status=0
  here "${@:2}" >"$folder/said" 2>&1 || status=$?
  cat "$folder/said"
  ((status)) && grep -qF "$1" "$folder/said"
}
has_no_replace() { ! grep -q replace "$folder/module/go.mod"; }
from_wheel() {
  rm -r "$folder/module/${2##*/}" && python3 -m venv "$folder/module/.venv" && "$folder/module/.venv/bin/pip" install -q --no-index "$1" &&
    here go test -count=1 .
}

(cd "$folder/module" && "$go" mod init module.test >/dev/null 2>&1)
wants "go gets $module@v$version" here go get "$module@v$version"
here go mod tidy >"$place/log.txt" 2>&1 || skip "go does not get what the informer needs: $(tail -n 1 "$place/log.txt")"
wants "no replace is needed" has_no_replace
wants "without the program it is said how to get it" says "To get it" go test .
tar -xzf "$2" -C "$folder/module"
wants "go test finds the unpacked archive, and the story holds" here go test -count=1 .
wants "go test finds the wheel, and the story holds" from_wheel "$3" "${2%.tar.gz}"
echo "$passed passed, $failed failed"
((failed == 0))
