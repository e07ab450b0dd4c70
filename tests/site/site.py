#!/usr/bin/env python3
"""Writes scenarios, museum and docs as a static site. Called by ./dev site, which says what the arguments mean."""

import argparse
import concurrent.futures
import html
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import lab
import links
from lab import WATCHLAB
from pages import Pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLAY = ROOT / "tests/variants/play.py"
MARK = "watchlab-site.json"  # what a site of ours holds
# Pages without frames and without a search of their own: each is a plain page with plain links.
REFERENCE = """
GENERATE_TREEVIEW = NO
SEARCHENGINE = NO
HTML_OUTPUT = .
HTML_DYNAMIC_MENUS = NO
HTML_TIMESTAMP = NO
USE_MDFILE_AS_MAINPAGE =
"""
BACK = '\n<p style="margin: .5rem 1rem"><a href="../index.html">watchlab</a> · <a href="pages.html">all pages of the reference</a></p>'


class Failed(Exception):
    """A part of the site cannot be made. Says why."""


def refuse(why):
    print(f"watchlab site: {why}", file=sys.stderr)
    sys.exit(2)


def play(command, name, output, *options, variant=False):
    """Runs a command of the program that writes a file; of a piece on its broken variant."""
    program = [sys.executable, PLAY] if variant else [WATCHLAB]
    done = subprocess.run([*program, command, name, "-o", output, *options], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    if not output.exists():
        raise Failed((done.stderr.strip().splitlines() or [f"{command} {name} says nothing"])[-1])


def short(text, most=160):
    """A text of one paragraph without the marks of markdown, cut between words."""
    plain = re.sub(r"(\*\*|\*|`)(\S|\S.*?\S)\1", r"\2", " ".join(text.split()))
    return plain if len(plain) <= most else plain[:most].rpartition(" ")[0].rstrip(",;:") + " …"


class Site:
    """Everything that is written, below one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.entries = []  # of the index: kind, name, link, what it is about
        self.pages = Pages(ROOT, folder)

    def add_scenario(self, entry):
        """A scenario's page: its story, its picture, its text; and the page to step through."""
        place = self.folder / "scenarios" / entry["name"]
        place.mkdir(parents=True)
        play("report", entry["path"], place / "report.html")
        try:
            play("draw", entry["path"], place / "picture.svg")
        except Failed:  # too large; its end is not
            play("draw", entry["path"], place / "picture.svg", "--last", "100")
        text = (ROOT / entry["path"]).read_text(encoding="utf-8")
        body = (f'<p>{html.escape(entry["story"])}</p>\n<p class="door"><a href="report.html">Step through this run</a></p>\n'
                f'<h2>Picture</h2>\n<p><img src="picture.svg" alt="The run of {html.escape(entry["name"])} as a picture"></p>\n'
                f'<h2>Scenario</h2>\n<pre><code>{html.escape(text)}</code></pre>\n'
                f'<p>Play it: <code>./watchlab run {html.escape(entry["name"])}</code></p>')
        self.pages.write(place / "index.html", entry["name"], body)
        return "scenario", entry["name"], f'scenarios/{entry["name"]}/index.html', entry["story"]

    def add_piece(self, piece):
        """A piece's page: its README and doors to both runs."""
        slug, place = piece["slug"], self.folder / "museum" / piece["slug"]
        place.mkdir(parents=True)
        play("report", slug, place / "broken.html", variant=True)
        doors = [("broken.html", "Step through the run that fails")]
        if not piece["live"]:
            play("report", f'{piece["folder"]}/scenario.yaml', place / "fixed.html")
            doors.append(("fixed.html", "Step through the same story on the fixed core"))
        view = ["--view", "tasks"] if piece["fails"].startswith("deadlock") else []
        play("draw", slug, place / "run.svg", "--brief", *view, variant=True)
        extra = '<p class="door">' + " · ".join(f'<a href="{link}">{words}</a>' for link, words in doors) + "</p>\n"
        self.pages.render(ROOT / piece["folder"] / "README.md", place / "index.html", before=extra,
                          after='<h2>Picture</h2>\n<p><img src="run.svg" alt="The failing run"></p>\n')
        return "bug", slug, f"museum/{slug}/index.html", piece["summary"]

    def add_docs(self):
        docs = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        docs += sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
        for doc in docs:
            place = self.pages.place_of(ROOT / doc)
            title, about = self.pages.render(ROOT / doc, place)
            self.entries.append(("page", title, str(place.relative_to(self.folder)), about))

    def add_reference(self):
        """The pages of public headers, where Doxygen is there, and a page that names them all."""
        if shutil.which("doxygen") is None:
            print("the pages of public headers are left out: there is no doxygen")
            return
        place = self.folder / "api"
        place.mkdir()
        headers = subprocess.run([ROOT / "tests/public_headers.sh"], capture_output=True, text=True, check=True).stdout.split()
        settings = (ROOT / "docs/Doxyfile").read_text(encoding="utf-8") + REFERENCE + \
            f'OUTPUT_DIRECTORY = "{place}"\nSTRIP_FROM_PATH = "{ROOT}"\nINPUT = {" ".join(headers)}\n'
        subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=ROOT, capture_output=True, check=True)
        texts = {page.name: page.read_text(encoding="utf-8") for page in sorted(place.glob("*.html"))}
        names = {page: set(re.findall(r'id="([^"]*)"', text)) for page, text in texts.items()}

        def link_of(page, found):
            """A link within the reference, without a part that Doxygen names and does not write."""
            is_there = found[2] in names.get(found[1] or page, ())
            return found[0] if is_there else f'href="{found[1] or page}"'

        rows = []
        for page, text in texts.items():
            text = re.sub(r'href="([^"#:]*)#([^"]*)"', lambda found, page=page: link_of(page, found), text)
            title = html.unescape(re.search(r"<title>watchlab: (.*?)</title>", text)[1])
            (place / page).write_text(re.sub(r"<body[^>]*>", lambda body: body[0] + BACK, text, count=1), encoding="utf-8")
            rows.append(f'<li><a href="{page}">{html.escape(title)}</a></li>')
        self.pages.write(place / "pages.html", "Reference of public headers", "<h1>Reference of public headers</h1>\n<ul>" +
                         "\n".join(sorted(rows, key=lambda row: row.partition(">")[2].lower())) + "</ul>")
        self.entries.append(("page", "Reference of public headers", "api/pages.html",
                             "Classes and functions for other C++ projects, as their comments describe them."))

    def add_lab(self, scenarios, pieces):
        """The page with the engine in it, where both the engine and the editor are there."""
        if not (lab.ENGINE / "watchlab.wasm").exists():
            print("the lab is left out: there is no engine; ./dev wasm builds it")
        elif not lab.has_tools():
            print(f"the lab is left out: npm cannot get {' '.join(lab.PACKAGES)}")
        else:
            pages = {each["slug"]: self.folder / "museum" / each["slug"] / "broken.html" for each in pieces if not each["live"]}
            lab.write(self.folder / "lab", lab.ENGINE, scenarios, pieces, pages)
            self.entries.append(("lab", "watchlab in a browser tab", "lab/index.html",
                                 "Plays, explores, shrinks and explains stories without an installation."))

    def add_sources(self):
        """The files that pages name, and a page that names all of these."""
        self.pages.write_sources()
        place = self.folder / "source"
        found = sorted(str(page.relative_to(place)) for page in place.rglob("*.html"))
        rows = [f'<li><a href="{html.escape(page)}">{html.escape(page.removesuffix(".html"))}</a></li>' for page in found]
        self.pages.write(place / "index.html", "Sources", "<h1>Sources</h1>\n<ul>" + "\n".join(rows) + "</ul>")
        self.entries.append(("page", "Sources", "source/index.html", "The files that pages link to."))

    def front(self):
        """The first screen of README.md: what stands before its second heading."""
        rendered = self.pages.rendered(ROOT / "README.md", self.folder / "index.html")
        return rendered.partition("<h2")[0]

    def write_index(self):
        front = self.front()
        rows = []
        for kind, name, link, about in sorted(self.entries):
            rows.append(f'<li data-text="{html.escape(f"{kind} {name} {about}".lower())}"><span class="kind">{kind}</span> '
                        f'<a href="{link}">{html.escape(name)}</a> <span>{html.escape(short(about))}</span></li>')
        source = (pathlib.Path(__file__).parent / "index.html").read_text(encoding="utf-8")
        (self.folder / "index.html").write_text(source.replace("<!-- front -->", front).replace("<!-- rows -->", "\n".join(rows)), encoding="utf-8")


