#!/usr/bin/env bash
# build [TREE] [TARGET…]        builds without running anything
#
#   TREE    release (the standard), debug, clang, asan or tsan: a folder of build/
#   TARGET  a path in that folder, as scenarios/cli/watchlab; all if left out
#
# Examples:
#   ./dev build
#   ./dev build debug scenarios/cli/watchlab
#
# Exit: 0 built, 1 the build failed, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

need product
started=$SECONDS
build "${1:-release}" "${@:2}" || exit 1
echo "built build/${1:-release} in $((SECONDS - started)) s"
