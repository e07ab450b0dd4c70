#!/usr/bin/env bash
# Installs the wheel in a fresh virtual environment, and uses it there as docs/python.md says.
#
#   wheel.sh WHEEL             here, in build/packaging/wheel; also runs the example of the page by pytest
#   wheel.sh WHEEL --bare      in bare roots of Debian 12 and 13, with python3-venv and nothing else; takes root
#
# The last line is `N passed, N failed`; where something cannot be tried, one line says why. Exit 0 unless something failed.
set -uo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
what=wheel
wheel=$1
# shellcheck source=tests/packaging/bare_root.sh
source "$root/tests/packaging/bare_root.sh"
mkdir -p "$place"

# Puts what is needed into folder $1.
lay_out() {
  cp "$wheel" "$root"/tests/packaging/wheel_module.py "$root"/docs/python/test_lister.py "$1"
  write_stories "$1"
}

# Tries all of it in folder $1, by the command after it, which runs words of sh.
try() {
  folder=$1
  run=("${@:2}")
  runs() { "${run[@]}" "set -e; cd $folder; $1"; }
  wants "a virtual environment is made" runs 'python3 -m venv venv'
  wants "pip installs it and a story is held, within 10 s of processor" held_within 10 runs \
    'venv/bin/pip install -q --no-index ./*.whl; venv/bin/watchlab run missed_delete'
  wants "a story of one's own is explored, drawn, and has a page" runs 'venv/bin/watchlab new mine
    venv/bin/watchlab explore mine.yaml --schedules 200; venv/bin/watchlab draw mine.yaml -o mine.svg
    venv/bin/watchlab report mine.yaml -o mine.html; test -s mine.svg; test -s mine.html'
  # shellcheck disable=SC2016 # the words are those of the shell that is called
  wants "it serves" runs 'venv/bin/watchlab serve -- sh -c "test -s \"\$KUBECONFIG\""'
  wants "the shipped stories hold" runs 'venv/bin/watchlab run scenarios'
  wants "the module plays, serves and says what is wrong" runs 'timeout 60 venv/bin/python -W error wheel_module.py 2>&1'
}

here_plainly() { env -u WATCHLAB_HOME -u WATCHLAB LC_ALL=C.UTF-8 sh -c "$1"; }

if [[ ${2:-} != --bare ]]; then
  folder=$root/build/packaging/wheel
  rm -rf "$folder"
  mkdir -p "$folder"
  lay_out "$folder"
  try "$folder" here_plainly
  if "$folder/venv/bin/pip" install -q pytest >"$place/log.txt" 2>&1; then
    wants "pytest runs the example" runs 'venv/bin/python -W error -m pytest -q -W error -p no:cacheprovider test_lister.py'
  else
    echo "$what: the example is skipped, pip cannot get pytest"
  fi
else
  trap clear_up EXIT
  for suite in bookworm trixie; do
    make_root "$suite"
    fresh_copy "$suite"
    echo "$suite:"
    there apt-get update -q >"$place/log.txt" 2>&1 || skip "no package lists: $(tail -n 1 "$place/log.txt")"
    wants "apt brings python3-venv" there apt-get install -y -q --no-install-recommends python3-venv
    lay_out "$here/srv"
    try /srv there sh -c
  done
fi
echo "$passed passed, $failed failed"
((failed == 0))
