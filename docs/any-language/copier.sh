#!/usr/bin/env bash
# Copies each ConfigMap of the namespace default that has the label copy=yes, with kubectl alone. `kubectl get --watch`
# lists, watches, and ends when its watch does: then it is started again, and what is copied already is refused.
set -uo pipefail

copy() {
  local color
  color=$(kubectl get "$1" -o 'jsonpath={.data.color}') &&
    kubectl create configmap "${1#*/}-copy" --from-literal="color=$color"
}

while :; do
  kubectl get configmaps -l copy=yes --watch -o name | while read -r name; do
    [[ $(kubectl get "$name-copy" -o name --ignore-not-found) ]] || copy "$name"
  done
  sleep 0.2
done
