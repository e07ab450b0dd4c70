#!/usr/bin/env bash
# pages [STORY…]                opens pages of `report` in Chromium and uses them as a reader does
#
# Each page is loaded from its file, stepped through to the end and back by its keys, and its state compared
# at each place with what the data say; then keys, filters, widths and contrasts. Without Chromium, and
# without the right to install it, there is one line that says so.
#
#   STORY            these stories instead of six; or pages, as FILE.html
#   --pictures DIR   also takes screenshots, 1280 and 400 pixels wide
#
# Examples:
#   ./watchlab pages
#   ./watchlab pages missed_delete --pictures /tmp
#
# Exit: 0 all as it should be, 1 something is not, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

need product
if ((EUID == 0)) || [[ -z $(missing_packages browser) ]]; then
  need browser
fi
build release scenarios/cli/watchlab || exit 1
exec python3 "$root/tests/report/pages.py" "$@"
