# shellcheck shell=bash
# What ./watchlab and ./dev share: installing packages and building. Both source it, with $root set to the checkout.

: "${root:?sourced by ./watchlab and ./dev}"
export WATCHLAB_HOME=$root
program=scenarios/cli/watchlab
# shellcheck disable=SC2034 # of ./watchlab and of lanes
schema=scenarios/cli/scenario.schema.json  # of scenario files, for editors

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
refuse() {
  say "$@"
  exit 2
}
((BASH_VERSINFO[0] >= 5)) || refuse "bash $BASH_VERSION is too old; watchlab needs bash 5 or newer (on macOS: brew install bash)"

os_release=/etc/os-release
declare -A installed=() candidates=()  # versions of packages, by name

# Prints the value of field $1 of the file $os_release.
os_field() {
  local name value
  [[ -r $os_release ]] || return 0
  while IFS='=' read -r name value; do
    [[ $name == "$1" ]] || continue
    echo "${value//[\"\']/}"
    return
  done <"$os_release"
}

# Prints whose packages this system has: debian, fedora, arch, alpine or homebrew; nothing if it is none of those.
family() {
  local word
  if [[ $OSTYPE == darwin* ]]; then
    echo homebrew
    return
  fi
  for word in $(os_field ID) $(os_field ID_LIKE); do
    case $word in
      debian | ubuntu) echo debian ;;
      fedora | rhel | centos) echo fedora ;;
      arch | archlinux) echo arch ;;
      alpine) echo alpine ;;
      *) continue ;;
    esac
    return
  done
  [[ $(os_field ID) ]] || ! command -v dpkg-query >/dev/null || echo debian
}

# Prints the line that installs packages $2… on a system of family $1.
install_line() {
  local sudo='sudo '
  ((EUID)) || sudo=''
  case $1 in
    debian)
      has_lists || printf '%s' "${sudo}apt-get update && "
      echo "${sudo}apt-get install -y --no-install-recommends ${*:2}"
      ;;
    fedora) echo "${sudo}dnf install -y ${*:2}" ;;
    arch) echo "${sudo}pacman -S --needed ${*:2}" ;;
    alpine) echo "${sudo}apk add ${*:2}" ;;
    homebrew) echo "brew install ${*:2}" ;;
  esac
}

# Prints which of packages $2… a system of family $1, which is not debian, does not have.
missing_elsewhere() {
  local package
  for package in "${@:2}"; do
    case $1 in
      fedora) rpm -q --whatprovides "$package" ;;
      arch) pacman -T "$package" ;;
      alpine) apk info -e "$package" ;;
      homebrew) brew list --versions "$package" ;;
    esac >/dev/null 2>&1 || echo "$package"
  done
}

# Whether apt knows which packages there are.
has_lists() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

# Fills the list of what is installed, by one question: one for each package takes seconds.
look_at_packages() {
  local state name version
  installed=()
  while read -r state name version; do
    [[ $state != installed ]] || installed[$name]=$version
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n')
}

