#!/usr/bin/env python3
"""Pages that are installed lead to nothing that is not: installed_links.py DATADIR [--count]

Meson calls it at each installation: links to what only a checkout has become words that say where it is. With --count
it changes nothing and prints each link that leads nowhere, and how many there are; ends with 1 unless that is 0.
"""

import os
import pathlib
import re
import sys

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s#]+)(?:#[^()\s]*)?\)")


def parts_outside_of_code(text):
    """The text in pieces, each with whether links in it are links."""
    for i, piece in enumerate(re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)):
        yield piece, i % 2 == 0


def is_there(page, link):
    return "://" in link or link.startswith("mailto:") or (page.parent / link).exists()


def words_for(page, link, share):
    """What stands where a link led nowhere: its words, and where in a checkout that is."""
    place = os.path.normpath(page.relative_to(share).parent / link.group(2))
    for top in ("doc/watchlab/", "watchlab/"):
        place = place.removeprefix(top)
    words = link.group(1)
    return f"{words} (in a checkout)" if place.rstrip("/") in words else f"{words} ({place} in a checkout)"


def main():
    share = pathlib.Path(os.environ.get("MESON_INSTALL_DESTDIR_PREFIX", "/")) / sys.argv[1]
    counts = "--count" in sys.argv
    dead = []
    for page in sorted(path for top in ("doc/watchlab", "watchlab") for path in (share / top).rglob("*.md")):
        def replaced(link):
            if is_there(page, link.group(2)):
                return link.group(0)
            dead.append(f"{page.relative_to(share)}: {link.group(2)} is not there")
            return words_for(page, link, share)

        text = page.read_text(encoding="utf-8")
        new = "".join(LINK.sub(replaced, piece) if is_text else piece for piece, is_text in parts_outside_of_code(text))
        if new != text and not counts:
            page.write_text(new, encoding="utf-8")
    if counts:
        print("\n".join(dead + [f"{len(dead)} links lead nowhere"]))
    return 1 if counts and dead else 0


if __name__ == "__main__":
    sys.exit(main())
