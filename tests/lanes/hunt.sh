#!/usr/bin/env bash
# hunt [NAME…] [--long]         lets fuzz look for the mutants that break the contract
#
# Each mutant of tests/mutants/hunted.txt is built, and `watchlab fuzz` runs
# against it until it finds something: the seeds 1, 2, 3 … and then others. A line for each: how many
# runs it took (the median of the tries), the clause, the signature of what was found. Without names
# a sample is hunted, another one at each commit.
#
#   NAME        a mutant (core/d04_replace_forgets_the_known) or the beginning of one (core/d)
#   --long      all of the list
#   --unlisted  those of core that are not in the list; tests/mutants/unhunted.txt says of each why not
#   --tries N   how often each is hunted, each time with other seeds; 1 if left out, 3 with --long
#   --runs N    when a try gives up; 20000 if left out
#   --fixed     lets fuzz look at core with all fixes of docs/known_live.md instead: it must find
#               nothing at all, neither what is known nor anything else
#   --seeds A..B  which stories it plays to core with all fixes; 1..2000 if left out, 1..100000 with
#               --long
#   --resume F  continues from the file that a call with the same options has left: each result is written there
#               when it is made. A signal prints the line that continues
#   --json      JSON lines
#
# Examples:
#   ./dev hunt core/d
#   ./dev hunt --long
#   ./dev hunt --fixed --seeds 1..500
#
# Exit: 0 all were found (with --fixed: nothing was), 1 one was not or a patch no longer applies,
# 2 the call was wrong, 130 a signal has ended it.
: "${root:?a lane is run by ./dev}"

need product
build_originals
exec python3 "$root/tests/mutants/hunt.py" "$@"
