#!/usr/bin/env bash
# exports [--long] [STORY…]     reads what commands write by what others publish
#
# Perfetto's track events by Python's protobuf, with the schema of the package perfetto: no field that it does not
# know, a parent for each track, slices that nest, flows and counters as the run had them. Logs for ShiViz by its
# expression, with clocks that are consistent. Chrome's as JSON. Results of `run` by tap.py and sarif-tools, and the
# tools of `mcp` by the Python client of the protocol. The packages are installed into build/exports, where Python is
# there and a registry answers; where not, one line says so. The trace processor of Perfetto is not among them.
#
#   STORY    these stories instead of six
#   --long   results also by the validator of SARIF and tap-parser, from npm: 110 MB
#
# Examples:
#   ./dev exports
#   ./dev exports missed_delete
#
# Exit: 0 all as it should be or skipped, 1 something is not, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

python_packages=(perfetto==0.59.1 mcp==2.3.0 'tap.py[yaml]==3.2.1' sarif-tools==3.0.5)
npm_packages=(@microsoft/sarif-multitool@5.7.0 tap-parser@18.3.4)

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

# The same of those from npm.
install_validators() {
  [[ ! -e $place/npm/node_modules/tap-parser ]] || return 0
  command -v npm >/dev/null || { echo "there is no npm"; return 1; }
  mkdir -p "$place/npm"
  timeout 300 npm install --prefix "$place/npm" --no-audit --no-fund "${npm_packages[@]}" >"$place/npm.txt" 2>&1 ||
    { echo "npm cannot get ${npm_packages[*]}"; return 1; }
}

long=
if [[ ${1-} == --long ]]; then
  long=yes
  shift
fi

if ! why=$(install_readers); then
  echo "exports: skipped, $why"
  exit 0
fi
npm=()
if [[ $long ]]; then
  if why=$(install_validators); then
    npm=("$place/npm")
  else
    echo "exports: the validator of SARIF and tap-parser are skipped, $why"
  fi
fi
"$place/python/bin/python" "$root/tests/export/readers.py" "${npm[@]}" | tee "$place/readers.txt"
status=${PIPESTATUS[0]}
"$place/python/bin/python" "$root/tests/export/exports.py" "$@" | tee "$place/exports.txt"
status=$((status | PIPESTATUS[0]))
sum() { awk -v field="$1" '/^[0-9]+ passed, [0-9]+ failed$/ { sum += $field } END { print sum + 0 }' "$place"/{readers,exports}.txt; }
echo "$(sum 1) passed, $(sum 3) failed"
exit $((status > 0))
