#!/usr/bin/env bash
# recipes [--ray]               runs the recipe of docs/scale-out.md, and the commands of docs/releases.md
#
# Of docs/scale-out.md the bash blocks are run as they stand there, in a folder of their own: GNU parallel
# explores in shards, and then a search in rounds of parts, and merge puts them together. Without shards and parts
# it must come to the same numbers. docs/scale-out/parts.py then plays searches on processes of which two are killed.
# Of docs/releases.md the bash block defines functions, and each console block is a command and its output.
#
#   --ray  only the searches, on workers of Ray, which pip has to get; else one line says that they were skipped
#
# Examples:
#   ./dev recipes
#
# Exit: 0 the recipe does what the page says, 1 it does not, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

(($# == 0)) || [[ $* == --ray ]] || refuse "recipes: takes --ray or nothing; see ./dev recipes --help"
need product
if [[ ${1:-} ]]; then
  build release scenarios/cli/watchlab || exit 1
  place=$root/build/ray-venv
  if [[ ! -x $place/bin/ray ]] && ! { python3 -m venv "$place" && timeout 300 "$place/bin/pip" install -q ray==2.60.0; } >"$root/build/ray.log" 2>&1; then
    echo "skipped: pip cannot get ray==2.60.0"
    exit 0
  fi
  exec "$place/bin/python" "$root/tests/durability/parts.py" --engine ray
fi
need recipes
build release scenarios/cli/watchlab || exit 1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The bash block of a page with that number.
block_of() { awk -v wanted="$2" '/^```bash$/ { inside = ++n == wanted; next } /^```$/ { inside = 0 } inside' "$root/docs/$1"; }
block_of scale-out.md 1 >"$folder/recipe.sh"
block_of scale-out.md 2 >"$folder/rounds.sh"
block_of releases.md 1 >"$folder/functions.sh"
for part in recipe rounds functions; do
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

bash -euo pipefail rounds.sh || failed=1
watchlab merge --json rounds/*/*.jsonl >whole.jsonl || failed=1
watchlab explore tutorial_meets_tombstone --strategy dpor --schedules 100000 --json >single.jsonl || failed=1
classes() { grep -oE '"(held|exhausted|orders)":[^,}]*' "$1" | sort; }
if ! diff <(classes whole.jsonl) <(classes single.jsonl); then
  echo "rounds of parts and one process do not agree"
  failed=1
fi

# Each console block as it stands there, and as its commands say today.
awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/releases.md" >page.txt
while IFS= read -r line; do
  [[ $line == '$ '* ]] || continue
  printf '%s\n' "$line"
  bash -c 'source ./functions.sh; eval "$1"' bash "${line#'$ '}" </dev/null
done <page.txt >today.txt
if ! [[ -s page.txt ]] || ! diff page.txt today.txt; then
  echo "docs/releases.md (<) does not show what its commands say (>)"
  failed=1
fi
python3 "$root/tests/durability/parts.py" || failed=1
echo "$((1 - failed)) passed, $failed failed"
exit "$failed"
