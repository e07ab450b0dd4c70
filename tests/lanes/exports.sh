#!/usr/bin/env bash
# exports [STORY…]              validates our exports with third-party readers
#
# Perfetto's track events are read with Python's protobuf and the schema of the package perfetto: the schema must know
# every field, each track must have a parent, slices must nest, and flows and counters match the run. Chrome's events are
# read as JSON, and the tools of `mcp` with the protocol's Python client. The packages are installed into build/exports;
# without Python or a registry one line says so. Perfetto's trace processor is not among them.
#
#   STORY    these stories instead of six
#
# Examples:
#   ./dev exports
#   ./dev exports missed_delete
#
# Exit: 0 all valid or skipped, 1 something is not, 2 bad usage.
: "${root:?a lane is run by ./dev}"

python_packages=(perfetto==0.59.1 mcp==2.3.0)

need product
may_build || refuse "exports: $(id -un) cannot write to $root"
build release scenarios/cli/watchlab || exit 1
place=$root/build/exports
mkdir -p "$place"

# Puts the readers into build/exports; says why not.
install_readers() {
  [[ $(cat "$place/ready" 2>/dev/null) != "${python_packages[*]}" ]] || return 0
  command -v python3 >/dev/null || { echo "there is no python3"; return 1; }
  python3 -m venv "$place/python" >/dev/null 2>&1 || { echo "python3 makes no virtual environment"; return 1; }
  timeout 180 "$place/python/bin/pip" install -q "${python_packages[@]}" >"$place/log.txt" 2>&1 ||
    { echo "pip cannot get ${python_packages[*]}"; return 1; }
  echo "${python_packages[*]}" >"$place/ready"
}

if ! why=$(install_readers); then
  echo "exports: skipped, $why"
  exit 0
fi
"$place/python/bin/python" "$root/tests/export/readers.py" | tee "$place/readers.txt"
status=${PIPESTATUS[0]}
"$place/python/bin/python" "$root/tests/export/exports.py" "$@" | tee "$place/exports.txt"
status=$((status | PIPESTATUS[0]))
sum() { awk -v field="$1" '/^[0-9]+ passed, [0-9]+ failed$/ { sum += $field } END { print sum + 0 }' "$place"/{readers,exports}.txt; }
echo "$(sum 1) passed, $(sum 3) failed"
exit $((status > 0))
