#!/usr/bin/env bash
# pages [STORY…]                opens pages of `report` in Chromium and uses them as a reader does
#
# Each page is loaded from its file, stepped through to the end and back by its keys, and its state compared
# at each place with what the data say; then keys, filters, widths and contrasts, two runs side by side,
# questions, and names that would be markup elsewhere. axe-core looks for what keeps people out, where npm can
# have it. What is not there, Chromium or axe-core, is skipped in one line. WATCHLAB_REFRESH=1 writes
# tests/report/sizes.txt anew, once the pictures were looked at.
#
#   STORY            these stories instead of ten pages; or pages, as FILE.html
#   --long           every scenario and every bug of the museum, in its variant: to the end and back; minutes, and more where variants have to be built
#   --part K/N       of --long: only this part of so many
#   --pictures DIR   also takes screenshots, 1280 and 400 pixels wide
#   --levels [LEVEL…]   wins each level of exercises/break-it in serve-report, in its variant, instead: minutes
#
# Without STORY it also plays branches: by the command that a page gives, by clicks in serve-report, and a level.
#
# Examples:
#   ./dev pages
#   ./dev pages missed_delete --pictures /tmp
#
# Exit: 0 all as it should be, 1 something is not, 2 the call was wrong.
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
axe=(--axe "$root/build/pages/node_modules/axe-core/axe.min.js")
axe_package="axe-core@4.14.1"
if [[ ! -f ${axe[1]} ]]; then
  mkdir -p "$root/build/pages"
  if ! command -v npm >/dev/null ||
    ! timeout 120 npm install --ignore-scripts --no-audit --no-fund --prefix "$root/build/pages" "$axe_package" \
      >"$root/build/pages/npm.log" 2>&1; then
    echo "skipped: npm cannot get $axe_package, so it looks at no page"
    axe=()
  fi
fi
build_originals  # one page is of a bug, in its broken variant
exec python3 "$root/tests/report/pages.py" "${axe[@]}" "$@"