# Fills the list of what can be installed, of those packages that are not. That takes a second where apt keeps no cache,
# so only those ask who lack something.
look_at_candidates() {
  local name version unknown=()
  candidates=()
  while read -r name; do
    [[ ${installed[$name]:-} ]] || unknown+=("$name")
  done < <(sed 's/#.*//' "$root/packages.txt" | tr ' ' '\n' | sed -n 's/>=.*|/\n/p')
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
      if [[ $word != *'|'* || ${installed[${word##*|}]:-} ]] || ! has_version "${word%%>=*}" "${least%%|*}"; then
        echo "${word##*|}"
      else
        echo "${word%%>=*}"
      fi
    done
  done <"$root/packages.txt"
}

# Whether package $1 is installed, or can be, in version $2 or a newer one. Without lists every system but Debian 12 is
# taken for new enough.
has_version() {
  local version=${installed[$1]:-${candidates[$1]:-}}
  if [[ ! $version ]] && ! has_lists; then
    [[ $(os_field VERSION_CODENAME) != bookworm ]]
    return
  fi
  [[ $version && $version != '(none)' ]] && dpkg --compare-versions "$version" ge "$2"
}

# Prints the packages of group $1 that are not installed.
missing_packages() {
  local package packages family
  family=$(family)
  if [[ $family != debian ]]; then
    mapfile -t packages < <(packages_of "$1@$family")
    missing_elsewhere "$family" "${packages[@]}"
    return
  fi
  while read -r package; do
    [[ ${installed[$package]:-} ]] || echo "$package"
  done < <(packages_of "$1")
}

# Prints, in one line and as packages.txt writes them, which of packages $1… apt does not have; an empty line if apt has no lists.
not_to_be_had() {
  local package found=()
  ! has_lists || for package; do
    [[ ${candidates[$package]:-(none)} == '(none)' ]] || continue
    mapfile -t -O "${#found[@]}" found < <(sed -nE "s/.* ([^ ]+)[|]$package( .*|$)/\1/p" "$root/packages.txt")
  done
  echo "${found[*]}"
}

# Makes sure that the packages of group $1 are there; looks only when packages.txt has changed. Installs on Debian and its
# like only. Elsewhere they may have come another way, so that the build decides whether something is missing.
need() {
  local stamp=$root/build/packages.$1 packages family
  [[ ! $stamp -nt $root/packages.txt ]] || return 0
  family=$(family)
  if [[ $family != debian ]]; then
    mapfile -t packages < <(missing_packages "$1")
    ((${#packages[@]} == 0)) || say "packages seem to be missing; what installs them (not tried): $(install_line "$family" "${packages[@]}")"
    return 0
  fi
  look_at_packages
  mapfile -t packages < <(missing_packages "$1")
  if ((${#packages[@]})); then
    look_at_candidates
    mapfile -t packages < <(missing_packages "$1")
    if ((EUID == 0)); then
      update_lists "${packages[@]}"
      look_at_candidates
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

# Prints in a few words why apt failed, from its log $1.
why_apt_failed() {
  if grep -qE 'Temporary failure resolving|Could not (connect|resolve)|Connection (timed out|refused|failed)|Network is unreachable' "$1"; then
    echo "apt reaches no network"
  else
    sed -nE 's/^E: //p' "$1" | tail -n 1
  fi
}

# Fetches the lists of packages before $1… are installed. If only some sources answer, older lists may do, and installing shows
# that. If none answers, this ends here: apt would wait for each single package.
update_lists() {
  local log
  log=$(mktemp)
  if ! apt-get update -q -o Acquire::Retries=0 </dev/null >"$log" 2>&1 || grep -q '^W: ' "$log"; then
    grep -qE '^(Get|Hit):' "$log" || cannot_install "$log" "$@"
  fi
  rm -f "$log"
}

# Ends with why apt, whose log is $1, could not install packages $2….
cannot_install() {
  refuse "cannot install packages: $(why_apt_failed "$1") (its log is $1); once that is mended, run this again, or: $(install_line debian "${@:2}")"
}

install_packages() {
  local install=(apt-get install -y --no-install-recommends "$@") careful=(--no-remove) log old
  old=$(not_to_be_had "$@")
  [[ ! $old ]] || refuse "$(os_field PRETTY_NAME) has no $old: watchlab is built on Debian 12, Ubuntu 24.04 or newer; an older system" \
    "can run it in a container (docs/packaging/README.md)"
  ((EUID == 0)) || refuse "packages are missing; to install them: $(install_line debian "$@")"
  [[ ! ${CI:-} ]] || careful=()  # a machine for one job may lose what conflicts
  say "installing $*"
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! "${install[@]}" -q -o DPkg::Lock::Timeout=300 "${careful[@]}" </dev/null >"$log" 2>&1; then
    cannot_install "$log" "$@"
  fi
  rm -f "$log"
}

# Configures tree $1 of build/.
configure() {
  local wrapper='' sanitizer=(-Doptimization=1 -Db_lundef=false -Dcpp_args=-gline-tables-only)
  local compiler=clang++-16 options meson=/usr/bin/meson  # the one of the package, where there is one
  [[ ${CXX:-} == *ccache* ]] || ! command -v ccache >/dev/null || wrapper='ccache '
  [[ -x $meson ]] || meson=meson
  case $1 in
    release) compiler=${CXX:-g++} options=(--buildtype=release) ;;
    debug) compiler=${CXX:-g++} options=(--buildtype=debug -Dcpp_args=-g1) ;;
    clang) options=(--buildtype=release -Dunity=off) ;;  # clang-tidy asks how each source is compiled
    asan) options=("${sanitizer[@]}" '-Db_sanitize=address,undefined') ;;
    tsan) options=("${sanitizer[@]}" -Db_sanitize=thread) ;;
    *) refuse "there is no build tree $1; there are release, debug, clang, asan and tsan" ;;
  esac
  [[ $compiler != clang++-16 ]] || need clang
  say "configuring build/$1"
  # A newer compiler warns of more than ours does, and that is no reason not to build.
  CXX=$wrapper$compiler "$meson" setup -Dwerror="$([[ ${CI:-} ]] && echo true || echo false)" "${options[@]}" "$root/build/$1" "$root"
}

# Ends with one sentence that says why tree $1 could not be configured, from its log $2, and what to do.
refuse_to_configure() {
  local error cure=() family
  error=$(sed -nE 's/^.*ERROR: (Problem encountered: )?//p' "$2" | tail -n 1)
  family=$(family)
  if [[ $family == debian ]]; then look_at_packages && look_at_candidates; fi
  mapfile -t cure < <(missing_packages product)
  ((${#cure[@]} == 0)) || error+="; what is missing is installed by: $(install_line "$family" "${cure[@]}")"
  refuse "cannot configure build/$1: ${error:-$(tail -n 1 "$2")} (the whole log is build/$1.log)"
}

# Shows the progress of ninja as one moving line on a terminal. Lines are kept in file $1.
watch_ninja() {
  local line said='' moves=''
  [[ ! -t 2 || ${TERM:-} == dumb ]] || moves=yes
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    [[ $line =~ ^\[[0-9]+/([0-9]+)\] ]] || continue
    [[ $said ]] || say "building build/$(basename "$1" .log), ${BASH_REMATCH[1]} steps$( ((BASH_REMATCH[1] < 20)) || echo ': this takes minutes')"
    said=yes
    [[ ! $moves ]] || printf '\r\e[K%.*s' "${COLUMNS:-80}" "$line" >&2
  done
  [[ ! $moves || ! $said ]] || printf '\r\e[K' >&2
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
  local tree=$root/build/$1 lock='' what missing wanted=${*:2}
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
    missing="${wanted// / or } of build/$1 is missing or older than its sources"
  else
    return 0
  fi
  refuse "$missing, and $(id -un) cannot write to $root; its owner can build that: ./dev build $1 ${*:2}"
}

# Builds targets $2… in tree $1. Quiet, unless it fails: then it shows everything and returns 1.
build() {
  local tree=$root/build/$1 log=$root/build/$1.log lock='' status=0
  # What the program becomes for some commands; once it is there it is kept up to date, for they share libraries.
  [[ ${plays_only:-} || " ${*:2} " != *" $program "* ]] || set -- "$@" "$program-serve"
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
    if ! configure "$1" >>"$log"; then
      exec {lock}>&-
      rm -f "$root/build/packages.product"  # so that the next call looks again
      refuse_to_configure "$1" "$log"
    fi
    echo "$root" >"$tree/.root"
  fi
  ninja -C "$tree" ${WATCHLAB_JOBS:+-j "$WATCHLAB_JOBS"} "${@:2}" 2>&1 |
    watch_ninja "$log" || status=$?
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
