#!/usr/bin/env bash
# Builds docs/example-project with watchlab from its sources, as packagers and build systems do: by the Meson wrap, the
# Conan recipe and the vcpkg port. Each compiles the libraries anew, some minutes. vcpkg itself is not at any registry:
# its port is played by CMake, with stand-ins for its functions. The last line is `N passed, N failed`.
set -uo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
place=$root/build/packaging
recipes=$root/docs/packaging
passed=0
failed=0

wants() { # MESSAGE COMMAND…: counts whether the command ends well
  local what=$1 started=$SECONDS
  shift
  if "$@" >"$place/log.txt" 2>&1; then
    passed=$((passed + 1))
    echo "held  $what, $((SECONDS - started)) s"
  else
    failed=$((failed + 1))
    echo "FAIL  $what"
    tail -n 20 "$place/log.txt" | sed 's/^/  /'
  fi
}
finds_the_mistake() { ! "$1" >"$place/found.txt" 2>&1 && grep -q deadlock "$place/found.txt"; }
by_cmake() { # FOLDER OPTION…: the example in FOLDER
  rm -rf "$1" && cp -r "$root/docs/example-project" "$1" &&
    cmake -S "$1" -B "$1/build" -DCMAKE_BUILD_TYPE=Release "${@:2}" && cmake --build "$1/build"
}

rm -rf "$place/wrap" "$place/port"
mkdir -p "$place/wrap/subprojects" "$place/port"

# The wrap names an address; here it is this tree, at what is checked out.
cp "$root"/docs/example-project/{meson.build,bounded_queue.hpp,bounded_queue_test.cpp} "$place/wrap"
sed -e "s|^url = .*|url = file://$root|; s|^revision = .*|revision = $(git -C "$root" rev-parse HEAD)|" \
  -e '/^depth/d' "$recipes/watchlab.wrap" >"$place/wrap/subprojects/watchlab.wrap"
wants "Meson gets watchlab by its wrap" meson setup -Dunity=on --wrap-mode=forcefallback "$place/wrap/build" "$place/wrap"
wants "it builds the example" ninja -C "$place/wrap/build"
wants "which finds its mistake" finds_the_mistake "$place/wrap/build/bounded_queue_test"

# Conan from PyPI; the libraries of the system take the place of those of its own registry.
export CONAN_HOME=$place/conan
conan=$place/python/bin/conan
if [[ ! -x $conan ]]; then
  python3 -m venv "$place/python" >/dev/null 2>&1 && timeout 180 "$place/python/bin/pip" install -q 'conan==2.34.0' >"$place/log.txt" 2>&1
fi
if [[ -x $conan ]]; then
  [[ -e $CONAN_HOME/profiles/default ]] || "$conan" profile detect >/dev/null 2>&1
  version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$root/meson.build")
  settings=(-o 'watchlab/*:system_libraries=True' -s compiler.cppstd=20)
  wants "Conan makes its package" "$conan" create "$recipes/conan" --version "$version" "${settings[@]}"
  rm -rf "$place/generated"
  wants "it generates what CMake reads" "$conan" install "--requires=watchlab/$version" "${settings[@]}" \
    -g CMakeDeps -g CMakeToolchain --output-folder="$place/generated"
  wants "CMake builds the example" by_cmake "$place/by-conan" "-DCMAKE_TOOLCHAIN_FILE=$place/generated/conan_toolchain.cmake"
  wants "which finds its mistake" finds_the_mistake "$place/by-conan/build/bounded_queue_test"
else
  echo "recipes: Conan is skipped, pip cannot get it"
fi

wants "the port of vcpkg builds and installs" cmake "-DPORT=$recipes/vcpkg" "-DPLACE=$place/port" \
  -P "$root/tests/packaging/vcpkg_port.cmake"
wants "CMake builds the example" by_cmake "$place/by-port" "-DCMAKE_PREFIX_PATH=$place/port/packages"
# shellcheck disable=SC2016 # the words are those of the shell that is called
wants "which finds its mistake" env "LD_LIBRARY_PATH=$place/port/packages/lib" bash -c \
  '! "$1" >"$2" 2>&1 && grep -q deadlock "$2"' bash "$place/by-port/build/bounded_queue_test" "$place/found.txt"
echo "$passed passed, $failed failed"
((failed == 0))
