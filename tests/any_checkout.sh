#!/usr/bin/env bash
# The launcher in checkouts that are not its user's: read-only ones, those of another user, those that several
# graders find unbuilt. Plays with a small project in the place of watchlab, so that a build takes a second.
# Exit 0 if all of that is as it should be.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
place=$(mktemp -d)
nobody=65534
trap 'umount "$place"/bound 2>/dev/null || true; chmod -R u+w "$place"; rm -rf "$place"' EXIT
chmod 755 "$place"
unset WATCHLAB_JOBS

fail() {
  echo "any checkout: $*" >&2
  [[ ! -f $place/err ]] || sed 's/^/  /' "$place/err" >&2
  exit 1
}

# Makes a checkout called $1 of a program that says hello, and counts how often it was compiled.
make_checkout() {
  local folder=$place/$1
  mkdir -p "$folder/scenarios/cli" "$folder/tests"
  cp "$root/watchlab" "$root/dev" "$root/launcher.sh" "$folder"
  echo 'product bash' >"$folder/packages.txt"
  printf "project('small', 'cpp', version: '0.1.0')\nsubdir('scenarios/cli')\n" >"$folder/meson.build"
  # Meson's own names of targets are those of watchlab: scenarios/cli/watchlab.
  cat >"$folder/scenarios/cli/meson.build" <<'MESON'
source = custom_target('source', output: 'watchlab.cpp', input: 'hello.in',
  command: ['sh', '-c', 'echo compiled >>"$1/compiled"; sleep 0.5; cp "$2" "$3"', 'sh',
            meson.current_build_dir(), '@INPUT@', '@OUTPUT@'])
foreach name : ['watchlab', 'watchlab-serve']
  executable(name, source)
endforeach
custom_target('schema', output: 'scenario.schema.json', command: ['touch', '@OUTPUT@'])
MESON
  printf '#include <cstdio>\nint main() { std::puts("hello"); }\n' >"$folder/scenarios/cli/hello.in"
}

compiled() { wc -l <"$place/$1/build/release/scenarios/cli/compiled"; }

# Runs the launcher of checkout $1 as the user that all may be, and wants status $2.
as_anyone() {
  local found=0 as=()
  ((EUID != 0)) || as=(setpriv --reuid "$nobody" --regid "$nobody" --clear-groups)
  (cd "$place/$1" && "${as[@]}" ./watchlab list) >"$place/out" 2>"$place/err" || found=$?
  ((found == $2)) || fail "in $1 the launcher ended with $found instead of $2"
}

# Several at once, with nothing built: one of them builds, the others wait for it.
make_checkout together
for i in 1 2 3 4 5; do
  (cd "$place/together" && ./watchlab list >"$place/out$i" 2>"$place/err$i"; echo $? >"$place/status$i") &
done
wait
for i in 1 2 3 4 5; do
  [[ $(<"$place/status$i") == 0 && $(<"$place/out$i") == hello ]] || { cp "$place/err$i" "$place/err"
    fail "launcher $i of five did not say hello"; }
done
(($(compiled together) == 1)) || fail "five launchers built $(compiled together) times"
grep -q 'waiting for another build' "$place"/err? || fail "the waiting build does not say that it waited"

# A TAB asks for names. It installs and builds nothing, and takes the program that is there, stale or not.
make_checkout tabs
! (cd "$place/tabs" && WATCHLAB_COMPLETES=1 ./watchlab list) >"$place/out" 2>"$place/err" || fail "a TAB found what is not built"
[[ ! -e $place/tabs/build && ! -s $place/err ]] || fail "a TAB built, or said something"
(cd "$place/tabs" && ./watchlab list) >"$place/out" 2>"$place/err" || fail "the checkout of TABs cannot be built"
echo '// stale' >>"$place/tabs/scenarios/cli/hello.in"
[[ $(cd "$place/tabs" && WATCHLAB_COMPLETES=1 ./watchlab list) == hello ]] || fail "a TAB found nothing"
(($(compiled tabs) == 1)) || fail "a TAB built"

