#!/usr/bin/env bash
# museum [SLUG…] [--long]       checks that historical bugs fail in their variant and hold in the fixed core
#
# A piece in scenarios/museum is a patch with a bug, a story, and the schedule under which the bug shows. The lane builds
# the broken variant of the library, replays the schedule strictly 100 times and expects the failure that the patch names
# each time. Then the fixed library must hold under the same schedule, as far as it applies, and under 10,000 random ones.
#
# A piece in scenarios/museum/go is a Go test: its broken one is replayed 20 times and then found again without the
# schedule, and its fixed one plays 2,000 other orders. Without Go 1.26, or its modules, a line says that these
# are skipped; the first time it builds the standard library with the overlay, for a minute.
#
#   [SLUG…]         checks these pieces, or all; --schedules N instead of 10,000; --json
#   refresh [SLUG…] finds the schedules again after a change of core, shrinks them and writes docs/museum.md; without
#                   SLUG all pieces whose schedule is stale
#   prove [SLUG…]   shrinks the stored schedules again and expects nothing shorter: some minutes
#   table [SLUG…]   how fast each strategy finds the bugs that depend on an order: the median of --seeds 10 attempts of
#                   at most --time 10 seconds, as runs; milliseconds. Without SLUG the table is written into
#                   docs/museum.md: a quarter of an hour
#   --long          checks, prove and table of all, one after another: half an hour
#
# To play a piece: ./watchlab run SLUG, or explain, report, draw …
#
# Examples:
#   ./dev museum
#   ./dev museum ghost_after_relist --schedules 100000
#   ./dev museum refresh ghost_after_relist
#
# Exit: 0 all fail and hold as they should, 1 a patch no longer applies or its variant no longer fails, 2 bad usage.
: "${root:?a lane is run by ./dev}"

need product
if [[ $* == --long ]]; then
  "$root/dev" museum && "$root/dev" museum prove && "$root/dev" museum table
  exit
fi
build_originals
exec python3 "$root/tests/museum/museum.py" "$@"
