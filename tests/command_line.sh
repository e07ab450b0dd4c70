#!/usr/bin/env bash
# What only shows from outside of the program: what the launcher adds to a command, readers that go away, and
# the width of a terminal. Exit 0 if all of that is as it should be.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
cd "$root"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
piece=recreated_object_lost
wants=$(sed -n 's/^Fails: [a-z ]*: //p' "scenarios/museum/$piece/defect.patch")

fail() {
  echo "command line: $*" >&2
  sed 's/^/  /' "$place"/out "$place"/err >&2
  exit 1
}

# Runs a command and wants that exit status.
wanted() {
  local status=$1 found=0
  shift
  "$@" >"$place/out" 2>"$place/err" || found=$?
  ((found == status)) || fail "$* ended with $found instead of $status"
}

# A piece of the museum is explained in its broken variant, and replayed in any that is asked for.
wanted 1 ./watchlab explain "$piece" --endings 0
grep -qF "$wants" "$place/out" || fail "explain $piece does not say $wants"
wanted 1 ./watchlab replay "$piece" --variant "$piece"
grep -q -- "--variant $piece --schedule" "$place/err" || fail "the line to paste forgets the variant"
wanted 1 ./watchlab replay "$piece" --variant "scenarios/museum/$piece/defect.patch"
wanted 1 ./watchlab run "$piece"
grep -qF "$wants" "$place/err" || fail "run $piece does not replay its bug"
grep -q "$piece is a bug of the museum" "$place/err" || fail "run $piece does not say what it plays"
wanted 2 ./watchlab run "$piece" --strict
grep -q -- "--strict does not go with it" "$place/err" || fail "run $piece does not say what does not go with it"
wanted 2 ./watchlab run "$piece" missed_delete
wanted 0 ./watchlab run "scenarios/museum/$piece/scenario.yaml"
wanted 1 ./watchlab replay "$piece"
wanted 1 ./watchlab run leaves_at_the_stop  # its bug is in core
(cd "$place" && wanted 0 "$root/watchlab" run missed_delete && wanted 1 "$root/watchlab" explain "$piece" --endings 0)
wanted 1 ./watchlab trace "$piece" -o "$place/run.jsonl"
wanted 0 ./watchlab draw "$piece" --view waits -o "$place/waits.svg"
wanted 0 ./watchlab museum report "$piece" -o "$place/page.html"
grep -qF "\"variant\":\"$piece\"" "$place/page.html" || fail "the page of $piece does not name its variant"
grep -qF '"patch":"' "$place/page.html" || fail "the page of $piece has no patch"
grep -qF '"held":false' "$place/page.html" || fail "the page of $piece shows no failure"
wanted 0 ./watchlab report "$piece" --with fixed -o "$place/both.html"
if ! grep -qF '"other":{' "$place/both.html" || ! grep -qF '"held":true' "$place/both.html"; then
  fail "beside the broken run of $piece stands no fixed one"
fi
wanted 1 ./watchlab museum trace "$piece"
wanted 0 ./watchlab museum show wake_up_lost
wanted 2 ./watchlab trace wake_up_lost
grep -qF "a race in Go, not a scenario; expected ./watchlab run wake_up_lost, which plays it" "$place/err" ||
  fail "trace of a piece in Go does not say what plays it"
wanted 2 ./watchlab run "$piece" --variant no_such_piece
wanted 2 ./watchlab run missed_delete --variant "${piece}s"
grep -qF "did you mean \"$piece\"?" "$place/err" || fail "--variant ${piece}s has no nearest name"

