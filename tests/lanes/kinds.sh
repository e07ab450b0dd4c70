#!/usr/bin/env bash
# kinds [--release X.Y.Z]   writes the table of built-in kinds, from a real kube-apiserver and its types
#
# Asks a kube-apiserver with its own etcd (the one of ./dev judge, which is built if it is not there: ten minutes), and
# reads the Go types of the same release, for sim/kinds/kinds.inc: collections, names, fields, protobuf numbers, merge
# keys and what a server adds. What it has answered is kept in tests/conformance/kinds/X.Y.Z.json. A minute.
#
#   --release X.Y.Z    of Kubernetes; by default that of the table that is there
#
# Examples:
#   ./dev kinds
#   ./dev kinds --release 1.37.2
#
# Exit: 0 the table was written (or there is no Go), 1 it could not be, 2 bad usage.
: "${root:?a lane is run by ./dev}"

table=$root/sim/kinds/kinds.inc
release=$(sed -n 's/^R //p' "$table")
while (($#)); do
  case $1 in
    --release)
      [[ ${2:-} =~ ^1\.[0-9]+\.[0-9]+$ ]] || refuse "kinds: --release takes a release, as in --release 1.37.2"
      release=$2
      shift 2
      ;;
    *) refuse "kinds: there is no argument $1; see ./dev kinds --help" ;;
  esac
done
may_build || refuse "kinds: $(id -un) cannot write to $root"
if ! command -v go >/dev/null; then
  say "kinds: skipped: there is no Go to build kube-apiserver $release with"
  exit 0
fi

real=$root/build/judge/$release/real-server
folder=$root/build/kinds/$release
mkdir -p "$folder" "$root/build/judge"
[[ -x $real ]] || "$root/tests/judge/build.sh" "$release" "$root/build/judge/$release" >"$folder/build.log" 2>&1 || {
  say "kinds: kube-apiserver $release cannot be built; see build/kinds/$release/build.log"
  exit 1
}

# Writes what Go's types say of the kinds of the release.
write_types() {
  local module
  cd "$folder" || return 1
  cp "$root/tests/kinds/types.go" main.go || return 1
  printf 'module watchlab/kinds\n' >go.mod
  for module in api apiextensions-apiserver apimachinery client-go kube-aggregator; do
    go mod edit "-require=k8s.io/$module@v0.${release#*.}" || return 1
  done
  go mod tidy && go run . >types.txt
}
(write_types) >"$folder/types.log" 2>&1 || {
  say "kinds: the types of $release cannot be read; see build/kinds/$release/types.log"
  exit 1
}
exec python3 "$root/tests/kinds/kinds.py" --real "$real" --folder "$folder/server" --types "$folder/types.txt" \
  --release "$release" --out "$table" --samples "$root/tests/conformance/kinds/$release.json"
