#!/usr/bin/env bash
# What the action does, with bash and watchlab alone: `play.sh install` puts $PACKAGE where the next steps find it,
# `play.sh play` plays $SCENARIOS and leaves all results in $RESULTS.
set -euo pipefail
shopt -s extglob

refuse() {
  echo "::error::$*"
  exit 2
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    refuse "a .deb is installed by root, and there is no sudo here: give the archive, watchlab-VERSION-linux-….tar.gz, as package"
  fi
}

install() {
  local place
  case $PACKAGE in
    *.deb)
      as_root apt-get update -q
      as_root apt-get install -y -q --no-install-recommends "$(realpath "$PACKAGE")"
      ;;
    *.tar.gz)
      place=$(mktemp -d "${RUNNER_TEMP:-/tmp}/watchlab-XXXXXX")
      tar -xzf "$PACKAGE" -C "$place" --strip-components=1
      echo "$place/bin" >>"$GITHUB_PATH"
      ;;
    *) refuse "package: expected a .deb or a .tar.gz, not '$PACKAGE'" ;;
  esac
}

# The paths of those lines of JSON that have $1, of standard input.
paths_with() { sed -n "/$1/s/.*\"path\":\"\\([^\"]*\\)\".*/\\1/p"; }

# What the outputs of a story are called: as its file, or as its whole path where a story of another folder is called
# so too.
declare -A names=()
name_stories() { # STORY…
  local path name
  local -A count=() taken=()
  for path; do
    name=$(basename "$path" .yaml)
    count[$name]=$((${count[$name]:-0} + 1))
  done
  for path; do
    name=$(basename "$path" .yaml)
    if [[ ${count[$name]} -gt 1 ]]; then
      name=${path%.yaml}
      name=${name//\//-}
      name=${name##[.-]*([.-])}
    fi
    while [[ ${taken[$name]:-} ]]; do name+=_; done
    taken[$name]=yes
    names[$path]=$name
  done
}

# Runs a command that judges stories; one that was called wrongly ends the action.
judged() {
  local status=0
  "$@" || status=$?
  ((status != 2)) || exit 2
  ((status == 0)) || found=1
}

simulate() { # STORY…: plays and explores them, and draws those that fail; a story that fails twice counts once
  local path name failing found=0 written=("$RESULTS/run.jsonl")
  # The stories are of this repository, and so are the programs that they start.
  export WATCHLAB_ALLOW_RUN=1
  judged watchlab run "$@" --junit "$RESULTS/run.xml" --json >"$RESULTS/run.jsonl"
  if [[ $TIME != 0s ]]; then
    judged watchlab explore "$@" --time "$TIME" --schedules 1000000 \
      --junit "$RESULTS/explore.xml" --json >"$RESULTS/explore.jsonl"
    written+=("$RESULTS/explore.jsonl")
  fi
  mapfile -t failing < <(cat "${written[@]}" | paths_with '"held":false' | sort -u)
  failures=$((failures + (${#failing[@]} > found ? ${#failing[@]} : found)))
  for path in "${failing[@]}"; do
    name=${names[$path]}
    # Of what exploring has found this shows the last failure.
    watchlab draw "$path" -o "$RESULTS/$name.svg" || true
    watchlab report "$path" -o "$RESULTS/$name.html" || true
  done
}

play() {
  local paths stories simulated served tested story name status
  failures=0
  mkdir -p "$RESULTS"
  read -ra paths <<<"$SCENARIOS"
  stories=$(watchlab list --json "${paths[@]}") || exit 2
  mapfile -t simulated < <(paths_with '"plays":"run"' <<<"$stories")
  mapfile -t served < <(paths_with '"plays":"serve"' <<<"$stories")
  mapfile -t tested < <(paths_with '"plays":"go test"' <<<"$stories")
  name_stories "${simulated[@]}" "${served[@]}"
  if [[ ! $COMMAND ]] && ((${#served[@]} + ${#tested[@]})); then
    refuse "these need the program under test: give its command: ${served[*]} ${tested[*]}"
  fi
  ((${#simulated[@]} == 0)) || simulate "${simulated[@]}"
  for story in "${served[@]}"; do
    name=${names[$story]}
    status=0
    watchlab serve "$story" --junit "$RESULTS/serve-$name.xml" -- bash -c "$COMMAND" || status=$?
    ((status != 2)) || [[ -f $RESULTS/serve-$name.xml ]] || exit 2
    ((status == 0)) || failures=$((failures + 1))
  done
  if ((${#tested[@]})); then
    WATCHLAB=$(command -v watchlab) bash -c "$COMMAND" || failures=$((failures + 1))
  fi
  echo "failures=$failures" >>"$GITHUB_OUTPUT"
}

"$1"
