#!/usr/bin/env bash
# lint [FILE…]                  checks sources with clang-tidy, scripts with shellcheck, spelling with codespell
#
#   FILE  these files only, instead of all scripts, pages, and sources of core, sim and scenarios
#
# The checks are in .clang-tidy; .codespellrc lists words that codespell must accept. clang-tidy takes some seconds per
# source, so name the files you work on. Large functions are listed but fail nothing.
#
# Examples:
#   ./dev lint core/cache/delta_fifo.cpp
#   ./dev lint tests/lanes/test.sh
#   ./dev lint
#
# Exit: 0 nothing found, 1 something found, 2 bad usage.
: "${root:?a lane is run by ./dev}"

sources=()
scripts=()
pages=()
for argument; do
  case $argument in
    -*) refuse "lint: there is no flag $argument; see ./dev lint --help" ;;
    *.cpp) sources+=("$(realpath "$argument")") ;;
    *.md | *.hpp | *.py | *.yaml) pages+=("$(realpath "$argument")") ;;
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
  mapfile -t pages < <(find ./*.md docs core sim scenarios exercises -name '*.md' -o -name '*.hpp' | grep -v '\.zh\.md$' | sort)
fi

found=0
((${#scripts[@]} == 0)) || shellcheck -x "${scripts[@]}" || found=1
if ((${#sources[@]})); then
  build clang build.ninja || exit 1  # clang-tidy reads how each source is compiled
  printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P 2 \
    clang-tidy-16 -p build/clang --quiet 2> >(grep -v 'warnings generated' >&2) || found=1
fi
if command -v codespell >/dev/null; then
  codespell "${sources[@]}" "${scripts[@]}" "${pages[@]}" || found=1
else
  echo "lint: spelling is skipped, because codespell is missing"
fi
echo "$((${#sources[@]} + ${#scripts[@]} + ${#pages[@]})) files, $( ((found)) && echo 'something' || echo 'nothing') found"
exit "$found"
