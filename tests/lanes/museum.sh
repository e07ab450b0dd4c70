#!/usr/bin/env bash
# museum [run [SLUG…]]          sees historical bugs fail in their variant and hold in the fixed core
#
# A piece of scenarios/museum is a patch with a bug, a story, and the schedule under which it shows.
# `run` builds the broken variant of the library, plays the schedule 100 times, strictly, and wants
# the same failure each time, the one that the patch names. Then the fixed library plays the same
# schedule, as far as it fits, and 10,000 random ones, and has to hold.
#
#   list            names the pieces
#   show SLUG       prints the page, the patch and the story of a piece
#   tour            prints docs/museum.md
#   run [SLUG…]     these pieces, or all; --schedules N instead of 10,000; --json
#   refresh [SLUG…] finds the schedules again after a change of core, makes them short, draws the
#                   pictures and writes docs/museum.md; without SLUG all whose schedule is stale
#   draw [SLUG…]    draws the pictures of the stored schedules again
#   prove [SLUG…]   makes the stored schedules short anew, and wants nothing shorter: some minutes
#   table [SLUG…]   how fast each strategy finds the bugs that need an order to be looked for: the
#                   median of --seeds 10 attempts of at most --time 10 seconds, runs; milliseconds.
#                   Without SLUG it is written into docs/museum.md: a quarter of an hour
#   explain, trace, report, branch, serve-report SLUG …   those commands on the broken variant under the stored schedule;
#   draw SLUG -o FILE …             so does draw, where it is told what to write
#   run --long      run, prove and table of all, one after another: half an hour
#
# Examples:
#   ./watchlab museum run
#   ./watchlab museum run ghost_after_relist --schedules 100000
#   ./watchlab museum refresh ghost_after_relist
#   ./watchlab museum report ghost_after_relist -o ghost.html
#
# Exit: 0 all fail and hold as they should, 1 a patch no longer applies or its variant does not fail
# any more, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

need product
if [[ $* == "run --long" ]]; then
  "$root/watchlab" museum run && "$root/watchlab" museum prove && "$root/watchlab" museum table
  exit
fi
if [[ ${1:-} =~ ^(explain|trace|report|branch|serve-report)$ ]] ||
  [[ ${1:-} == draw && " $* " =~ \ (-o|--output|--view)[\ =] ]]; then
  exec "$root/watchlab" "$@"
fi
if [[ ${1:-} =~ ^(run|refresh|draw|prove|table)$ ]]; then
  build_originals
  exec python3 "$root/tests/museum/museum.py" "$@"
fi
build release scenarios/cli/watchlab || exit 1
cd "$root" || exit 2
exec "$root/build/release/scenarios/cli/watchlab" museum "$@"