# Two menus: ./watchlab for users, ./dev for what looks after the tree. The product names no lane.
wanted 0 ./dev --help
for lane in tests/lanes/*.sh; do
  name=$(basename "$lane" .sh)
  grep -q "^  $name " "$place/out" || fail "./dev --help does not list $name"
done
for lane in tests/lanes/*.sh; do
  name=$(basename "$lane" .sh)
  wanted 0 ./dev "$name" --help
  [[ $(head -c "${#name}" "$place/out") == "$name" && $(grep -c '^Exit: 0 ' "$place/out") == 1 ]] ||
    fail "the help of lane $name does not begin with its name and end with its exit statuses"
done
wanted 2 ./watchlab lint --all
grep -qF "'lint' is a command of ./dev, which works on watchlab itself: ./dev lint --all" "$place/err" || fail "./watchlab lint does not name ./dev"
wanted 2 ./dev lin
grep -q 'did you mean lint' "$place/err" || fail "./dev lin does not name lint"
wanted 2 ./dev tset
grep -q 'did you mean test?' "$place/err" || fail "./dev tset does not name test"
wanted 2 ./dev musuem
grep -q 'did you mean museum?' "$place/err" || fail "./dev musuem does not name museum"
wanted 2 ./dev xyzzy
grep -q 'did you mean' "$place/err" && fail "./dev xyzzy names a lane that nobody means"
wanted 2 ./dev --lint
mkdir -p "$place/bin"
printf '#!/bin/sh\necho go version go9.9 here\n' >"$place/bin/go"
chmod +x "$place/bin/go"
wanted 0 env GOROOT="$place" PATH=/usr/sbin:/usr/bin:/sbin:/bin ./watchlab doctor
grep -q '^  go  .*go9.9' "$place/out" || fail "doctor does not see a Go that is not on the PATH"
wanted 0 env PATH="$place/bin:$PATH" ./watchlab doctor
grep -qF "installed: $place/bin/go" "$place/out" || fail "doctor does not see the Go that is on the PATH"
wanted 2 ./watchlab doctor --all
if grep -rnE '\./dev\b|tests/lanes' core sim scenarios exercises --include='*.?pp' --include='*.py' --include='*.build' --include='*.md' \
  >"$place/out"; then
  fail "the product names lanes"
fi

# A reader that goes away ends a command without a word, also where its caller ignores SIGPIPE.
for command in "run scenarios --json" "list" "museum list"; do
  # shellcheck disable=SC2016,SC2086
  bash -c 'trap "" PIPE; ./watchlab $* | head -n 1' - $command >"$place/out" 2>"$place/err"
  [[ ! -s $place/err ]] || fail "$command | head complains"
done

# A line of progress fits into the terminal: one that wraps cannot be overwritten.
command="TERM=xterm WATCHLAB_PROGRESS_AFTER=0 build/release/scenarios/cli/watchlab explore slow_handler --strategy random --time 2s --schedules 9999999"
script -qec "stty cols 40; $command" /dev/null </dev/null >"$place/out" 2>"$place/err" || true
tr '\r' '\n' <"$place/out" | sed -n 's/^\x1b\[K\([0-9]* s left: slow_handler: \)/\1/p' | grep . >"$place/progress" ||
  fail "no progress was shown"
awk 'length($0) > 39 { exit 1 }' "$place/progress" || fail "progress wraps at 40 columns"

# Lines are as wide as the window, and each stream has colours only where it is a terminal itself.
cat >"$place/broken.yaml" <<'STORY'
apiVersion: watchlab/v1
name: broken
story: s
clients: [{name: x, kind: informer}]
script: [{create: demo}]
expect: [{store: {exactly: []}}]
STORY
command="build/release/scenarios/cli/watchlab run missed_delete $place/broken.yaml"
script -qec "stty cols 50; $command 2>$place/plain" /dev/null </dev/null >"$place/out" 2>"$place/err" || true
grep -q $'\x1b\\[32mheld' "$place/out" || fail "a terminal has no colours"
! grep -q $'\x1b' "$place/plain" || fail "a file has colours"
grep -q '^FAIL  ' "$place/plain" || fail "the failure is not there"
script -qec "stty cols 50; NO_COLOR=1 $command" /dev/null </dev/null >"$place/out" 2>"$place/err" || true
! grep -q $'\x1b\\[[0-9;]*m' "$place/out" || fail "NO_COLOR is not heard"
tr '\r' '\n' <"$place/out" | LC_ALL=C sed 's/\x1b\[K//g; s/[\x80-\xbf]//g' |  # awk counts bytes
  awk '/watchlab / { next } length($0) > 50 { exit 1 }' || fail "a line is wider than the window"
echo "command line: all as it should be"
