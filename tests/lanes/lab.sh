#!/usr/bin/env bash
# lab [-o DIR] [--long]         writes the page with the engine in a browser tab, and uses it as a reader does
#
# The page plays, explores, shrinks and explains stories with the engine that ./dev wasm has built, in build/wasm. npm gets
# its editor and the bundler. Then Chromium plays stories and compares their digests with those of this tree's program,
# explores one that fails, tries another decision, stops an exploration, follows a link, writes a story, wins and loses levels,
# does exercises, plays a bug in its broken core, goes offline, and looks at the page at two widths, in two languages, light
# and dark, with axe-core. Firefox plays a story, too. What the engine has not, and npm or a browser that is missing, is named
# in a line. ./dev site writes the same page with the recorded run of each bug.
#
#   -o DIR           a folder that does not exist yet; without it the page is not kept
#   --long           plays all stories and levels instead of a sample, and gets Firefox
#   --pictures DIR   also takes screenshots
#
# Examples:
#   ./dev lab
#   ./dev lab -o /tmp/lab && python3 -m http.server -d /tmp/lab
#
# Exit: 0 all held or was skipped, 1 something did not, 2 bad usage.
: "${root:?a lane is run by ./dev}"

out=''
more=()
while (($#)); do
  [[ $1 == --long || $# -gt 1 ]] || refuse "lab: expected -o DIR, --long or --pictures DIR, not '$1' alone"
  case $1 in
    -o) out=$2 && shift ;;
    --pictures) more+=(--pictures "$2") && shift ;;
    --long) more+=(--long) ;;
    *) refuse "lab: expected -o DIR, --long or --pictures DIR, not '$1'" ;;
  esac
  shift
done
[[ ! $out || ! -e $out ]] || refuse "lab: $out is there; name another folder"
if [[ ! -e $root/build/wasm/watchlab.wasm ]]; then
  echo "lab: skipped, there is no engine; ./dev wasm builds it"
  exit 0
fi
if ((EUID == 0)) || [[ -z $(missing_packages browser) ]]; then
  need browser
  [[ " ${more[*]} " != *' --long '* ]] || need firefox
fi
build release scenarios/cli/watchlab exercises/grader/watchlab-course || exit 1
# shellcheck source=tests/report/axe.sh
source "$root/tests/report/axe.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 "$root/tests/site/lab.py" "${out:=$folder/lab}" || exit 1
[[ -e $out ]] || exit 0
python3 "$root/tests/site/lab_checks.py" "$out" "${axe[@]}" "${more[@]}"
