"""A reader of the lab, for checks: opens the page in Chromium, clicks, types and looks."""

import contextlib
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
from lab import WATCHLAB  # noqa: E402  pylint: disable=wrong-import-position

PATIENCE = 60  # seconds that anything may take


class Wrong(Exception):
    """The page does not do what it should. Says what."""


def want(fact, why):
    if not fact:
        raise Wrong(why)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """The address at which a folder is while the block runs."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Reader:
    """A reader of the lab."""

    def __init__(self, browser, place):
        self.browser, self.place = browser, place

    def says(self, script):
        return self.browser.evaluate(script)

    def wait(self, script, what=""):
        until = time.monotonic() + PATIENCE
        while not self.says(f"Boolean({script})"):
            want(time.monotonic() < until, f"{what or script} never comes; the page says {self.status()!r}, {self.browser.complaints}")
            time.sleep(0.05)

    def open(self, rest=""):
        self.browser.complaints = []
        for address in ("about:blank", self.place + rest):
            before = self.browser.loaded
            self.browser.call("Page.navigate", url=address)
            while self.browser.loaded == before:
                self.browser.note(self.browser.message())
        self.wait("document.body.dataset.filled", "the page")
        self.wait("!document.getElementById('play').disabled", "the engine")

    def click(self, name):
        want(self.says(f"!document.getElementById('{name}').disabled"), f"{name} is off")
        self.says(f"document.getElementById('{name}').click()")

    def done(self):
        self.wait("document.getElementById('stop').disabled", "the end")

    def do(self, name):
        self.click(name)
        self.done()

    def put(self, name, value):
        self.says(f"document.getElementById('{name}').value = {json.dumps(value)}")

    def status(self):
        return self.says("document.getElementById('status').textContent")

    def tried(self):
        return self.says("document.querySelectorAll('#tree li').length")

    def text(self):
        return self.says("document.querySelector('.cm-content').innerText")

    def type(self, text):
        """Puts a text in place of the story, as a keyboard does."""
        self.says("document.querySelector('.cm-content').focus()")
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key="a", code="KeyA", modifiers=2, windowsVirtualKeyCode=65)
        self.browser.call("Input.insertText", text=text)

    def take(self, wanted=None):
        """Steps through the page that is shown until a choice is offered, or the one that is wanted, and clicks it. Which it was."""
        before = self.tried()
        selector = f'.answer[data-take="{wanted}"]' if wanted else ".answer"
        button = f"document.querySelector('#branches {selector}')"
        with self.in_page():
            self.says("document.getElementById('locks-level').click()")
            for _ in range(1000):
                if self.says(f"Boolean({button})"):
                    break
                self.says("document.getElementById('forward').click()")
            want(self.says(f"Boolean({button})"), f"the choice {wanted or ''} is never offered")
            took = self.says(f"{button}.dataset.take")
            self.says(f"{button}.click()")
        self.wait(f"document.querySelectorAll('#tree li').length > {before}", "the branch")
        self.done()
        self.wait("document.querySelector('#page iframe')")
        return took

    @contextlib.contextmanager
    def in_page(self):
        """While the block runs, what is evaluated is evaluated in the frame with the step-through page, once it is whole."""
        outer, until = self.browser.session, time.monotonic() + PATIENCE
        while True:
            result = self.says("document.getElementById('result').textContent")
            targets = self.browser.call("Target.getTargets")["targetInfos"]
            frame = [each for each in targets if each["type"] == "iframe" and each["url"].startswith("blob:")]
            if frame:
                self.browser.session = self.browser.call("Target.attachToTarget", targetId=frame[-1]["targetId"], flatten=True)["sessionId"]
                digest = self.says("document.readyState === 'complete' && JSON.parse(document.getElementById('data')?.textContent ?? '{}').digest")
                if digest and digest in result:  # the page of an earlier run may still be there
                    break
                self.browser.session = outer
            want(time.monotonic() < until, "the step-through page has no process of its own, or is never whole")
            time.sleep(0.1)
        try:
            yield
        finally:
            self.browser.session = outer


def native(*words, **options):
    done = subprocess.run([WATCHLAB, *words, "--json"], cwd=ROOT, capture_output=True, text=True, check=False, **options)
    return json.loads(done.stdout.splitlines()[-1])