def plan(names):
    """Scenarios and pieces that are wanted."""
    scenarios, pieces = lab.everything()
    if not names:
        return scenarios, pieces
    known = {each["name"] for each in scenarios} | {each["name"].split("/")[-1] for each in scenarios}
    known |= {each["slug"] for each in pieces}
    for name in names:
        if name not in known:
            refuse(f"there is no scenario and no piece '{name}'; see ./watchlab list and ./watchlab museum list")
    return ([each for each in scenarios if each["name"] in names or each["name"].split("/")[-1] in names],
            [each for each in pieces if each["slug"] in names])


def build(folder, call):
    """Writes the site into that folder. How many parts failed."""
    site = Site(folder)
    scenarios, pieces = plan(call.names)
    site.pages.know({ROOT / each["path"]: folder / "scenarios" / each["name"] / "index.html" for each in scenarios})
    site.pages.know({ROOT / each["folder"] / "README.md": folder / "museum" / each["slug"] / "index.html"
                     for each in pieces})
    failed = done = 0
    with concurrent.futures.ThreadPoolExecutor(call.jobs) as pool:
        parts = [pool.submit(site.add_scenario, each) for each in scenarios]
        parts += [pool.submit(site.add_piece, each) for each in pieces]
        for part in concurrent.futures.as_completed(parts):
            done += 1
            if sys.stderr.isatty() and not call.quiet:
                print(f"\r\033[K{done} of {len(parts)}", end="", file=sys.stderr, flush=True)
            try:
                site.entries.append(part.result())
            except (Failed, OSError) as wrong:
                failed += 1
                print(f"FAIL  {wrong}", flush=True)
    if sys.stderr.isatty() and not call.quiet:
        print("\r\033[K", end="", file=sys.stderr)
    site.add_docs()
    if not failed:
        site.add_lab(scenarios, pieces)
    site.add_reference()
    site.front()  # what it links to is among the sources
    site.add_sources()
    site.write_index()
    (folder / MARK).write_text(json.dumps({"format": 1, "entries": len(site.entries)}) + "\n", encoding="utf-8")
    return failed


