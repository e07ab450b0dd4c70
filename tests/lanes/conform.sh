#!/usr/bin/env bash
# conform [FILE…]               checks scenario files against their JSON Schema
#
# The same check that an editor makes, with a third-party validator (python3-jsonschema).
#
#   FILE  these files only, instead of all of scenarios
#
# Examples:
#   ./dev conform
#   ./dev conform scenarios/relist/missed_delete.yaml
#
# Exit: 0 all conform, 1 some do not, 2 bad usage.
: "${root:?a lane is run by ./dev}"

files=()
for argument; do
  [[ $argument != -* ]] || refuse "conform: there is no flag $argument; see ./dev conform --help"
  [[ -f $argument ]] || refuse "conform: there is no file $argument"
  files+=("$argument")
done

need product
need schema
build release "${schema:?}" || exit 1
python=''
for candidate in /usr/bin/python3 python3; do
  if command -v "$candidate" >/dev/null && "$candidate" -c 'import jsonschema, yaml' 2>/dev/null; then
    python=$candidate
    break
  fi
done
[[ $python ]] || refuse "conform: there is no python3 with jsonschema and yaml here"
if ((${#files[@]} == 0)); then
  cd "$root" || exit 2
  mapfile -t files < <(find scenarios -name '*.yaml' | sort)
fi
"$python" - "$root/build/release/$schema" "${files[@]}" <<'PYTHON'
import json
import sys

import jsonschema
import yaml

schema = json.load(open(sys.argv[1], encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

# A schema that accepts everything would pass every file: it must refuse these.
story = {"apiVersion": "watchlab/v1", "name": "a", "story": "s", "clients": []}
for wrong in ({"scripts": []}, {"script": 5}, {"within": "-5s"}, {"script": [{"fault": "meteor"}]}):
    if validator.is_valid({**story, **wrong}):
        sys.exit(f"the schema accepts {wrong}")

failed = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        errors = sorted(validator.iter_errors(yaml.safe_load(file)), key=lambda error: error.json_path)
    for error in errors[:3]:
        print(f"{path}: {error.json_path}: {error.message[:200]}")
    failed += bool(errors)
print(f"{len(sys.argv) - 2 - failed} passed, {failed} failed")
sys.exit(failed > 0)
PYTHON
