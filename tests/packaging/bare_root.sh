# shellcheck shell=bash
# What plays in a bare Debian shares: roots that debootstrap makes once, from the mirror that apt of this machine uses, in
# build/bare/SUITE; a copy to work in; and checks that are counted. Sourced with $root set to the checkout, by a script
# that has set $what, its name in messages.

: "${root:?}" "${what:?}"
place=$root/build/bare
here=$place/try
passed=0
failed=0

skip() {
  echo "$what: skipped, $*"
  ((passed + failed == 0)) || echo "$passed passed, $failed failed"
  exit $((failed > 0))
}

# Makes the root of suite $1 where it is not there yet, or skips all.
make_root() {
  local pristine=$place/$1 mirror
  (($(id -u) == 0)) || skip "it takes root"
  command -v debootstrap >/dev/null || skip "there is no debootstrap"
  mkdir -p "$place"
  [[ ! -e $pristine/etc/debian_version ]] || return 0
  # shellcheck disable=SC2016 # apt knows what SITE is
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
  [[ $mirror ]] || skip "apt knows no mirror of Debian"
  rm -rf "$pristine"
  timeout 600 debootstrap --variant=minbase "$1" "$pristine" "$mirror" >"$place/debootstrap.txt" 2>&1 ||
    { rm -rf "$pristine"; skip "debootstrap made no root of $1 from $mirror: $(tail -n 1 "$place/debootstrap.txt")"; }
}

# Ends what is mounted in the copy, and removes it. Nothing of this machine may be mounted there but /proc: rm does not see
# the border of a mount of the same file system, and would empty it. So nothing is removed while anything is mounted.
clear_up() {
  umount "$here/proc" 2>/dev/null || true
  if grep -qF " $here/" /proc/mounts; then
    echo "$what: something is still mounted in $here; it is left as it is" >&2
    exit 1
  fi
  rm -rf --one-file-system "$here"
}

# Lays out a copy of the root of suite $1.
fresh_copy() {
  clear_up
  cp -a "$place/$1" "$here"
  cp -L /etc/resolv.conf /etc/hosts "$here/etc/"
  mount -t proc proc "$here/proc"
}

# Runs a command in the copy, with nothing of this environment.
there() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$here" "$@"; }

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
