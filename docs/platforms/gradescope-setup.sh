#!/usr/bin/env bash
# setup.sh of an autograder of Gradescope; the zip has this file, run_autograder and a checkout as `watchlab`.
set -e
cd /autograder/source/watchlab
./watchlab course list                          # installs packages and builds
./watchlab course dev check E01t --seeds 3      # builds the variants, and sees that all is well
chmod go= .git exercises/*/instructor exercises/*/variants build/release/exercises/variants
