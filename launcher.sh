# shellcheck shell=bash
# What ./watchlab and ./dev share: installing packages and building. Both source it, with $root set to the checkout.

: "${root:?sourced by ./watchlab and ./dev}"
export WATCHLAB_HOME=$root
program=scenarios/cli/watchlab

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
refuse() {
  say "$@"
  exit 2
}

declare -A installed=() candidates=()  # versions of packages, by name

# Fills both lists, by one question each: a question for each package takes seconds.
look_at_packages() {
  local state name version unknown=()
  installed=() candidates=()
  while read -r state name version; do
    [[ $state != installed ]] || installed[$name]=$version
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n')
  while read -r name; do
    [[ ${installed[$name]:-} ]] || unknown+=("$name")
  done < <(sed 's/#.*//' "$root/packages.txt" | grep -o '[^ ]*>=' | sed 's/>=//')
  ((${#unknown[@]})) || return 0
  while read -r name version; do
    candidates[$name]=$version
  done < <(LC_ALL=C apt-cache policy "${unknown[@]}" 2>/dev/null |
    awk '/^[^ ]/ { sub(":$", ""); name = $0 } $1 == "Candidate:" { print name, $2 }')
}

# Prints the packages of group $1, of alternatives the one that this system has.
packages_of() {
  local group words word least
  while read -r group words; do
    [[ $group == "$1" ]] || continue
    for word in ${words%%#*}; do
      least=${word#*>=}
      if [[ $word == *'|'* ]] && has_version "${word%%>=*}" "${least%%|*}"; then
        echo "${word%%>=*}"
      else
        echo "${word##*|}"
      fi
    done
  done <"$root/packages.txt"
}

# Whether package $1 is installed, or can be, in version $2 or a newer one.
has_version() {
  local version=${installed[$1]:-${candidates[$1]:-}}
  [[ $version && $version != '(none)' ]] && dpkg --compare-versions "$version" ge "$2"
}

# Prints the packages of group $1 that are not installed.
missing_packages() {
  local package
  while read -r package; do
    [[ ${installed[$package]:-} ]] || echo "$package"
  done < <(packages_of "$1")
}

# Makes sure that the packages of group $1 are there; looks only when packages.txt has changed.
need() {
  local stamp=$root/build/packages.$1 packages
  [[ ! $stamp -nt $root/packages.txt ]] || return 0
  if ! command -v dpkg-query >/dev/null; then
    say "this is no Debian; taking for granted what group $1 of packages.txt stands for"
    return 0
  fi
  look_at_packages
  mapfile -t packages < <(missing_packages "$1")
  if ((${#packages[@]})); then
    if ((EUID == 0)) && update_lists; then
      look_at_packages
      mapfile -t packages < <(missing_packages "$1")  # which there are is known now
    fi
    install_packages "${packages[@]}"
  fi
  if may_build; then
    mkdir -p "$root/build"
    touch "$stamp"
  fi
}

# Whether this user can write to build/: not in a checkout of somebody else, or a read-only one.
may_build() {
  if [[ -d $root/build ]]; then [[ -w $root/build ]]; else [[ -w $root ]]; fi
}

# Fetches the lists of packages; what they are good for shows when something is installed.
update_lists() {
  local log
  log=$(mktemp)
  if ! apt-get update -q </dev/null >"$log" 2>&1; then
    tail -n 3 "$log" >&2
    say "no fresh package lists; trying those of this machine"
  fi
  rm -f "$log"
}

install_packages() {
  local install=(apt-get install -y --no-install-recommends "$@") careful=(--no-remove) log
  ((EUID == 0)) || refuse "packages are missing; to install them: sudo ${install[*]}"
  [[ ! ${CI:-} ]] || careful=()  # a machine for one job may lose what conflicts
  say "installing $*"
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! "${install[@]}" -q -o DPkg::Lock::Timeout=300 "${careful[@]}" </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    refuse "could not install; the command was: ${install[*]} ${careful[*]}"
  fi
  rm -f "$log"
}

# Configures tree $1 of build/.
configure() {
  local wrapper='' sanitizer=(-Doptimization=1 -Db_lundef=false -Dcpp_args=-gline-tables-only)
  local compiler=clang++-16 options
  ! command -v ccache >/dev/null || wrapper='ccache '
  case $1 in
    release) compiler=g++ options=(--buildtype=release) ;;
    debug) compiler=g++ options=(--buildtype=debug -Dcpp_args=-g1) ;;
    clang) options=(--buildtype=release -Dunity=off) ;;  # clang-tidy asks how each source is compiled
    asan) options=("${sanitizer[@]}" '-Db_sanitize=address,undefined') ;;
    tsan) options=("${sanitizer[@]}" -Db_sanitize=thread) ;;
    *) refuse "there is no build tree $1; there are release, debug, clang, asan and tsan" ;;
  esac
  [[ $compiler == g++ ]] || need clang
  say "configuring build/$1"
  # A newer compiler warns of more than ours does, and that is no reason not to build.
  CXX=$wrapper$compiler /usr/bin/meson setup -Dwerror="$([[ ${CI:-} ]] && echo true || echo false)" "${options[@]}" "$root/build/$1" "$root"
}

# Shows the progress of ninja as one moving line on a terminal. Lines are kept in file $1.
watch_ninja() {
  local line said=''
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    [[ $line == \[* ]] || continue
    [[ $said ]] || say "building build/$(basename "$1" .log)"
    said=yes
    [[ ! -t 2 ]] || printf '\r\e[K%.*s' "${COLUMNS:-80}" "$line" >&2
  done
  [[ ! -t 2 || ! $said ]] || printf '\r\e[K' >&2
}

# Waits for its turn on tree $1; opens the lock as $lock. Two builds of one tree would get in each other's way.
take_turn() {
  local file=$root/build/$1.lock
  if may_build; then
    mkdir -p "$root/build"
    [[ -w $file || ! -e $file ]] || refuse "$file belongs to somebody else; remove it, or build as its owner"
    exec {lock}>"$file"
  else
    exec {lock}<"$file"  # enough to wait for a build of its owner
  fi
  if ! flock --nonblock "$lock"; then
    say "waiting for another build of build/$1"
    flock "$lock"
  fi
}

# Wants that targets $2… of tree $1 are built and up to date, where nothing can be built. Writes nothing.
want_built() {
  local tree=$root/build/$1 lock='' what missing
  if [[ -r $tree.lock ]]; then
    take_turn "$1"
    exec {lock}<&-
  fi
  if [[ ! -f $tree/build.ninja ]]; then
    missing="build/$1 is not there"
  elif [[ -f $tree/.root && $(<"$tree/.root") != "$root" ]]; then
    missing="build/$1 was built in $(<"$tree/.root")"
  elif ! what=$(ninja -C "$tree" -n "${@:2}" 2>&1); then
    missing="$(tail -n 1 <<<"$what")"
  elif [[ $what != *'no work to do'* ]]; then
    missing="${*:2} of build/$1 is missing or older than its sources"
  else
    return 0
  fi
  refuse "$missing, and $(id -un) cannot write to $root; its owner can build that: ./dev build $1 ${*:2}"
}

# Builds targets $2… in tree $1. Quiet, unless it fails: then it shows everything and returns 1.
build() {
  local tree=$root/build/$1 log=$root/build/$1.log lock='' status=0
  if ! may_build; then
    want_built "$@"
    return
  fi
  take_turn "$1"
  : >"$log"
  if [[ -f $tree/.root && $(<"$tree/.root") != "$root" ]]; then
    rm -rf "$tree"  # the checkout has moved, and a build tree knows its place
  fi
  if [[ ! -f $tree/build.ninja ]]; then
    configure "$1" >>"$log" && echo "$root" >"$tree/.root" || status=$?
  fi
  if ((status == 0)); then
    ninja -C "$tree" ${WATCHLAB_JOBS:+-j "$WATCHLAB_JOBS"} "${@:2}" 2>&1 |
      watch_ninja "$log" || status=$?
  fi
  exec {lock}>&-
  if ((status)); then
    sed '/^\[/d; /^ninja: Entering/d; /^FAILED/{n;d}' "$log" >&2  # without the long command lines
    say "building build/$1 failed; the whole log is build/$1.log"
    return 1
  fi
}

# Builds the program and all libraries that variants are made of; not each of them belongs to the program.
build_originals() {
  local libraries
  need mutants
  mapfile -t libraries < <(python3 "$root/tests/variants/variant.py" --libraries)
  build release "$program" "${libraries[@]}" || exit 1
}
