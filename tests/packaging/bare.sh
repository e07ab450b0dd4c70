#!/usr/bin/env bash
# Installs watchlab on a bare Debian 12, and uses it there as somebody would who has read docs/packaging/README.md.
#
#   bare.sh PACKAGE ARCHIVE
#   bare.sh --root             makes the root alone: build/bare/bookworm
#
# The last line is `N passed, N failed`; where no root can be made, one line says why. Exit 0 unless something failed.
set -uo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
what=bare
package=$1
archive=${2:-}
# shellcheck source=tests/packaging/bare_root.sh
source "$root/tests/packaging/bare_root.sh"
make_root bookworm
[[ $package != --root ]] || exit 0
trap clear_up EXIT

# The archive needs nothing but glibc, and for a PNG or PDF the plugins and fonts of Debian's Graphviz.
fresh_copy bookworm
tar -xzf "$archive" -C "$here/opt"
unpacked=/opt/$(basename "$archive" .tar.gz)
wants "the archive plays where nothing else is installed" there "$unpacked/bin/watchlab" run missed_delete
# shellcheck disable=SC2016 # the words are those of the shell that is called
wants "it draws each view there, as SVG and as DOT" there sh -ec 'cd /srv; for view in spacetime pipeline waits explored; do
  "$0" draw missed_delete --view $view -o $view.svg; grep -q "</svg>" $view.svg; done
  "$0" draw missed_delete -o run.dot; test -s run.dot; "$0" draw missed_delete | grep -q "</svg>"' "$unpacked/bin/watchlab"
# shellcheck disable=SC2016
wants "for a PNG it names the package that it takes" there sh -c '"$0" draw missed_delete -o /srv/run.png 2>/srv/said
  test $? = 2 && grep -q libgvc6 /srv/said && test "$(wc -l </srv/said)" = 1' "$unpacked/bin/watchlab"
remove "$here$unpacked"  # CMake looks below /opt, too

# The package, as its page says.
there apt-get update -q >"$place/log.txt" 2>&1 || skip "no package lists: $(tail -n 1 "$place/log.txt")"
cp "$package" "$here/srv/watchlab.deb"
wants "dpkg unpacks it, apt brings what it needs" there sh -c \
  'dpkg -i /srv/watchlab.deb || apt-get install -y -q -f --no-install-recommends'
wants "watchlab run missed_delete, within 2 s" there timeout 2 watchlab run missed_delete
wants "the shipped scenarios hold" there watchlab run scenarios
wants "the museum is there" there sh -c 'watchlab museum list && watchlab museum show ghost_after_relist'
wants "a scenario of one's own is written, validated, played and explored" there sh -c \
  'cd /srv && watchlab new mine && watchlab validate mine.yaml && watchlab run mine.yaml && watchlab explore mine.yaml --schedules 200'
write_stories "$here/srv"
# shellcheck disable=SC2016 # the words are those of the shell that is called
wants "the line that replays a failure can be typed" there sh -c 'cd /srv
  line=$(watchlab run broken.yaml 2>&1 | sed -n "s/^replay it: //p"); eval "${line:-false}" 2>&1 | grep -q ^FAIL'
wants "the pages are there" there sh -c \
  'cd /usr/share/doc/watchlab && test -s README.md -a -s docs/scenario_language.md -a -s docs/packaging/README.md'
wants "it is drawn, and has a page" there sh -c \
  'cd /srv && watchlab draw mine.yaml --view spacetime -o mine.svg && watchlab report mine.yaml -o mine.html'
wants "the schema that its first line names is there" there sh -c "test -s \"\$(sed -n '1s/.*schema=//p' /srv/mine.yaml)\""

# The library in a project of CMake.
cp -r "$root/docs/example-project" "$here/srv/project"
wants "apt brings what a C++ project needs" there apt-get install -y -q --no-install-recommends \
  g++ make cmake pkg-config libboost1.81-dev libboost-test1.81-dev libfmt-dev
wants "CMake builds the example" there sh -c 'cd /srv/project && cmake -B build && cmake --build build'
wants "its test finds the mistake" there sh -c '! /srv/project/build/bounded_queue_test >/srv/found 2>&1 && grep -q deadlock /srv/found'
wants "dpkg removes it, and leaves nothing" there sh -c \
  'dpkg -r watchlab && ! ls -d /usr/bin/watchlab /usr/share/watchlab /usr/share/doc/watchlab /usr/include/watchlab 2>/dev/null | grep .'
echo "$passed passed, $failed failed"
((failed == 0))
