#!/usr/bin/env bash
# recipes                       runs the recipe of docs/scale-out.md that needs one machine only
#
# The first bash block of the page is run as it stands there, in a folder of its own: GNU parallel explores
# in shards, and merge puts them together. Then the same without shards must come to the same numbers.
#
# Examples:
#   ./watchlab recipes
#
# Exit: 0 the recipe does what the page says, 1 it does not, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

(($# == 0)) || refuse "recipes: takes nothing; see ./watchlab recipes --help"
need product
need recipes
build release scenarios/cli/watchlab || exit 1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk '/^```bash$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' \
  "$root/docs/scale-out.md" >"$folder/recipe.sh"
[[ -s $folder/recipe.sh ]] || refuse "recipes: docs/scale-out.md has no bash block"
ln -s "$root/scenarios" "$folder/scenarios"
mkdir "$folder/bin"
ln -s "$root/build/release/scenarios/cli/watchlab" "$folder/bin/watchlab"
export PATH=$folder/bin:$PATH
cd "$folder" || exit 2

failed=0
bash -euo pipefail recipe.sh || failed=1
watchlab explore slow_handler --schedules 2000 --json >single.jsonl || failed=1
numbers() { grep -oE '"(executions|orders|unseen)":[^,}]*' "$1" | sort; }
if ! diff <(numbers whole.jsonl) <(numbers single.jsonl); then
  echo "eight shards and one process do not agree"
  failed=1
fi
echo "$((1 - failed)) passed, $failed failed"
exit "$failed"
