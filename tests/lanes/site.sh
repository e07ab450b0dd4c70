#!/usr/bin/env bash
# site -o DIR [NAME…]           writes all scenarios, bugs and pages as a static site, ready for any web host
#
# Each scenario has its text, a picture and a page to step through; each piece of the museum these of its broken
# variant, and the page of the fixed core beside it; each page of docs is rendered, and the sources that pages name come
# along. The index searches by name. All links are relative, so the site works in any folder, and from a disk. At the
# end every link is followed; a broken one is named. It is written into a folder beside DIR, which then takes its place.
#
#   -o, --output DIR  a folder that is not there yet, or holds such a site
#   NAME              only these scenarios and pieces; docs are always all of them
#   --jobs N          how many programs play at the same time; 2 if left out
#   --quiet           only what went wrong
#
# Examples:
#   ./dev site -o public
#   ./dev site -o /tmp/site missed_delete recreated_object_lost
#
# Exit: 0 the site is written, 1 a part of it failed or a link is broken, 2 the call was wrong.
: "${root:?a lane is run by ./dev}"

need product
need site
build_originals
exec python3 "$root/tests/site/site.py" "$@"
