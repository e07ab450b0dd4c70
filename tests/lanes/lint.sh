#!/usr/bin/env bash
# lint [FILE…]                  reads sources with clang-tidy and scripts with shellcheck
#
#   FILE  these files only, instead of all scripts and all sources of core, sim and scenarios
#
# The checks stand in .clang-tidy. It takes some seconds a source: name the files you work on.
#
# Examples:
#   ./dev lint core/cache/delta_fifo.cpp
#   ./dev lint tests/lanes/test.sh
#   ./dev lint
#
# Exit: 0 nothing found, 1 something found, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

sources=()
scripts=()
for argument; do
  case $argument in
    -*) refuse "lint: there is no flag $argument; see ./dev lint --help" ;;
    *.cpp) sources+=("$(realpath "$argument")") ;;
    *) scripts+=("$(realpath "$argument")") ;;
  esac
done

need product
need clang
need lint
cd "$root" || exit 2
if (($# == 0)); then
  mapfile -t sources < <(find core sim scenarios -name '*.cpp' | sort)
  mapfile -t scripts < <(find watchlab dev launcher.sh .ci/run tests/lanes tests -maxdepth 1 -type f \
    \( -name '*.sh' -o -name watchlab -o -name dev -o -name run \) | sort -u)
fi

found=0
((${#scripts[@]} == 0)) || shellcheck -x "${scripts[@]}" || found=1
if ((${#sources[@]})); then
  build clang build.ninja || exit 1  # clang-tidy reads how each source is compiled
  printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P 2 \
    clang-tidy-16 -p build/clang --quiet 2> >(grep -v 'warnings generated' >&2) || found=1
fi
echo "$((${#sources[@]} + ${#scripts[@]})) files, $( ((found)) && echo 'something' || echo 'nothing') found"
exit "$found"
