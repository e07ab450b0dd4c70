"""The fake API server as a child process, and its control pages."""

import json
import pathlib
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request


# What serve runs: says where the server is, and ends when the pipe that it reads has been closed. Only the program that
# started the server holds the other end, so that the server ends with it.
COMMAND = ["sh", "-c", 'echo "serving $WATCHLAB_URL"; while read -r line; do :; done']


class Server:
    """A server on loopback until `close`, or until the `with` ends. It ends with this process, however that ends.

    `faults` are written as in a story, as text or as dicts: "cut_watch", {"fail_list": {"answer": "internal", "times": 1}}.
    `options` are further words for `watchlab serve`.
    """

    def __init__(self, faults=(), options=()):
        from . import program  # the package is whole by now
        self._folder = tempfile.TemporaryDirectory(prefix="watchlab-")
        self.kubeconfig = str(pathlib.Path(self._folder.name, "kubeconfig"))
        words = [program(), "serve", "--kubeconfig", self.kubeconfig, *options]
        self._process = subprocess.Popen([*words, "--", *COMMAND], text=True, errors="replace",
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self._reader = None
        said = []
        for line in self._process.stdout:
            said.append(line)
            if line.startswith("serving "):
                break
        else:
            self.close()
            raise RuntimeError("".join(said).strip())
        self.url = said[-1].split()[1]
        self._reader = threading.Thread(target=self._process.stdout.read, daemon=True)  # so that serve never waits for us
        self._reader.start()
        try:
            for fault in faults:
                self.add_fault(fault)
        except BaseException:
            self.close()
            raise

    def add_fault(self, fault):
        """Adds one fault. Raises ValueError with the server's sentence if there is no such fault."""
        return self._ask("faults", "POST", fault if isinstance(fault, str) else json.dumps(fault))

    def heal(self, name=""):
        """Ends the fault of that name or number, or all of them."""
        return self._ask("faults" + (name and "/" + urllib.parse.quote(str(name))), "DELETE")

    def faults(self):
        """The faults that are active, and how many messages each has touched."""
        return self._ask("faults")["items"]

    def exchanges(self, **parameters):
        """What clients asked and were answered, as client="curl"."""
        return self._ask("exchanges", parameters=parameters)["items"]

    def objects(self, **parameters):
        """What the server holds, as resource="configmaps"."""
        return self._ask("objects", parameters=parameters)["items"]

    def close(self):
        """Ends the server."""
        try:
            self._process.stdin.close()
            self._process.wait(timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        if self._reader:
            self._reader.join()
        self._process.stdout.close()
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def environment(self):
        """The variables by which programs find the server: KUBECONFIG and WATCHLAB_URL."""
        return {"KUBECONFIG": self.kubeconfig, "WATCHLAB_URL": self.url}

    def _ask(self, page, method="GET", body=None, parameters=None):
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        request = urllib.request.Request(f"{self.url}/watchlab/v1/{page}{query}", method=method,
                                         data=body.encode() if body is not None else None,
                                         headers={"Content-Type": "application/yaml"} if body is not None else {})
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as answer:
                said = answer.read()
        except urllib.error.HTTPError as refused:
            said = refused.read().decode(errors="replace")
            try:
                said = json.loads(said)["message"]
            except (ValueError, KeyError, TypeError):
                pass
            raise ValueError(said) from None
        return json.loads(said) if said.strip() else None
