#!/usr/bin/env bash
# What ./watchlab doctor says on other systems. Each row of the table is an os-release file, laid over that of this machine
# for one call, with package managers that have nothing or everything. Then, that removing a bare root removes nothing else.
# Needs root, to mount; else it is skipped with a line. Exit 0 if all of that is as it should be.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
failed=0
rows=0

if ! unshare --mount true 2>/dev/null; then
  echo "systems: skipped, this user cannot mount"
  exit 0
fi

# Makes package managers that have all packages ($1 is 0) or none (1).
make_managers() {
  mkdir -p "$place/$1"
  for name in rpm pacman apk brew; do
    printf '#!/bin/sh\nexit %s\n' "$1" >"$place/$1/$name"
    chmod +x "$place/$1/$name"
  done
}
make_managers 0
make_managers 1

# Runs doctor where os-release is the lines of $2, with the package managers $1.
doctor_on() {
  printf '%b\n' "$2" >"$place/os-release"
  # shellcheck disable=SC2016 # the words are those of the shell that is called
  PATH=$place/$1:$PATH unshare --mount bash -c 'mount --bind "$1" "$(readlink -f /etc/os-release)" && "$2/watchlab" doctor' \
    bash "$place/os-release" "$root" 2>&1
}

# Wants that doctor ends with status $2 and a last line that has $3, where os-release is $4 and nothing is installed.
says() {
  local what=$1 status=$2 line=$3 found=0 out
  out=$(doctor_on "${5:-1}" "$4") || found=$?
  rows=$((rows + 1))
  out=$(tail -n 1 <<<"$out")
  if ((found != status)) || [[ $out != *"$line"* ]]; then
    failed=$((failed + 1))
    printf 'systems: %s: expected %s and "%s", found %s and "%s"\n' "$what" "$status" "$line" "$found" "$out" >&2
  fi
}

dnf='dnf install -y gcc-c++ meson ninja-build'
says "Fedora" 1 "not tried): $dnf" 'NAME="Fedora Linux"\nVERSION="43 (Server Edition)"\nID=fedora\nVERSION_ID=43'
says "Rocky, by what it is like" 1 "$dnf" 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"'
says "what it is like before what it is" 1 "$dnf" 'ID_LIKE="rhel fedora"\nID="almalinux"'
says "Arch" 1 'not tried): pacman -S --needed gcc meson' 'NAME="Arch Linux"\nID=arch\nBUILD_ID=rolling'
says "Manjaro" 1 'pacman -S --needed gcc' 'ID=manjaro\nID_LIKE=arch'
says "EndeavourOS, quoted once" 1 'pacman -S --needed gcc' "ID='endeavouros'\nID_LIKE='arch'"
says "Alpine" 1 'not tried): apk add bash g++' 'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.22.1'
says "postmarketOS" 1 'apk add bash g++' 'ID="postmarketos"\nID_LIKE="alpine"'
says "Fedora with all packages" 0 ready 'ID=fedora' 0
says "Arch with all packages" 0 ready 'ID=arch' 0
says "openSUSE" 0 'openSUSE Leap 15.6 is no system whose packages are known here; what watchlab needs: g++ meson' \
  'ID="opensuse-leap"\nID_LIKE="suse opensuse"\nPRETTY_NAME="openSUSE Leap 15.6"'
says "this Debian" 0 ready 'ID=debian\nVERSION_CODENAME=bookworm'
says "Ubuntu, with the names of Debian" 0 ready 'ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble'
says "Mint" 0 ready 'ID=linuxmint\nID_LIKE="ubuntu debian"'
says "no os-release worth the name" 0 ready '# nothing'

# Of alternatives, the one that a system has: by its lists of packages, else by its name.
missing_by() { # LISTS CODENAME CANDIDATE…: what the launcher would install of group product there
  bash -c 'set -euo pipefail; root=$1; source "$root/launcher.sh"; lists=$2
    printf "ID=debian\nVERSION_CODENAME=%s\n" "$3" >"$4"; os_release=$4
    has_lists() { [[ $lists == lists ]]; }
    for pair in "${@:5}"; do candidates[${pair%%=*}]=${pair#*=}; done
    mapfile -t all < <(missing_packages product | grep boost)
    echo "${all[*]}; lacks $(not_to_be_had "${all[@]}")"' \
    bash "$root" "$1" "$2" "$place/os-release" "${@:3}"
}
wants() {
  local what=$1 wanted=$2 found
  found=$(missing_by "${@:3}")
  rows=$((rows + 1))
  if [[ $found != "$wanted" ]]; then
    failed=$((failed + 1))
    printf 'systems: %s: expected\n%s\nfound\n%s\n' "$what" "$wanted" "$found" >&2
  fi
}
plain='libboost-dev libboost-context-dev libboost-json-dev libboost-test-dev'
numbered='libboost1.81-dev libboost-context1.81-dev libboost-json1.81-dev libboost-test1.81-dev'
of_version() { for name in $plain; do echo "$name=$1"; done; }
numbered_ones() { for name in $numbered; do echo "$name=1.81.0-5"; done; }
mapfile -t newer < <(of_version 1.83.0.2)
mapfile -t bookworm < <(of_version 1.74.0.3; numbered_ones)
mapfile -t older < <(of_version 1.74.0.3)
wants "Debian 13 by its lists" "$plain; lacks " lists trixie "${newer[@]}"
wants "Debian 12 by its lists" "$numbered; lacks " lists bookworm "${bookworm[@]}"
wants "Debian 13 without lists" "$plain; lacks " none trixie
wants "Debian 12 without lists" "$numbered; lacks " none bookworm
wants "Ubuntu 22.04, which has neither" \
  "$numbered; lacks libboost-dev>=1.81 libboost-context-dev>=1.81 libboost-json-dev>=1.81 libboost-test-dev>=1.81" \
  lists jammy "${older[@]}"

# Bare roots are removed, and nothing that is mounted in them or lies beside them.
is_kept() { # WHAT WORDS: whether a file of this machine outlives what the words do to a root that it is mounted in
  mkdir -p "$place/checkout/build/bare/try/inside" "$place/kept"
  touch "$place/kept/file"
  rows=$((rows + 1))
  # shellcheck disable=SC2016 # the words are those of the shell that is called
  unshare --mount bash -c 'root=$1/checkout what=test; source "$2/tests/packaging/bare_root.sh"; kept=$1/kept
    hold() { mount --bind "$kept" "$here/inside"; }; eval "$3"' bash "$place" "$root" "$2" >/dev/null 2>&1 || true
  if [[ ! -e $place/kept/file || ($3 == gone && -e $place/checkout/build/bare/try) ]]; then
    failed=$((failed + 1))
    echo "systems: $1: a file was lost, or the root is still there" >&2
  fi
}
# shellcheck disable=SC2016
{
  is_kept "what a command in a root has mounted" 'export here kept; export -f hold
    coproc with_own_mounts bash -c "hold; echo; read"; read -r -u "${COPROC[0]}"; clear_up' gone
  is_kept "what is still mounted" 'hold; clear_up' there
  is_kept "what lies beside the roots" 'remove "$kept"; remove "$place/../../../kept"' there
}

echo "$((rows - failed)) passed, $failed failed"
((failed == 0))
