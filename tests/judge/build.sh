#!/usr/bin/env bash
# build.sh RELEASE FOLDER: builds FOLDER/real-server, kube-apiserver RELEASE (as in 1.35.4) with its own etcd.
#
# Module k8s.io/kubernetes takes the modules of its own repository from folders beside it; who imports it must name
# the published ones instead. So go.mod is written here, out of that of the release.
set -euo pipefail
release=$1 folder=$2
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export GOFLAGS="-mod=mod ${GOFLAGS:-}" CGO_ENABLED=0
mkdir -p "$folder"
cp "$here/main.go" "$folder/"
cd "$folder"
[[ -f go.mod ]] || printf 'module watchlab/judge\n' >go.mod
theirs=$(go mod download -json "k8s.io/kubernetes@v$release" | sed -n 's/^.*"GoMod": "\(.*\)",*$/\1/p')
[[ $theirs ]] || { echo "there is no module of kubernetes $release" >&2; exit 1; }
etcd=$(awk '$1 == "go.etcd.io/etcd/client/v3" { print $2; exit }' "$theirs")
{
  printf 'module watchlab/judge\n\n'
  grep -E '^go ' "$theirs"
  printf '\nrequire (\n\tk8s.io/kubernetes v%s\n\tgo.etcd.io/etcd/server/v3 %s\n)\n\nreplace (\n' "$release" "$etcd"
  sed -n "s|^\t\(k8s.io/[^ ]*\) => \./staging/.*|\t\1 => \1 v0.${release#*.}|p" "$theirs"
  printf ')\n'
} >go.mod.new
mv go.mod.new go.mod
go mod tidy
minor=${release#*.}
version="-X k8s.io/component-base/version.gitVersion=v$release -X k8s.io/component-base/version.gitMajor=1"
version+=" -X k8s.io/component-base/version.gitMinor=${minor%%.*} -X k8s.io/client-go/pkg/version.gitVersion=v$release"
go build -trimpath -ldflags "-s -w $version" -o real-server.new .
mv real-server.new real-server