def put_in_place(made, output):
    """A site that is there gives way only when the new one is whole."""
    if not output.exists():
        made.rename(output)
        return
    old = made.with_name(made.name + ".old")
    output.rename(old)
    made.rename(output)
    shutil.rmtree(old)


def main():
    parser = argparse.ArgumentParser(prog="./dev site")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quiet", action="store_true")
    call = parser.parse_args()
    output = call.output.absolute()
    if output.exists() and not (output / MARK).exists():
        refuse(f"{call.output} is there and is no site of watchlab; name another folder")
    if not output.parent.is_dir():
        refuse(f"{call.output}: there is no folder {call.output.parent}")
    begun = time.monotonic()
    made = pathlib.Path(tempfile.mkdtemp(prefix=f".{output.name}-", dir=output.parent))
    made.chmod(0o755)
    try:
        failed = build(made, call)
        checked, broken = links.check(made)
        broken += links.far(made)
        for link in broken:
            print(f"FAIL  {link}")
        if not broken:
            put_in_place(made, output)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    if broken:
        print(f"{len(broken)} links are broken; {call.output} is as it was", file=sys.stderr)
        return 1
    files = [path for path in output.rglob("*") if path.is_file()]
    if not call.quiet:
        print(f"{call.output}: {len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB, {checked} links "
              f"followed, none broken; {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
