#!/usr/bin/env bash
# museum [SLUG…] [--long]       sees historical bugs fail in their variant and hold in the fixed core
#
# A piece of scenarios/museum is a patch with a bug, a story, and the schedule under which it shows. The lane
# builds the broken variant of the library, plays the schedule 100 times, strictly, and wants the same failure
# each time, the one that the patch names. Then the fixed library plays the same schedule, as far as it fits,
# and 10,000 random ones, and has to hold.
#
#   [SLUG…]         checks these pieces, or all; --schedules N instead of 10,000; --json
#   refresh [SLUG…] finds the schedules again after a change of core, makes them short, and
#                   writes docs/museum.md; without SLUG all whose schedule is stale
#   prove [SLUG…]   makes the stored schedules short anew, and wants nothing shorter: some minutes
#   table [SLUG…]   how fast each strategy finds the bugs that need an order to be looked for: the
#                   median of --seeds 10 attempts of at most --time 10 seconds, runs; milliseconds.
#                   Without SLUG it is written into docs/museum.md: a quarter of an hour
#   --long          checks, prove and table of all, one after another: half an hour
#
# To play a piece: ./watchlab run SLUG, or explain, report, draw …
#
# Examples:
#   ./dev museum
#   ./dev museum ghost_after_relist --schedules 100000
#   ./dev museum refresh ghost_after_relist
#
# Exit: 0 all fail and hold as they should, 1 a patch no longer applies or its variant does not fail
# any more, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

need product
if [[ $* == --long ]]; then
  "$root/dev" museum && "$root/dev" museum prove && "$root/dev" museum table
  exit
fi
build_originals
exec python3 "$root/tests/museum/museum.py" "$@"
