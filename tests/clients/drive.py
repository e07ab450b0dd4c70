#!/usr/bin/env python3
"""Drives controllers in other languages against `watchlab serve`, and sees what they make of it.

Each client (tests/clients/informers) is a program that runs an informer on the ConfigMaps of the namespace `app` and
prints `store a=1,b=2` whenever its store has changed. A line `create NAME VALUE`, `patch NAME VALUE` or `delete NAME`
on its input is a write that it has to do; it prints `done` or `failed WHY`. Called by ./watchlab clients.
"""

import argparse
import json
import pathlib
import queue
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

MAPS = "/api/v1/namespaces/app/configmaps"
PATIENCE = 45  # seconds; client-go waits at most 30 between two tries


class Server:
    """A server of its own for each client."""

    def __init__(self, watchlab, folder, options=()):
        self.kubeconfig = str(folder / "kubeconfig")
        self.process = subprocess.Popen([watchlab, "serve", "--kubeconfig", self.kubeconfig, *options],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]
        self.trust = ssl._create_unverified_context() if "--tls" in options else None
        self.ask("POST", "/api/v1/namespaces", {"metadata": {"name": "app"}})

    def ask(self, method, path, body=None, kind="application/json"):
        """The answer as a value; raises an HTTPError for a refusal."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method,
                                         headers={"User-Agent": "driver", "Content-Type": kind})
        with urllib.request.urlopen(request, timeout=20, context=self.trust) as answer:
            return json.loads(answer.read())

    def write(self, name, value):
        """Changes an object, or makes it."""
        try:
            self.ask("PATCH", f"{MAPS}/{name}", {"data": {"k": value}}, "application/merge-patch+json")
        except urllib.error.HTTPError:
            self.ask("POST", MAPS, {"metadata": {"name": name}, "data": {"k": value}})

    def store(self):
        """What a client should see by now."""
        items = self.ask("GET", "/watchlab/v1/objects?resource=configmaps")["items"]
        return ",".join(sorted(f"{each['metadata']['name']}={each.get('data', {}).get('k', '')}" for each in items
                               if each["metadata"]["namespace"] == "app"))

    def exchanges(self, after=0):
        """What others have asked for on ConfigMaps since then."""
        listed = self.ask("GET", f"/watchlab/v1/exchanges?after={after}")["items"]
        return [each for each in listed if each["client"] != "driver" and each["resource"] == "configmaps"]

    def last(self):
        return max((each["number"] for each in self.exchanges()), default=0)

    def add_fault(self, fault):
        return self.ask("POST", "/watchlab/v1/faults", fault)

    def heal(self):
        self.ask("DELETE", "/watchlab/v1/faults")

    def acted(self):
        """How many messages the first fault in place has touched."""
        return self.ask("GET", "/watchlab/v1/faults")["items"][0]["acted"]

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Client:
    """One controller, as a process."""

    def __init__(self, command, server, log):
        self.log = pathlib.Path(log)
        self.errors = open(log, "a", encoding="utf-8")
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.log.parent),
                       "KUBECONFIG": server.kubeconfig, "LEADER": "yes", "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command["words"], cwd=command["folder"], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.shown, self.answers = "", queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "store":
                self.shown = rest
            elif word in ("done", "failed"):
                self.answers.put(line.strip())

    def obey(self, line):
        """The client's answer to a write that it has to do."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.answers.get(timeout=PATIENCE)

    def sees(self, store, timeout=PATIENCE):
        """Seconds until the client has what the server has; None when it does not come to that."""
        began = time.monotonic()
        while time.monotonic() - began < timeout:
            if self.shown == store:
                return time.monotonic() - began
            if self.process.poll() is not None:
                return None
            time.sleep(0.02)
        return None

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.errors.close()


def names_of(server):
    """By which names faults know the client."""
    return sorted({each["client"] for each in server.exchanges()})


class Lesson:
    """What each client has to manage; counts what it does not."""

    def __init__(self, name):
        self.name, self.failed = name, []

    def want(self, good, what):
        if not good:
            self.failed.append(what)

    def run(self, server, client):
        """The sentence that sums it up."""
        server.write("first", "1")
        self.want(client.sees("first=1") is not None, "lists what is there")
        for line in ("create a 1", "patch a 2", "delete first"):
            answer = client.obey(line)
            self.want(answer == "done", f"{line}: {answer}")
        self.want(client.sees("a=2") is not None, "sees its own writes")
        said = []
        for fault, words in (("close_watch", "a clean end"), ("cut_watch", "a cut")):
            said.append(f"after {words} it {self.resume(server, client, fault)}")
        self.want(any("watches on" in each for each in said), f"watches on: {said}")
        how = self.resume(server, client, "fail_stream")
        self.want(how == "lists", f"lists after a 410, but it {how}")
        return f"list, watch, create, patch, delete; {', '.join(said)}, after a 410 it {how}"

    def resume(self, server, client, fault):
        """What the client does once its watches have ended in that way."""
        before = server.last()
        for name in names_of(server):
            details = {"answer": "expired", "new_streams": True} if fault == "fail_stream" else {}
            server.add_fault({fault: {"of": name, **details}})
        if fault == "fail_stream":  # a client may try once more from where it was
            time.sleep(2)
            server.heal()
        server.write("b", str(before))
        self.want(client.sees(server.store()) is not None, f"recovers after {fault}")
        server.heal()
        verbs = [each["verb"] for each in server.exchanges(before) if each["verb"] in ("LIST", "WATCH")]
        streamed = any("initial_events" in each["request"] for each in server.exchanges(before))
        return "lists" if "LIST" in verbs or streamed else "watches on" if "WATCH" in verbs else "does nothing"


def lesson(watchlab, command, folder, logs):
    """Whether the client has managed it."""
    name = command["name"]
    server = Server(watchlab, folder, command["serve"])
    client = Client(command, server, logs / f"{name}.log")
    run = Lesson(name)
    try:
        print(f"{name}: {run.run(server, client)}")
    except (queue.Empty, urllib.error.URLError, BrokenPipeError) as failure:
        run.failed.append(f"{type(failure).__name__} {failure}")
    finally:
        client.close()
        server.close()
    for what in run.failed:
        print(f"{name}: failed: {what}")
    if run.failed:
        print(f"{name}: what it said is in {client.log}")
    return not run.failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["lesson", "faults"])
    parser.add_argument("--watchlab", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--clients", required=True, help="JSON: name, folder and words of each")
    call = parser.parse_args()
    clients = json.loads(call.clients)
    if call.mode == "faults":
        import faults  # beside this file
        return faults.measure(call.watchlab, clients, call.folder, call.output)
    good = True
    for each in clients:
        with tempfile.TemporaryDirectory() as folder:
            good = lesson(call.watchlab, each, pathlib.Path(folder), call.folder) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
