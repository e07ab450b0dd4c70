"""A Chromium without a window, driven through its DevTools protocol over two pipes."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

TIMEOUT = 60  # seconds that an answer may take


class Browser:
    """One browser with one page. Collects what the page complains about, and what it asks the network for."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="watchlab-chromium-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def place_pipes():
            # What would be overwritten by the one is not what the other is copied from.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe", "--force-device-scale-factor=1",
             f"--user-data-dir={self.profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=place_pipes, close_fds=False)  # Python's own descriptors close by themselves
        os.close(to_browser)
        os.close(from_browser)
        self.unread, self.number, self.session = b"", 0, None
        self.complaints, self.asked_for, self.loaded = [], [], 0
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(timeout=10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        deadline = time.monotonic() + TIMEOUT
        while b"\0" not in self.unread:
            ready, _, _ = select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self.read_end, 1 << 20) if ready else b""
            if not part:
                raise TimeoutError("Chromium does not answer")
            self.unread += part
        text, _, self.unread = self.unread.partition(b"\0")
        return json.loads(text)

    def call(self, method, **parameters):
        """The result of a command of the protocol."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.write_end, text):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        name, details = event.get("method"), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            thrown = details["exceptionDetails"]
            self.complaints.append(thrown.get("exception", {}).get("description", thrown["text"]))
        elif name == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning", "assert"):
            self.complaints.append(str([each.get("value") for each in details["args"]]))
        elif name == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
            self.complaints.append(details["entry"]["text"])
        elif name == "Network.requestWillBeSent":
            self.asked_for.append(details["request"]["url"])
        elif name == "Page.loadEventFired":
            self.loaded += 1

    def open(self, path):
        before, url = self.loaded, pathlib.Path(path).resolve().as_uri()
        self.complaints, self.asked_for = [], []
        self.call("Page.navigate", url=url)
        while self.loaded == before:
            self.note(self.message())
        self.asked_for = [each for each in self.asked_for
                          if each.partition("#")[0] != url and not each.startswith("data:")]

    def evaluate(self, script):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = {"Enter": 13, "Escape": 27, "Home": 36, "End": 35, "ArrowLeft": 37, "ArrowRight": 39, "Tab": 9}
        more = {"windowsVirtualKeyCode": code[key]} if key in code else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)

    def scheme(self, name):
        """What the reader prefers: light or dark."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name},
            {"name": "prefers-reduced-motion", "value": "reduce"}])  # no colour is on its way to another one

    def picture(self, path):
        shot = self.call("Page.captureScreenshot", format="png")
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))
