#!/usr/bin/env bash
# Writes a sample of the site, twice into the same folder, and sees that its check of links finds what is broken. The
# last line is `N passed, N failed`. Exit 0 if nothing failed.
set -uo pipefail
root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

# Counts whether command $2… is true of what $1 says.
held() {
  if "${@:2}"; then
    echo "held  $1"
    passed=$((passed + 1))
  else
    echo "FAIL  $1"
    failed=$((failed + 1))
  fi
}
site() { "$root/dev" site -o "$folder/site" --quiet "$@"; }
refused() { site no_such_story 2>"$folder/err"; [[ $? -eq 2 && $(<"$folder/err") == *"'no_such_story'"* ]]; }
keeps_foreign() { mkdir "$folder/mine" && ! "$root/dev" site -o "$folder/mine" 2>/dev/null && rmdir "$folder/mine"; }
# Whether the index fits a narrow page, and its descriptions are whole words without marks of markdown.
reads_well() {
  (cd "$root/tests/report" && python3 - "$folder/site/index.html" <<'PROGRAM'
import shutil
import sys
from browser import Browser

program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if program is None:
    print("      skipped: there is no Chromium")
    sys.exit()
browser = Browser(program)
browser.size(400, 800)
browser.open(sys.argv[1])
wide = browser.evaluate("document.documentElement.scrollWidth")
texts = browser.evaluate("[...document.querySelectorAll('#entries li > span:last-child')].map((each) => each.textContent)")
browser.close()
strange = [text for text in texts if "*" in text or (len(text) >= 150 and text[-1] not in "….:!?)")]
print(f"      {wide} px wide; strange: {strange}")
sys.exit(wide > 400 or bool(strange))
PROGRAM
  )
}
# Whether each page fits a narrow window: tables scroll inside, and break no word of their heads.
fits() {
  (cd "$root/tests/report" && python3 - "$folder/site/pages" <<'PROGRAM'
import pathlib
import shutil
import sys
from browser import Browser
from reading import words_broken_in

program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if program is None:
    print("      skipped: there is no Chromium")
    sys.exit()
browser = Browser(program)
browser.size(400, 800)
strange = {}
for page in sorted(pathlib.Path(sys.argv[1]).rglob("*.html")):
    browser.open(page)
    found = words_broken_in(browser, "th")
    if browser.evaluate("document.documentElement.scrollWidth") > 400 or found:
        strange[page.name] = found
browser.close()
print(f"      wide, or with broken words: {strange}")
sys.exit(bool(strange))
PROGRAM
  )
}
# Damages the site by command $2…, and wants the check to say $1.
names() {
  cp -r "$folder/site" "$folder/damaged"
  (cd "$folder/damaged" && "${@:2}")
  local said
  said=$(cd "$root/tests/site" && python3 -c 'import links, pathlib, sys
print(*links.check(pathlib.Path(sys.argv[1]))[1], sep="\n")' "$folder/damaged")
  rm -rf "$folder/damaged"
  [[ $said == *"$1"* ]]
}

held "a sample is written, and no link is broken" site missed_delete slow_handler pod_runs_on_two_nodes ghost_after_relist
held "it has the pages of a scenario and of a bug" test -f "$folder/site/scenarios/relist/missed_delete/report.html" \
  -a -f "$folder/site/museum/ghost_after_relist/broken.html" \
  -a -f "$folder/site/museum/ghost_after_relist/run.svg" -a -f "$folder/site/pages/docs/understand.html"
held "it is written again in its place" site missed_delete
held "its index fits a narrow page, and cuts no word" reads_well
held "each page fits a narrow window, and its tables break no word" fits
held "nothing else is left beside it" test "$(ls -A "$folder")" = site
held "an unknown name is refused" refused
held "a folder that is no site stays" keeps_foreign
held "a page that is gone is named" names "is not there" rm pages/docs/understand.html
held "a heading that is gone is named" names "names no part" sed -i 's/id="[^"]*"//g' pages/docs/faults.html
far() {
  (cd "$root/tests/site" && python3 -c 'import links, pathlib, sys
print(*links.far(pathlib.Path(sys.argv[1])), sep="\n")' "$1")
}
front_is_the_readme() { grep -q 'A ConfigMap is deleted while' "$1" && grep -q 'missed_delete.svg' "$1" && ! grep -q 'Where things are' "$1"; }
is_far() { rm -rf "$folder/damaged"; cp -r "$folder/site" "$folder/damaged"; sed -i '/api\/pages.html/d' "$folder/damaged/index.html"; [[ $(far "$folder/damaged") == *"api/"*"more than 2 clicks"* ]]; }
held "each page is two clicks from the first" test -z "$(far "$folder/site")"
held "its front is the first screen of README.md" front_is_the_readme "$folder/site/index.html"
if command -v doxygen >/dev/null; then
  held "the reference of public headers is there" grep -q DeltaFIFO "$folder/site/api/pages.html"
  held "a page that takes three clicks is named" is_far
  rm -rf "$folder/damaged"
fi
held "a link out of the site is named" names "out of the site" sed -i 's|href="style.css"|href="/style.css"|' index.html
echo "$passed passed, $failed failed"
((failed == 0))
