"""Follows every link of a site."""

import html.parser
import urllib.parse

CLICKS_MAX = 2  # from the index to any page


class Reader(html.parser.HTMLParser):
    """What a page names, and what it links to."""

    def __init__(self):
        super().__init__()
        self.names, self.links = set(), []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" and value:
                self.names.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def read(path):
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def far(folder):
    """Pages that take more clicks from the index than they may, in words."""
    folder = folder.resolve()
    reached = edge = {folder / "index.html"}
    for _ in range(CLICKS_MAX):
        linked = {(page.parent / urllib.parse.unquote(urllib.parse.urlsplit(link).path)).resolve()
                  for page in edge for link in read(page).links if not urllib.parse.urlsplit(link).scheme}
        edge = {page for page in linked - reached if page.suffix == ".html" and page.is_file()}
        reached = reached | edge
    return [f"{page.relative_to(folder)} takes more than {CLICKS_MAX} clicks"
            for page in sorted(set(folder.rglob("*.html")) - reached)]


def check(folder):
    """How many links were followed, and those that lead nowhere, in words."""
    folder = folder.resolve()
    pages = {path.resolve(): read(path) for path in folder.rglob("*.html")}
    checked, broken = 0, []
    for page, reader in sorted(pages.items()):
        for link in reader.links:
            parts = urllib.parse.urlsplit(link)
            where = page.relative_to(folder)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            target = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            if parts.path.startswith("/") or not target.is_relative_to(folder):
                broken.append(f"{where}: {link} leads out of the site")
            elif not target.is_file():
                broken.append(f"{where}: {link} is not there")
            elif parts.fragment and target in pages and \
                    urllib.parse.unquote(parts.fragment) not in pages[target].names:
                broken.append(f"{where}: {link} names no part of that page")
    return checked, broken
