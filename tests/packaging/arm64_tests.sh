#!/usr/bin/env bash
# Builds the test programs of core, sim and scenarios for arm64 Linux, and runs them by qemu-user.
#
#   arm64_tests.sh PLACE [PROGRAM…]
#
# The compiler is Debian's, and so are the libraries: debootstrap unpacks those of arm64 in PLACE, without running any. The
# last line is `N passed, N failed`: programs. Where something is not to be had, one line says what. Exit 0 unless one failed.
set -uo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
# shellcheck source=launcher.sh
source "$root/launcher.sh"
place=$1
shift

skip() {
  echo "arm64-tests: skipped, $*"
  exit 0
}

# Unpacks packages of arm64 with the headers and libraries of the product. Links that begin at the root are made relative.
make_root() {
  local site packages link
  # shellcheck disable=SC2016 # apt knows what SITE is
  site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian' 2>/dev/null | head -n 1)
  look_at_packages
  packages=$(packages_of product | grep -e '-dev$' | paste -sd ,)
  rm -rf "$place/sysroot"
  unshare --mount --propagation private debootstrap --foreign --arch=arm64 --variant=minbase \
    --include="libc6-dev,libstdc++-12-dev,$packages" bookworm "$place/sysroot" "$site" >"$place/debootstrap.log" 2>&1 || return 1
  for package in "$place"/sysroot/var/cache/apt/archives/*.deb; do
    dpkg -x "$package" "$place/sysroot" || return 1
  done
  while IFS= read -r -d '' link; do
    ln -sfnr "$place/sysroot$(readlink "$link")" "$link"
  done < <(find "$place/sysroot/usr" "$place/sysroot/lib" -type l -lname '/*' -print0)
  touch "$place/sysroot/made"
}

write_machine_file() {
  local folder=$place/sysroot/usr/lib/aarch64-linux-gnu
  cat >"$place/machine.ini" <<END
[binaries]
cpp = [$(! command -v ccache >/dev/null || echo "'ccache', ")'aarch64-linux-gnu-g++-12']
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64-static', '-L', '$place/sysroot']
[properties]
boost_includedir = '$place/sysroot/usr/include'
boost_librarydir = '$folder'
sys_root = '$place/sysroot'
pkg_config_libdir = '$folder/pkgconfig:$place/sysroot/usr/share/pkgconfig'
[built-in options]
cpp_args = ['--sysroot=$place/sysroot']
cpp_link_args = ['--sysroot=$place/sysroot']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
}

((EUID == 0)) || skip "it takes root"
(need arm64) || skip "its packages are not installed"
[[ $(os_field VERSION_CODENAME) == bookworm ]] || skip "the cross compiler and the libraries are those of Debian 12"
mkdir -p "$place"
[[ -e $place/sysroot/made ]] || make_root || skip "debootstrap unpacks no arm64: $(tail -n 1 "$place/debootstrap.log")"
tree=$place/build
if [[ ! -f $tree/build.ninja ]]; then
  write_machine_file
  meson setup --cross-file "$place/machine.ini" --buildtype=release -Doptimization=1 "$tree" "$root" >"$place/setup.log" 2>&1 ||
    { tail -n 5 "$place/setup.log"; exit 1; }
fi
(($#)) || mapfile -t programs < <(sed -nE 's/^(core|sim|scenarios)-[^ ]* //p' "$tree/tests/programs.txt")
(($# == 0)) || programs=("$@")
ninja -C "$tree" ${WATCHLAB_JOBS:+-j "$WATCHLAB_JOBS"} "${programs[@]}" >"$place/build.log" 2>&1 || { tail -n 20 "$place/build.log"; exit 1; }
passed=0
failed=0
cd "$root" || exit 1
for name in "${programs[@]}"; do
  if timeout 900 qemu-aarch64-static -L "$place/sysroot" "$tree/$name" </dev/null >"$place/test.log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL  ${name##*/}"
    grep -a 'error: ' "$place/test.log" | head -n 5
  fi
done
echo "$passed passed, $failed failed"
((failed == 0))
