#!/usr/bin/env bash
# site -o DIR [NAME…]           writes all scenarios, bugs and pages as a static site, ready for any web host
#
# Each scenario gets its text, a picture and a page to step through. Each museum piece gets these for its broken variant,
# and the page of the fixed core beside it. Each page of docs is rendered, with the sources that it links to. The index
# searches by name. All links are relative, so the site works in any folder and from a disk. At the end every link is
# checked. The site is written into a folder beside DIR, which then takes its place.
#
#   -o, --output DIR  a folder that does not exist yet, or that holds such a site
#   NAME              only these scenarios and pieces; docs are always complete
#   --jobs N          how many programs run at a time; 2 by default
#   --quiet           prints only what went wrong
#
# Examples:
#   ./dev site -o public
#   ./dev site -o /tmp/site missed_delete recreated_object_lost
#
# Exit: 0 written, 1 a part failed or a link is broken, 2 bad usage.
: "${root:?a lane is run by ./dev}"

need product
need site
build_originals
exec python3 "$root/tests/site/site.py" "$@"
