#!/usr/bin/env bash
# Prints the public headers, a line each, as they are included: those of the lists `public_headers` in the
# meson.build of each module.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
for module in core sim scenarios; do
  sed -n "/^public_headers += files(/,/^)/s|^  '\(.*\)',|$module/\1|p" "$module/meson.build"
done
