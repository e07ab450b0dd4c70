#!/usr/bin/env bash
# build [TREE] [TARGET…]        builds without running anything
#
#   TREE    release (the default), debug, clang, asan or tsan: a folder in build/
#   TARGET  a path in that folder, such as scenarios/cli/watchlab; everything by default
#
# Examples:
#   ./dev build
#   ./dev build debug scenarios/cli/watchlab
#
# Exit: 0 built, 1 the build failed, 2 bad usage.
: "${root:?a lane is run by ./dev}"

need product
started=$SECONDS
build "${1:-release}" "${@:2}" || exit 1
echo "built build/${1:-release} in $((SECONDS - started)) s"
