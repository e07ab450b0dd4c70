#!/usr/bin/env bash
# Gradescope's setup.sh. The zip has this file, run_autograder, and a checkout of watchlab in the folder watchlab.
set -e
cd /autograder/source/watchlab
./watchlab course list                          # installs packages and builds
./watchlab course dev check E01t --seeds 3      # builds what grading needs, and checks it
chmod go= .git exercises/*/instructor exercises/*/variants build/release/exercises/variants
