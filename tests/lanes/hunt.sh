#!/usr/bin/env bash
# hunt [NAME…] [--long]         lets the fuzzer look for mutants that break the contract
#
# Each mutant in tests/mutants/hunted.txt is built, and `watchlab fuzz` runs against it until it finds something: first
# the seeds 1, 2, 3 …, then others. The lane prints one line for each: how many runs it took (the median of the tries),
# the clause, and the signature of what was found. Without names it hunts a sample that changes with the commit.
#
#   NAME        a mutant (core/d04_replace_forgets_the_known) or the start of its name (core/d)
#   --long      all of the list
#   --unlisted  those of core that are not in the list; tests/mutants/unhunted.txt says why not
#   --tries N   how often each is hunted, with other seeds each time; 1 by default, 3 with --long
#   --runs N    when a try gives up; 20000 by default
#   --fixed     fuzzes core with all fixes of docs/known_live.md instead, and must find nothing at all
#   --seeds A..B  the stories for --fixed; 1..2000 by default, 1..100000 with --long
#   --resume F  continues from the file of an earlier call with the same options; each result is written as soon as it
#               is known. A signal prints the command that continues
#   --json      JSON Lines
#
# Examples:
#   ./dev hunt core/d
#   ./dev hunt --long
#   ./dev hunt --fixed --seeds 1..500
#
# Exit: 0 all were found (with --fixed: nothing was), 1 one was not or a patch no longer applies, 2 bad usage,
# 130 ended by a signal.
: "${root:?a lane is run by ./dev}"

need product
build_originals
exec python3 "$root/tests/mutants/hunt.py" "$@"
