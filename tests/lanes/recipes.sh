#!/usr/bin/env bash
# recipes                       runs the recipe of docs/explore.md, and the commands of docs/scenarios.md
#
# The bash block of docs/explore.md is run as it stands there, in a folder of its own: GNU parallel explores in shards,
# and merge combines them. The numbers must be the same as without shards. The bash block of docs/scenarios.md defines
# functions, and each console block is a command and its output.
#
# Examples:
#   ./dev recipes
#
# Exit: 0 the recipes do what the pages say, 1 one does not, 2 bad usage.
: "${root:?a lane is run by ./dev}"

(($# == 0)) || refuse "recipes: takes no words; see ./dev recipes --help"
need product
need recipes
build release scenarios/cli/watchlab || exit 1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The bash block of a page with that number.
block_of() { awk -v wanted="$2" '/^```bash$/ { inside = ++n == wanted; next } /^```$/ { inside = 0 } inside' "$root/docs/$1"; }
block_of explore.md 1 >"$folder/recipe.sh"
block_of scenarios.md 1 >"$folder/functions.sh"
for part in recipe functions; do
  [[ -s $folder/$part.sh ]] || refuse "recipes: a page has no bash block"
done
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

# Each console block as it stands there, and as its commands say today.
awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/scenarios.md" >page.txt
while IFS= read -r line; do
  [[ $line == '$ '* ]] || continue
  printf '%s\n' "$line"
  bash -c 'source ./functions.sh; eval "$1"' bash "${line#'$ '}" </dev/null
done <page.txt >today.txt
if ! [[ -s page.txt ]] || ! diff page.txt today.txt; then
  echo "docs/scenarios.md (<) does not show what its commands say (>)"
  failed=1
fi
echo "$((1 - failed)) passed, $failed failed"
exit "$failed"
