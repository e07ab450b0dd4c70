#!/usr/bin/env bash
# package [--try] [--bare] [--python] [--node] [--go] [--image] [--wrap] [--doors]   makes packages for Debian, any Linux, Python, Node
#
# Writes build/package/watchlab_VERSION_ARCHITECTURE.deb and watchlab-VERSION-linux-ARCHITECTURE.tar.gz: the programs,
# libraries, public headers, scenarios, the museum, pages, the schema, the manual page and completion, with README.md.
# The archive also has the libraries that these need, except glibc. So do the wheel for Python and the two packages for
# npm, with modules and without headers and pages. lintian must find no error and no warning in the package, packing twice
# must give the same bytes, and the wheel and the npm package with the programs may have 12 MB.
#
#   --try      as root: installs the package with dpkg, runs a scenario by its name from an empty folder, builds
#              docs/example-project with it by Meson and by CMake, runs the unpacked archive, and removes the package
#   --bare     as root: the same on a bare Debian 12 made by debootstrap, as for a new user (a minute, 400 MB); the wheel
#              and the npm packages also on Debian 13
#   --python   installs the wheel in a fresh virtual environment and runs docs/python there
#   --node     installs the npm packages in a fresh folder and runs docs/node there
#   --go       plays docs/go/informer in a fresh Go module, which gets ours from a proxy of files, with the program of the
#              archive and of the wheel
#   --image    as root: plays docs/packaging/Dockerfile in such a Debian, without a container engine, and compares its
#              package with this one (another build, 20 minutes); with --long runs the two commands of README.md there
#              (an hour)
#   --wrap     builds docs/example-project with the Meson wrap (minutes)
#   --doors    tries Dockerfile, GitHub action, pre-commit hooks, editor tasks and completion
#
# What is not installed here, or what no registry has, is skipped with a line.
#
# Examples:
#   ./dev package
#   ./dev package --try --bare
#
# Exit: 0 written, 1 something is wrong with them, 2 bad usage.
: "${root:?a lane is run by ./dev}"

try='' bare='' python='' node='' go='' image='' long='' wrap='' doors=''
for word in "$@"; do
  case $word in
    --try) try=yes ;;
    --bare) bare=yes ;;
    --python) python=yes ;;
    --node) node=yes ;;
    --go) go=yes ;;
    --image) image=yes ;;
    --long) long=--commands ;;
    --wrap) wrap=yes ;;
    --doors) doors=yes ;;
    *) refuse "package: expected --try, --bare, --python, --node, --go, --image, --wrap or --doors, not '$word'" ;;
  esac
done
[[ ! $long || $image ]] || refuse "package: --long goes with --image"
[[ ! $try$bare$image || $(id -u) == 0 ]] || refuse "package: --try, --bare and --image install a package, which takes root"

need product
need package
[[ ! $bare$image ]] || need bare
[[ ! $doors ]] || need doors
may_build || refuse "package: $(id -un) cannot write to $root"
build release build.ninja || exit 1
mapfile -t targets < <(meson introspect --installed "$root/build/release" |
  grep -o "\"$root/build/release/[^\"]*\":" | sed "s|^\"$root/build/release/||; s|\":$||" | grep -v -e '^meson-' -e '^docs/')
build release "${targets[@]}" || exit 1

SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)  # the same sources, the same bytes
export SOURCE_DATE_EPOCH
place=$root/build/package
rm -rf "$place"
mkdir -p "$place/made/debian"
DESTDIR=$place/made meson install -C "$root/build/release" --no-rebuild --quiet || exit 1
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$root/meson.build" | head -n 1)
architecture=$(dpkg --print-architecture)

