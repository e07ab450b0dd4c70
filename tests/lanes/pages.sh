#!/usr/bin/env bash
# pages [STORY…]                steps through pages of `report` in Chromium, as a reader does
#
# Each page is loaded from its file and stepped through to the end and back with its keys; its state is compared with the
# data at each step. Then come keys, filters, widths and contrasts, two runs side by side, questions, and names that
# would be markup elsewhere. axe-core checks accessibility, if npm has it. If Chromium or axe-core is missing, a line says
# so. WATCHLAB_REFRESH=1 rewrites tests/report/sizes.txt, after you have looked at the pictures.
#
#   STORY            these stories instead of ten pages; or pages, as FILE.html
#   --long           every scenario and every museum bug in its variant, to the end and back; minutes, and more if
#                    variants have to be built
#   --part K/N       of --long, only this part
#   --pictures DIR   also takes screenshots, 1280 and 400 pixels wide
#   --levels [LEVEL…]   instead wins each level of exercises/break-it in serve-report, in its variant: minutes
#
# Without STORY it also plays branches (with the command that a page gives, and by clicks in serve-report) and a level.
#
# Examples:
#   ./dev pages
#   ./dev pages missed_delete --pictures /tmp
#
# Exit: 0 all as expected, 1 something is not, 2 bad usage.
: "${root:?a lane is run by ./dev}"

need product
if ((EUID == 0)) || [[ -z $(missing_packages browser) ]]; then
  need browser
fi
if [[ ${1:-} == --levels ]]; then
  build_originals
  exec python3 "$root/tests/report/levels.py" "${@:2}"
fi
build release scenarios/cli/watchlab || exit 1
# shellcheck source=tests/report/axe.sh
source "$root/tests/report/axe.sh"
build_originals  # one page is of a bug, in its broken variant
exec python3 "$root/tests/report/pages.py" "${axe[@]}" "$@"
