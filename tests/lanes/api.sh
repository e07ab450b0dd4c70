#!/usr/bin/env bash
# api [--release]               compares what others build on with what the last release had
#
# Declarations of public headers, what libraries export of them, commands with their options, exit statuses and fields of
# --json, keys of scenario files: tests/api has what the last release had, a line for each thing. What is gone fails the lane; what was added is
# listed. docs/stability.md says what is promised. Layouts of structs are not compared. CHANGELOG.md, sonames, recipes
# and docs have to name the version of meson.build.
#
#   --release   writes tests/api anew, for the version in meson.build; what is gone may be gone only if the minor
#               version is another one
#
# Examples:
#   ./dev api
#   ./dev api --release
#
# Exit: 0 nothing is gone, 1 something is, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

[[ $# -eq 0 || $* == --release ]] || refuse "api: expected --release or nothing, not '$*'"
need product
need pages
command -v python3 >/dev/null || refuse "api: there is no python3"
# The program needs all libraries but one.
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$root/meson.build")
build release scenarios/cli/watchlab "core/libwatchlab-port.so.${version%.*}" || exit 1
python3 "$root/tests/api/public_api.py" "$@"