# What is installed below /usr/local belongs below /usr; the linker finds libraries there by itself.
cd "$place/made" || exit 1
mv usr/local/* usr/ && rmdir usr/local
manual=usr/share/man/man1/watchlab.1
lintian=(lintian --allow-root --fail-on "error,warning")
if command -v help2man >/dev/null; then
  mkdir -p "$(dirname "$manual")"
  env -u WATCHLAB_HOME WATCHLAB_CALLED_AS=watchlab help2man --locale=C.UTF-8 --no-info --include "$root/docs/packaging/watchlab.h2m" \
    --output "$manual" "$root/build/release/scenarios/cli/watchlab" || exit 1
else
  manual=''
  lintian+=(--suppress-tags no-manual-page)
  echo "package: has no manual page, because help2man is missing"
fi
archive=$place/watchlab-$version-linux-$(uname -m)
cp -r usr "$archive"
libraries=$(find usr/lib -name 'libwatchlab-*.so.*')
for library in $libraries usr/bin/watchlab usr/bin/watchlab-serve; do
  [[ $library == usr/bin/* ]] || chmod 644 "$library"
  strip --strip-unneeded "$library" "$archive/${library#usr/}" && chrpath -d "$library" >/dev/null || exit 1
done
sed -i 's|^prefix=.*|prefix=/usr|' usr/lib/*/pkgconfig/watchlab-*.pc
# shellcheck disable=SC2016 # pkg-config knows what pcfiledir is
sed -i 's|^prefix=.*|prefix=${pcfiledir}/../../..|' "$archive"/lib/*/pkgconfig/watchlab-*.pc
# The archive is to run on other systems too: what is needed comes along, and the program names where it is.
# libgvc loads its plugins from the folder graphviz beside it: those that lay out, and write SVG and DOT. That of PNG and
# PDF would bring fonts and 30 libraries.
plugins=$(ldd "$archive/bin/watchlab-serve" | awk '/libgvc\.so/ { sub("/[^/]*$", "/graphviz", $3); print $3 }')
mkdir -p "$archive/lib/watchlab/graphviz"
for plugin in libgvplugin_{core,dot_layout,neato_layout}.so.6; do
  cp -L "$plugins/$plugin" "$archive/lib/watchlab/graphviz/" || exit 1
  sed -n "/^$plugin /,/^}/p" "$plugins/config6a" >>"$archive/lib/watchlab/graphviz/config6a"
done
for needing in bin/watchlab-serve lib/watchlab/graphviz/*.so.*; do
  # shellcheck disable=SC2086 # a pattern
  ldd "$archive"/$needing
done | awk '/=> \// { print $3 }' | sort -u | grep -vE "/(libc|libm|libdl|libpthread|ld-linux[^/]*)\.so|libwatchlab|^$archive" |
  xargs -I{} cp -L {} "$archive/lib/watchlab/"
libraries_there=$(cd "$archive/lib" && echo *-linux-gnu*)
for file in "$archive"/bin/watchlab{,-serve} "$archive/lib/$libraries_there"/libwatchlab-*.so.* "$archive"/lib/watchlab/{,graphviz/}*.so*; do
  [[ -L $file ]] || patchelf --force-rpath --set-rpath "\$ORIGIN:\$ORIGIN/..:\$ORIGIN/../watchlab:\$ORIGIN/../lib/$libraries_there:\$ORIGIN/../lib/watchlab" "$file" || exit 1
done
tar -C "$place" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --use-compress-program='gzip -9n' \
  -cf "$archive.tar.gz" "$(basename "$archive")" || exit 1

wheel=$(python3 "$root/tests/packaging/wheel.py" "$archive" "$version" "$place") || exit 1
mapfile -t npm < <(python3 "$root/tests/packaging/npm.py" "$archive" "$version" "$place")
((${#npm[@]} == 2)) || exit 1

# What Debian wants of a package beside its files.
[[ ! $manual ]] || { gzip -9n "$manual" && ln -s watchlab.1.gz "${manual%/*}/watchlab-serve.1.gz"; }
pages=usr/share/doc/watchlab
mkdir -p $pages usr/share/lintian/overrides DEBIAN
cp "$root/docs/packaging/lintian-overrides" usr/share/lintian/overrides/watchlab
cp "$root/docs/packaging/copyright" $pages/copyright
gzip -9n >$pages/changelog.gz <<CHANGES
watchlab ($version) unstable; urgency=medium

  * CHANGELOG.md says what each release brings.

 -- The authors of watchlab <watchlab@localhost.localdomain>  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
CHANGES
printf 'Source: watchlab\n\nPackage: watchlab\nArchitecture: any\nDescription: d\n' >debian/control
# shellcheck disable=SC2086 # a word for each library
needed=$(dpkg-shlibdeps -O --ignore-missing-info -l"$(dirname "$(echo $libraries | cut -d' ' -f1)")" \
  usr/bin/watchlab usr/bin/watchlab-serve $libraries 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[[ $needed ]] || { echo "package: the packages that it needs are not known"; exit 1; }
sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$(du -sk usr | cut -f1)/; s/@NEEDED@/$needed/" \
  "$root/docs/packaging/control.in" >DEBIAN/control
printf 'activate-noawait ldconfig\n' >DEBIAN/triggers
for library in $libraries; do
  name=$(basename "${library%.so.*}")
  echo "$name ${library##*.so.} watchlab (>= $version)"
done | sort >DEBIAN/shlibs
(find usr -type f -print0 | sort -z | xargs -0 md5sum) >DEBIAN/md5sums
rm -r debian
find . -type d -exec chmod 755 {} +
find . -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +  # dpkg-deb leaves those before it
package=$place/watchlab_${version}_$architecture.deb
dpkg-deb --build --root-owner-group . "$package" >/dev/null || exit 1
# The page that goes with them; what it leads to is installed.
sed -E 's|\]\(\.\./|](/usr/share/doc/watchlab/docs/|g; s#\]\(([a-z-]+\.(json|yml))\)#](/usr/share/doc/watchlab/docs/packaging/\1)#g' \
  "$root/docs/packaging/README.md" >"$place/README.md"
du -h "$package" "$archive.tar.gz" "$wheel" "${npm[@]}" | sed "s|\t$root/|  |"

passed=0
failed=0
wants() { # SENTENCE COMMAND…: counts whether the command ends well
  local what=$1
  shift
  if "$@" >"$place/log.txt" 2>&1; then
    passed=$((passed + 1))
    echo "held  $what"
  else
    failed=$((failed + 1))
    echo "FAIL  $what"
    sed 's/^/  /' "$place/log.txt" | tail -n 20
  fi
}

wants "lintian finds no error and no warning" "${lintian[@]}" "$package"
packs_the_same() { # COMMAND: what it writes to $place/again are the bytes of $1
  local whole=$1
  shift
  "$@" >/dev/null && cmp "$whole" "$place/again"
}
wants "a second packing gives the same package" packs_the_same "$package" \
  dpkg-deb --build --root-owner-group "$place/made" "$place/again"
mkdir "$place/second"
packs_again() { cp "$(python3 "$root/tests/packaging/$1.py" "$archive" "$version" "$place/second" | tail -n 1)" "$place/again"; }
wants "a second packing gives the same wheel" packs_the_same "$wheel" packs_again wheel
wants "and the same for npm" packs_the_same "${npm[1]}" packs_again npm
for file in "$wheel" "${npm[1]}"; do
  wants "${file##*/} has no more than 12 MB" test "$(stat -c %s "$file")" -le 12000000
