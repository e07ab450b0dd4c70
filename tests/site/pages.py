"""Pages of the site: markdown rendered by cmark-gfm, with links that lead to what is on the site."""

import html
import os
import re
import shutil
import subprocess

LINK = re.compile(r'(<(?:a|img)\b[^>]*?\b(?:href|src)=")([^"]*)(")')
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
PICTURES = {".svg", ".png"}
STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #1c2733; background: #fff;
  overflow-wrap: anywhere; }
a { color: #1a5276; } nav { border-bottom: 1px solid #c8d0d8; padding-bottom: .5rem; }
pre { background: #f4f6f8; padding: .75rem; overflow: auto; } code { font-family: "DejaVu Sans Mono", monospace; font-size: .9em; }
table { border-collapse: collapse; display: block; overflow: auto; overflow-wrap: normal; } td { min-width: 4rem; } td, th { border: 1px solid #c8d0d8; padding: .25rem .5rem; }
img { max-width: 100%; height: auto; } .door { font-weight: 600; } .line { color: #5a6672; user-select: none; }
li .kind { display: inline-block; min-width: 5rem; color: #5a6672; } input { font: inherit; padding: .4rem; width: min(30rem, 90%); }
"""


def anchor_of(heading, used):
    """The name of a heading, as links on the forge have it."""
    words = html.unescape(re.sub(r"<[^>]*>", "", heading)).strip().lower()
    name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
    count = used.get(name, 0)
    used[name] = count + 1
    return name if count == 0 else f"{name}-{count}"


class Pages:
    """Where each file of the tree is on the site, and how it comes there."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.places = {}  # of files that have a page of their own
        self.sources = set()  # files and folders that pages link to
        (folder / "style.css").write_text(STYLE, encoding="utf-8")

    def know(self, places):
        self.places.update(places)

    def place_of(self, path):
        """The page of a file of the tree."""
        path = path.resolve()
        if path in self.places:
            return self.places[path]
        inner = path.relative_to(self.root)
        if path.is_dir():
            return self.folder / "source" / inner / "index.html"
        if path.suffix == ".md":
            return self.folder / "pages" / inner.with_suffix(".html")
        if path.suffix in PICTURES:
            return self.folder / "source" / inner
        return self.folder / "source" / f"{inner}.html"

    def write(self, place, title, body):
        up = os.path.relpath(self.folder, place.parent)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" '
                         f'content="width=device-width"><title>{html.escape(title)} · watchlab</title>'
                         f'<link rel="stylesheet" href="{up}/style.css"></head>\n<body>\n<nav><a href="{up}/index.html">'
                         f'watchlab</a> · {html.escape(title)}</nav>\n{body}\n</body>\n</html>\n', encoding="utf-8")

    def rendered(self, source, place):
        """Markdown as HTML, with links as the page at `place` has them."""
        rendered = subprocess.run(["cmark-gfm", "-e", "table", "-e", "autolink", "-e", "strikethrough", source],
                                  capture_output=True, text=True, check=True).stdout
        used = {}
        rendered = HEADING.sub(lambda found: f'<h{found[1]} id="{anchor_of(found[2], used)}">{found[2]}</h{found[1]}>',
                               rendered)
        return LINK.sub(lambda found: found[1] + self.link(found[2], source, place) + found[3], rendered)

    def render(self, source, place, before="", after=""):
        """Renders a page of markdown. Its title, and its first words."""
        rendered = self.rendered(source, place)
        heading = re.search(r"<h1[^>]*>(.*?)</h1>", rendered, re.DOTALL)
        title = re.sub(r"<[^>]*>", "", heading[1]) if heading else source.stem
        paragraph = re.search(r"<p>(.*?)</p>", rendered, re.DOTALL)
        about = html.unescape(re.sub(r"<[^>]*>", "", paragraph[1])) if paragraph else ""
        self.write(place, html.unescape(title), before + rendered + after)
        return html.unescape(title), about

    def link(self, target, source, place):
        """A link of the page `source` as the page at `place` has it."""
        path, mark, anchor = html.unescape(target).partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return target
        wanted = (source.parent / path).resolve()
        if not wanted.exists() or not wanted.is_relative_to(self.root):
            return target  # the check of links names it
        if wanted not in self.places:
            self.sources.add(wanted)
        return html.escape(os.path.relpath(self.place_of(wanted), place.parent) + mark + anchor)

    def write_sources(self):
        """Writes what pages link to, and what that links to, until nothing is missing."""
        written = set()
        while missing := self.sources - written:
            for path in sorted(missing):
                written.add(path)
                self.write_source(path)

    def write_source(self, path):
        place = self.place_of(path)
        if place.exists():
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        inner = str(path.relative_to(self.root))
        if path.is_dir():
            rows = []
            for each in sorted(path.iterdir()):
                if not each.name.startswith(".") and each.name != "build":
                    rows.append(f"<li>{html.escape(each.name)}{'/' if each.is_dir() else ''}</li>")
            readme = path / "README.md"
            if readme.exists():
                target = os.path.relpath(self.place_of(readme), place.parent)
                rows.insert(0, f'<li><a href="{html.escape(target)}">README</a></li>')
                self.sources.add(readme.resolve())
            self.write(place, inner, "<ul>" + "".join(rows) + "</ul>")
        elif path.suffix in PICTURES:
            shutil.copyfile(path, place)
        elif path.suffix == ".md":
            self.render(path, place)
        else:
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
            rows = [f'<span class="line" id="L{number}">{number:5} </span>{html.escape(line)}'
                    for number, line in enumerate(lines, 1)]
            self.write(place, inner, "<pre><code>" + "\n".join(rows) + "</code></pre>")
