#!/usr/bin/env bash
# kubectl.sh KUBECTL WATCHLAB SERVER: what people do with kubectl, one command after the other, each with what it
# printed and how it ended. Run by `watchlab serve`, so KUBECONFIG is set. What differs from run to run is masked, and
# what differs between kubectl 1.32 and 1.35.
set -uo pipefail
kubectl=$1 watchlab=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# kubectl keeps what a server has said about itself below its home.
export HOME=$place EDITOR=true KUBE_EDITOR='' LC_ALL=C
server=$(sed -n 's/.*server: "\(.*\)".*/\1/p' "$KUBECONFIG")

mask() {
  sed -E -e 's#https?://127\.0\.0\.1:[0-9]+#SERVER#g' -e "s#$place#HOME#g" \
    -e 's/(resourceVersion"?: )"[0-9]+"/\1"RV"/' -e 's/(uid"?: )"?[0-9a-f]{8}-[-0-9a-f]+"?/\1UID/' \
    -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/TIME/g' -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{18} \+0000/TIME/' -e 's/live-[0-9]+|merged-[0-9]+/X/gi' \
    -e 's/^(Client|Kustomize) Version: .*/\1 Version: ITS OWN/' -e 's/^W(ARNING|arning)(: version.* client \()[0-9.]+/Warning\2ITS OWN/' \
    -e 's/^(configmap ".*" deleted) from tmp namespace$/\1/' -e 's/(LIVE|MERGED)-[0-9]+/\1/g' -e 's/( |^)([0-9]+m)?[0-9]+s( |$)/\1AGE\3/g' -e 's/ {2,}/  /g' -e 's/ +$//'
}

# Runs a command of kubectl for at most $limit seconds, and prints it, what it printed and its status.
limit=120
k() {
  local status=0
  echo "\$ kubectl $*" | mask
  timeout "$limit" "$kubectl" "$@" >"$place/out" 2>"$place/err" </dev/null || status=$?
  mask <"$place/out"
  mask <"$place/err" | sed 's/^/! /'
  echo "= $status"
}

# How many watches kubectl has opened.
watches() { "$kubectl" get --raw '/watchlab/v1/exchanges?client=kubectl' | grep -o '"verb":"WATCH"' | wc -l; }

# Waits for more watches of kubectl than $1; a minute at most, so that the transcript shows what is missing.
await_watch() {
  for _ in $(seq 600); do
    (($(watches) > $1)) && break
    sleep 0.1
  done
}

# Runs a command of kubectl, beside what follows, once kubectl watches there.
once_watched() {
  local before
  before=$(watches)
  (await_watch "$before" && "$kubectl" "$@" >/dev/null) &
}

config_map() {
  printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: tmp, labels: {l: "1"}}\ndata: {k: "%s"}\n' \
    "$1" >"$place/cm-$1.yaml"
}
config_map 1
config_map 2

k version
k api-versions
k api-resources
k create namespace tmp
k create configmap demo --from-literal=a=b -n tmp
k get cm -n tmp
k get cm demo -n tmp -o json
k get cm -A -o name
k get cm -A -o yaml
k get namespaces

# A watch shows what is written while it is open. A fault closes it, and kubectl ends with that.
echo '$ kubectl get cm -n tmp -w'
timeout "$limit" "$kubectl" get cm -n tmp -w >"$place/watched" 2>&1 &
watching=$!
await_watch 0
"$kubectl" label cm demo x=y -n tmp >/dev/null
"$watchlab" fault add '{close_watch: {of: kubectl}}' --server "$server" >/dev/null
wait "$watching"
status=$?
mask <"$place/watched"
echo "= $status"
"$watchlab" fault heal --server "$server" >/dev/null

k label cm demo z=1 -n tmp
k annotate cm demo n=o -n tmp
k create -f "$place/cm-1.yaml" --dry-run=server
k get cm app -n tmp
k apply -f "$place/cm-1.yaml"
k apply -f "$place/cm-2.yaml"
k apply -f "$place/cm-2.yaml"
k apply --server-side -f "$place/cm-2.yaml"
k apply --server-side --force-conflicts -f "$place/cm-1.yaml"
k diff -f "$place/cm-2.yaml"
k replace -f "$place/cm-2.yaml"
k patch cm app -n tmp -p '{"data":{"k":"9"}}'
k patch cm app -n tmp --type=json -p '[{"op":"add","path":"/data/z","value":"9"}]'
k get cm app -n tmp -o 'jsonpath={.data}'
k edit cm demo -n tmp
EDITOR='sed -i s/a:.b/a:\ c/' k edit cm demo -n tmp
k get cm -l x=y -n tmp -o name

once_watched patch cm demo -n tmp --type=merge -p '{"data":{"done":"yes"}}'
k wait '--for=jsonpath={.data.done}=yes' cm/demo -n tmp --timeout=60s
once_watched delete cm app -n tmp
k wait --for=delete cm/app -n tmp --timeout=60s
wait
k delete cm demo -n tmp
k apply -f "$place/cm-1.yaml"
k delete cm -l l=1 -n tmp

k run demo --image=nginx -n tmp
k get pods -n tmp -o wide
k logs demo -n tmp
k exec demo -n tmp -- true
k port-forward pod/demo 8080:80 -n tmp
k describe pod demo -n tmp
k describe cm kube -n tmp
k explain configmap.data
k explain widget
k get --raw /readyz

cat >"$place/deployment.yaml" <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: tmp}
spec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}}
END
k create -f "$place/deployment.yaml"
once_watched patch deployment web -n tmp --subresource=status --type=merge -p \
  '{"status":{"observedGeneration":1,"replicas":1,"updatedReplicas":1,"availableReplicas":1,"readyReplicas":1}}'
k rollout status deployment/web -n tmp --timeout=60s
wait
k get all -n tmp
k scale deployment/web --replicas=3 -n tmp
k scale deployment/web --current-replicas=3 --replicas=2 -n tmp
k get deployment web -n tmp -o 'jsonpath={.spec.replicas}'

cat >"$place/definition.yaml" <<'END'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
END
k apply -f "$place/definition.yaml"
k wait --for=condition=established crd/widgets.example.com --timeout=5s
printf 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: tmp}\nspec: {size: 1}\n' >"$place/w.yaml"
k apply -f "$place/w.yaml"
sed -i 's/size: 1/size: 2/' "$place/w.yaml"
k apply -f "$place/w.yaml"
k get wd -n tmp
k delete crd widgets.example.com
k create -f "$place/cm-1.yaml"
k create -f "$place/cm-1.yaml"
k create secret generic s --from-literal=a=b -n tmp
k get secret s -n tmp -o 'jsonpath={.data.a}'
k create job j --image=x -n tmp
k get events -n tmp
k delete namespace tmp
k get cm -n tmp
k cluster-info
k auth can-i get cm
k auth whoami
k top pods
k create namespace gone
k delete ns gone --wait=false