done
if [[ $try ]]; then
  mkdir "$place/empty" && cd "$place/empty" || exit 1
  cp -r "$root/docs/example-project" "$place/project"
  finds_the_mistake() { ! "$1" >found 2>&1 && grep -q deadlock found; }
  plays() { env -u WATCHLAB_HOME "$1" run missed_delete | grep '^held'; }
  draws() { "$1" draw missed_delete -o drawn.svg && grep -q '</svg>' drawn.svg; }
  unset WATCHLAB_HOME
  wants "dpkg installs it" dpkg -i "$package"
  wants "it says its version" bash -c "watchlab --version | grep -F 'watchlab $version'"
  wants "a scenario is found by its name" plays watchlab
  [[ ! $manual ]] || wants "its manual page is there" test -s "/$manual.gz"
  wants "bash completes it" bash -c 'source /usr/share/bash-completion/completions/watchlab.bash && complete -p watchlab'
  wants "Meson builds the example" bash -c "meson setup $place/by-meson $place/project && ninja -C $place/by-meson"
  wants "the example finds its mistake" finds_the_mistake "$place/by-meson/bounded_queue_test"
  wants "CMake builds the example" bash -c "cmake -S $place/project -B $place/by-cmake && cmake --build $place/by-cmake"
  wants "that example finds its mistake" finds_the_mistake "$place/by-cmake/bounded_queue_test"
  wants "dpkg removes it" dpkg -r watchlab
  wants "nothing of it is left" bash -c '! ls /usr/bin/watchlab* /usr/share/watchlab /usr/include/watchlab 2>/dev/null | grep .'
  wants "the archive is unpacked elsewhere" tar -xzf "$archive.tar.gz"
  wants "and plays there" plays "$PWD/$(basename "$archive")/bin/watchlab"
  wants "and draws there" draws "$PWD/$(basename "$archive")/bin/watchlab"
fi
# Further parts count for themselves.
part() { # NAME COMMAND…
  local counts
  "${@:2}" | tee "$place/$1.txt"
  counts=$(tail -n 1 "$place/$1.txt" | grep -xE '[0-9]+ passed, [0-9]+ failed') || return 0
  passed=$((passed + ${counts%% *}))
  counts=${counts#*, }
  failed=$((failed + ${counts%% *}))
}
[[ ! $bare ]] || part bare "$root/tests/packaging/bare.sh" "$package" "$archive.tar.gz"
[[ ! $bare ]] || part wheel-bare "$root/tests/packaging/wheel.sh" "$wheel" --bare
[[ ! $bare ]] || part npm-bare "$root/tests/packaging/npm.sh" "${npm[@]}" --bare
[[ ! $python ]] || part wheel "$root/tests/packaging/wheel.sh" "$wheel"
[[ ! $node ]] || part npm "$root/tests/packaging/npm.sh" "${npm[@]}"
[[ ! $go ]] || part go "$root/tests/packaging/go.sh" "$version" "$archive.tar.gz" "$wheel"
[[ ! $image ]] || part image "$root/tests/packaging/image.py" "$package" ${long:+"$long"}
[[ ! $wrap ]] || part wrap "$root/tests/packaging/wrap.sh"
[[ ! $doors ]] || part doors python3 "$root/tests/packaging/doors.py" "$archive"
echo "$passed passed, $failed failed"
((failed == 0))
