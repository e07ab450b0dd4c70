#!/usr/bin/env bash
# format [--check] [FILE…]      formats the C++ sources with clang-format-16, in place
#
#   --check  changes nothing and lists the files that need formatting
#   FILE     these files only, instead of all of core, sim, scenarios, exercises and tests
#
# Examples:
#   ./dev format
#   ./dev format --check
#   ./dev format core/cache/store.cpp
#
# Exit: 0 all formatted, 1 some are not (--check), 2 bad usage.
: "${root:?a lane is run by ./dev}"

check=''
files=()
for argument; do
  case $argument in
    --check) check=yes ;;
    -*) refuse "format: there is no flag $argument; see ./dev format --help" ;;
    *)
      [[ -f $argument ]] || refuse "format: there is no file $argument"
      files+=("$argument")
      ;;
  esac
done

need format
command -v clang-format-16 >/dev/null || refuse "format: there is no clang-format-16 here"
if ((${#files[@]} == 0)); then
  cd "$root" || exit 2
  mapfile -t files < <(find core sim scenarios exercises tests -name '*.[ch]pp' | sort)
fi
mapfile -t wrong < <(printf '%s\0' "${files[@]}" | xargs -0 -n 16 -P 2 \
  clang-format-16 --dry-run --Werror --ferror-limit=1 2>&1 |
  sed -n 's/^\([^: ]*\):[0-9].*error:.*/\1/p' | sort -u)
if [[ $check ]]; then
  ((${#wrong[@]} == 0)) || printf '%s: is not laid out; ./dev format does it\n' "${wrong[@]}"
elif ((${#wrong[@]})); then
  clang-format-16 -i "${wrong[@]}"
  printf '%s: laid out\n' "${wrong[@]}"
fi
echo "${#files[@]} files, ${#wrong[@]} $([[ $check ]] && echo 'not laid out' || echo changed)"
[[ ! $check ]] || ((${#wrong[@]} == 0))
