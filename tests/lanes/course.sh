#!/usr/bin/env bash
# course COMMAND …              hands out, checks and grades the exercises: list, start, check, hint …
#
# Builds the program watchlab-course and runs it in the current folder, where your files are kept in
# the folder homework. ./watchlab course COMMAND --help explains a command.
#
# Examples:
#   ./watchlab course list
#   ./watchlab course start E01t
#   ./watchlab course check
#
# Exit: 0 fine, 1 something is still wrong with your files, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

export WATCHLAB_CALLED_AS="$0 course"  # for the messages that say what to type next

need product
need mutants  # what applies the patches that make wrong libraries
build release exercises/grader/watchlab-course exercises/toolkit/libwatchlab-toolkit.so \
  scenarios/cli/watchlab || exit 1
exec "$root/build/release/exercises/grader/watchlab-course" "$@"
