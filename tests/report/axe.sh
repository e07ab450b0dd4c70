# shellcheck shell=bash
# Puts into $axe how a check of pages is called with axe-core, which npm gets once; without npm nothing.
axe=(--axe "$root/build/pages/node_modules/axe-core/axe.min.js")
axe_package="axe-core@4.14.1"
if [[ ! -f ${axe[1]} ]]; then
  mkdir -p "$root/build/pages"
  if ! command -v npm >/dev/null ||
    ! timeout 120 npm install --ignore-scripts --no-audit --no-fund --prefix "$root/build/pages" "$axe_package" \
      >"$root/build/pages/npm.log" 2>&1; then
    echo "skipped: npm cannot get $axe_package, so it looks at no page"
    axe=()
  fi
fi