# What only some commands need is built when one of them is called, and from then on kept up to date.
make_checkout parts
serve=$place/parts/build/release/scenarios/cli/watchlab-serve
parts() { (cd "$place/parts" && ./watchlab "$@") >"$place/out" 2>"$place/err" || fail "in parts the launcher failed: $*"; }
printf 'clients:\n  - {name: operator, kind: go}\n' >"$place/parts/story.yaml"
parts run missed_delete
[[ ! -e $serve ]] || fail "a call that needs no watchlab-serve built it"
parts run story.yaml
[[ -e $serve ]] || fail "a story whose client is a program did not build watchlab-serve"
grep -q "'run' needs more than what plays stories" "$place/err" || fail "it is not said why more is built"
echo '// new' >>"$place/parts/scenarios/cli/hello.in"
parts list
[[ $serve -nt $place/parts/scenarios/cli/hello.in ]] || fail "watchlab-serve was left stale"

# A command on a variant builds all libraries that variants are made of, those too that the program needs none of.
make_checkout variants
mkdir -p "$place/variants/tests/variants"
cp "$root/tests/variants/variant.py" "$place/variants/tests/variants"
printf 'import variant\nfor each in variant.LIBRARIES.values(): (variant.ROOT / "build/release" / each).stat()\n' \
  >"$place/variants/tests/variants/play.py"
echo 'int watchlab() { return 1; }' >"$place/variants/any.cpp"
printf "shared_library('watchlab-%s', 'any.cpp', soversion: '0.1', build_by_default: false)\n" \
  kernel port world client serve >>"$place/variants/meson.build"
(cd "$place/variants" && ./watchlab run story --variant some.patch) >"$place/out" 2>"$place/err" ||
  fail "a library that variants are made of was not built"

# What cannot be written to works when it is built, and nothing in it changes.
make_checkout foreign
chmod -R go+rX "$place/foreign"
((EUID == 0)) || chmod -R u-w "$place/foreign"
as_anyone foreign 2
grep -q 'build/release is not there, and .* cannot write to' "$place/err" ||
  fail "an unbuilt checkout of another user is not reported"
chmod -R u+w "$place/foreign"
"$place/foreign/watchlab" list >"$place/out" 2>"$place/err" || fail "the owner cannot build"
chmod -R go+rX "$place/foreign"
((EUID == 0)) || chmod -R u-w "$place/foreign"
find "$place/foreign" -printf '%p %T@ %s\n' | sort >"$place/before"
as_anyone foreign 0
[[ $(<"$place/out") == hello ]] || fail "another user's checkout does not run"
find "$place/foreign" -printf '%p %T@ %s\n' | sort | cmp - "$place/before" ||
  fail "something was written to another user's checkout"

# While its owner builds, another user waits for that.
exec {lock}<"$place/foreign/build/release.lock"
flock "$lock"
(exec {lock}<&-; as_anyone foreign 0) &  # every process that has it open holds the lock
waiter=$!
until grep -qs 'waiting for another build' "$place/err"; do
  kill -0 "$waiter" || fail "the other user did not wait for the owner's build"
  sleep 0.01
done
exec {lock}<&-
wait "$waiter"

# What has changed since it was built is not run.
chmod -R u+w "$place/foreign"
echo '// new' >>"$place/foreign/scenarios/cli/hello.in"
((EUID == 0)) || chmod -R u-w "$place/foreign"
as_anyone foreign 2
grep -q 'scenarios/cli/watchlab of build/release is missing or older than its sources' "$place/err" ||
  fail "a stale build of another user is not reported"

# A read-only mount, for root as well, where this user may mount.
mkdir "$place/bound"
if mount --bind "$place/together" "$place/bound" 2>/dev/null &&
  mount -o remount,bind,ro "$place/bound" 2>/dev/null; then
  "$place/bound/watchlab" list >"$place/out" 2>"$place/err" && fail "a moved build was run"
  grep -q "was built in $place/together" "$place/err" || fail "a moved build is not reported"
  umount "$place/bound"
  mount --bind "$place/together" "$place/together"
  mount -o remount,bind,ro "$place/together"
  "$place/together/watchlab" list >"$place/out" 2>"$place/err" ||
    fail "a read-only checkout does not run"
  umount "$place/together"
fi
echo "any checkout: all as it should be"
