#!/usr/bin/env bash
# The session of docs/tutorial.md; KUBECTL names the program.
set -eu
: "${KUBECTL:=kubectl}"
"$KUBECTL" create namespace tmp
"$KUBECTL" create configmap demo -n tmp --from-literal=color=red
"$KUBECTL" create configmap demo2 -n tmp --from-literal=color=green
"$KUBECTL" delete configmap demo2 -n tmp
"$KUBECTL" delete configmap demo -n tmp
