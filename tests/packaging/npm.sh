#!/usr/bin/env bash
# Installs the npm packages in a fresh folder, and uses them there as docs/node.md says. No registry is asked.
#
#   npm.sh MODULE NATIVE             here, in build/packaging/npm
#   npm.sh MODULE NATIVE --bare      in bare roots of Debian 12 and 13, with nodejs and npm and nothing else; takes root
#
# The last line is `N passed, N failed`; where something cannot be tried, one line says why. Exit 0 unless something failed.
set -uo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
what=npm
module=$1
native=$2
# shellcheck source=tests/packaging/bare_root.sh
source "$root/tests/packaging/bare_root.sh"
mkdir -p "$place"

# Puts what is needed into folder $1.
lay_out() {
  cp "$module" "$1/module.tgz"
  cp "$native" "$1/native.tgz"
  cp "$root"/docs/node/lister.test.js "$root"/tests/packaging/npm_module.test.js "$1"
  write_stories "$1"
  echo '{"private": true}' >"$1/package.json"
}

# Tries all of it in folder $1, by the command after it, which runs words of sh.
# shellcheck disable=SC2016 # the words are those of the shell that is called
try() {
  folder=$1
  run=("${@:2}")
  runs() { "${run[@]}" "set -e; cd $folder; $1"; }
  wants "npm installs it and a story is held, within 10 s of processor" held_within 10 runs \
    'npm install --offline --no-audit --no-fund --cache=cache ./native.tgz ./module.tgz; npx --no-install watchlab run missed_delete'
  wants "the shipped stories hold" runs 'npx --no-install watchlab run scenarios'
  wants "a story of one's own is explored, drawn, and has a page" runs 'PATH=node_modules/.bin:$PATH
    watchlab new mine; watchlab explore mine.yaml --schedules 200; watchlab draw mine.yaml -o mine.svg
    watchlab report mine.yaml -o mine.html; test -s mine.svg; test -s mine.html'
  wants "node runs the example" runs 'timeout 60 node --test lister.test.js'
  wants "the module plays, serves and says what is wrong" runs 'timeout 60 node --test npm_module.test.js'
  wants "without its program it says which package is missing" runs 'rm -r node_modules/@watchlab
    ! npx --no-install watchlab run missed_delete 2>said; grep -q "the package @watchlab/linux-" said'
}

here_plainly() { env -u WATCHLAB_HOME -u WATCHLAB LC_ALL=C.UTF-8 sh -c "$1"; }

if [[ ${3:-} != --bare ]]; then
  command -v node >/dev/null || skip "there is no node"
  command -v npm >/dev/null || skip "there is no npm"
  folder=$root/build/packaging/npm
  rm -rf "$folder"
  mkdir -p "$folder"
  lay_out "$folder"
  try "$folder" here_plainly
else
  trap clear_up EXIT
  for suite in bookworm trixie; do
    make_root "$suite"
    fresh_copy "$suite"
    echo "$suite:"
    there apt-get update -q >"$place/log.txt" 2>&1 || skip "no package lists: $(tail -n 1 "$place/log.txt")"
    wants "apt brings nodejs and npm" there apt-get install -y -q --no-install-recommends nodejs npm
    lay_out "$here/srv"
    try /srv there sh -c
  done
fi
echo "$passed passed, $failed failed"
((failed == 0))
