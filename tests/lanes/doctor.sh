#!/usr/bin/env bash
# doctor                        says what is installed, what is missing and which lanes can run
#
# Looks only; installs and builds nothing.
#
# Examples:
#   ./watchlab doctor
#
# Exit: 0 the product can be built, 1 packages for it are missing, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

(($# == 0)) || refuse "doctor: takes no arguments; see ./watchlab doctor --help"

state_of() {  # of package group $1, in words
  local packages
  if ! command -v dpkg-query >/dev/null; then
    echo "unknown: this is no Debian"
    return
  fi
  mapfile -t packages < <(missing_packages "$1")
  if ((${#packages[@]})); then
    echo "missing: ${packages[*]}"
  else
    echo installed
  fi
}

healthy=yes
echo "Package groups (packages.txt)"
while read -r group; do
  state=$(state_of "$group")
  printf '  %-12s %s\n' "$group" "$state"
  [[ $group != product || $state != missing* ]] || healthy=''
done < <(sed 's/#.*//' "$root/packages.txt" | awk 'NF && !seen[$1]++ { print $1 }')

echo "Lanes"
for lane in "$root"/tests/lanes/*.sh; do
  unmet=''
  while read -r group; do
    [[ $(state_of "$group") != missing* ]] || unmet+=" $group"
  done < <(sed -n 's/^need \([a-z]*\)$/\1/p' "$lane")
  name=$(basename "$lane" .sh)
  printf '  %-12s %s\n' "$name" "$([[ $unmet ]] && echo "needs first the packages of$unmet" || echo "can run")"
done

echo "Build trees"
for tree in release debug clang asan tsan; do
  if [[ -f $root/build/$tree/build.ninja ]]; then
    state="there, $(du -sh "$root/build/$tree" | cut -f 1)"
  else
    state="not yet"
  fi
  printf '  %-12s %s\n' "$tree" "$state"
done

echo "Tools"
for tool in "g++ --version" "clang++-16 --version" "/usr/bin/meson --version" "ninja --version" \
  "ccache --version"; do
  # shellcheck disable=SC2086 # a command and its flag
  printf '  %-12s %s\n' "${tool%% *}" "$($tool 2>/dev/null | head -n 1 || true)"
done
if [[ ! $healthy ]]; then
  echo "not ready: packages of the product are missing; ./watchlab installs them when run by root"
  exit 1
fi
echo "ready"
