#!/usr/bin/env bash
# api-docs [FOLDER]             makes reference pages from the public headers, with Doxygen
#
#   FOLDER  where to write them; build/api-docs by default
#
# A Doxygen warning fails the lane, for example a comment that names a parameter the function does not have. The
# lists public_headers in core, sim and scenarios say what is public. No code is built.
#
# Examples:
#   ./dev api-docs
#   ./dev api-docs /var/www/watchlab
#
# Exit: 0 made, 1 Doxygen warned, 2 bad usage.
: "${root:?a lane is run by ./dev}"

[[ $# -le 1 && ${1:-} != -* ]] || refuse "api-docs: takes one folder; see ./dev api-docs --help"
need pages
out=$(realpath -m "${1:-$root/build/api-docs}")
mkdir -p "$out"
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$root/meson.build")
cd "$root" || exit 2

mapfile -t headers < <(tests/public_headers.sh)
if ! (cat docs/Doxyfile
      printf '%s\n' "OUTPUT_DIRECTORY = \"$out\"" "HTML_OUTPUT = ." "PROJECT_NUMBER = $version"
      echo "STRIP_FROM_PATH = \"$root\""
      echo "INPUT = docs/library.md ${headers[*]}") | doxygen - >&2; then
  say "the pages of the API have warnings"
  exit 1
fi
echo "${#headers[@]} headers; the first page is $out/index.html"
