#!/usr/bin/env bash
# exports [STORY…]              reads what `trace --format` writes by what others publish
#
# Perfetto's track events by Python's protobuf, with the schema of the package perfetto: no field that it does not
# know, a parent for each track, slices that nest, flows and counters as the run had them. Logs for ShiViz by its
# expression, with clocks that are consistent. Chrome's as JSON. The package is installed into build/exports, where
# Python is there and a registry answers; where not, one line says so. Its trace processor is not in it.
#
#   STORY   these stories instead of six
#
# Examples:
#   ./watchlab exports
#   ./watchlab exports missed_delete
#
# Exit: 0 all as it should be or skipped, 1 something is not, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

python_package=perfetto==0.59.1

need product
may_build || refuse "exports: $(id -un) cannot write to $root"
build release scenarios/cli/watchlab || exit 1
place=$root/build/exports
mkdir -p "$place"

# Puts the schema into build/exports; says why not.
install_schema() {
  [[ ! -e $place/ready ]] || return 0
  command -v python3 >/dev/null || { echo "there is no python3"; return 1; }
  python3 -m venv "$place/python" >/dev/null 2>&1 || { echo "python3 makes no virtual environment"; return 1; }
  timeout 180 "$place/python/bin/pip" install -q "$python_package" >"$place/log.txt" 2>&1 ||
    { echo "pip cannot get $python_package"; return 1; }
  touch "$place/ready"
}

if ! why=$(install_schema); then
  echo "exports: skipped, $why"
  exit 0
fi
exec "$place/python/bin/python" "$root/tests/export/exports.py" "$@"
