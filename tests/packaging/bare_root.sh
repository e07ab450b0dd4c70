# shellcheck shell=bash
# What plays in a bare Debian shares: roots that debootstrap makes once, from the mirror that apt of this machine uses, in
# build/bare/SUITE; a copy to work in; and checks that are counted. Sourced with $root set to the checkout, by a script
# that has set $what, its name in messages.

: "${root:?}" "${what:?}"
place=$(readlink -m "$root/build/bare")  # as the list of mounts has it
here=$place/try
passed=0
failed=0

skip() {
  echo "$what: skipped, $*"
  ((passed + failed == 0)) || echo "$passed passed, $failed failed"
  exit $((failed > 0))
}

# Runs a command with mounts of its own. What it mounts ends with it, and is never seen where folders are removed: rm would
# follow a bind mount out of the root and empty a folder of this machine.
with_own_mounts() { unshare --mount --propagation private "$@"; }

# Removes folder $1 of build/bare and nothing else: no other folder, and nothing while something is mounted in it.
remove() {
  local target
  if [[ $1 != "$place"/?* || $1 == */..* ]]; then
    echo "$what: $1 is not removed: it is not in $place" >&2
    exit 1
  fi
  while read -r _ _ _ _ target _; do
    target=$(printf %b "$target")
    [[ $target != "$1" && $target != "$1"/* ]] || {
      echo "$what: $1 is not removed: something is mounted at $target" >&2
      exit 1
    }
  done </proc/self/mountinfo
  rm -rf --one-file-system "$1"
}

# Prints the mirror of Debian that apt of this machine uses.
# shellcheck disable=SC2016 # apt knows what SITE is
mirror() { apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian' 2>/dev/null | head -n 1; }

# Makes the root of suite $1 where it is not there yet, or skips all.
make_root() {
  local pristine=$place/$1 mirror
  ((EUID == 0)) || skip "it takes root"
  command -v debootstrap >/dev/null || skip "there is no debootstrap"
  with_own_mounts true 2>/dev/null || skip "nothing can be mounted here"
  mkdir -p "$place"
  mirror=$(mirror)
  [[ $mirror ]] || skip "apt knows no mirror of Debian"
  timeout 30 /usr/lib/apt/apt-helper -o Acquire::Retries=0 download-file "$mirror/dists/$1/Release" "$place/Release" >/dev/null 2>&1 ||
    skip "apt reaches no network"
  [[ ! -e $pristine/etc/debian_version ]] || return 0
  remove "$pristine.new"
  DPKG_FORCE=unsafe-io with_own_mounts timeout 600 debootstrap --variant=minbase "$1" "$pristine.new" "$mirror" \
    >"$place/debootstrap.txt" 2>&1 ||
    skip "debootstrap made no root of $1 from $mirror: $(tail -n 1 "$place/debootstrap.txt")"
  mv "$pristine.new" "$pristine"
}

clear_up() { remove "$here"; }

# Lays out a copy of the root of suite $1.
fresh_copy() {
  clear_up
  cp -a "$place/$1" "$here"
  cp -L /etc/resolv.conf /etc/hosts "$here/etc/"
}

# Runs a command in the copy, with nothing of this environment but how many jobs a build may run.
there() {
  # shellcheck disable=SC2016 # the words are those of the shell that is called
  with_own_mounts env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    DPKG_FORCE=unsafe-io ${WATCHLAB_JOBS:+WATCHLAB_JOBS="$WATCHLAB_JOBS"} \
    sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$here" "$@"
}

# What git knows of this checkout, and what is not committed yet, in /srv/watchlab of the copy.
copy_checkout() {
  mkdir -p "$here/srv/watchlab"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null) |
    tar -C "$root" -cf - -T - | tar -C "$here/srv/watchlab" --no-same-owner -xf -
}

# Runs words of bash in the checkout of the root, with what the launcher is made of.
with_launcher() { there bash -euc "cd /srv/watchlab; root=\$PWD; source ./launcher.sh; $1"; }

wants() { # MESSAGE COMMAND…: counts whether the command ends well, and says how long it took
  local what=$1 started=${EPOCHREALTIME/./} verdict=held
  shift
  if "$@" >"$place/log.txt" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    verdict=FAIL
  fi
  printf '%s  %s, %d ms\n' $verdict "$what" $(((${EPOCHREALTIME/./} - started) / 1000))
  [[ $verdict == held ]] || tail -n 20 "$place/log.txt" | sed 's/^/  /'
}

held_within() { # SECONDS COMMAND…: whether the command ends well within that processor time
  local TIMEFORMAT='%U %S'
  { time "${@:2}" 2>&1; } 2>"$place/times" && awk -v most="$1" '{ exit $1 + $2 > most }' "$place/times"
}

# Writes into folder $1 a story that fails and one for a client from outside.
write_stories() {
  printf '%s\n' "apiVersion: watchlab/v1" "name: broken" "story: s" "clients: [{name: x, kind: informer}]" \
    "script: [{create: demo}]" "expect: [{store: {exactly: []}}]" >"$1/broken.yaml"
  printf '%s\n' "apiVersion: watchlab/v1" "name: outside" "story: s" "clients: [{name: x, kind: external}]" \
    "until: {requested: {count: 1}}" >"$1/outside.yaml"
}
