#!/usr/bin/env python3
"""Peers that mean no good, over real sockets, against `watchlab serve`: each gets an answer or the end of its
connection, the server's memory stays within a bound, and a watch of somebody else receives its events in time.

    peers.py WATCHLAB [--long]

Without --long the patience of slow peers is not waited for and there are fewer of them. Called by ./dev hostile.
Prints a line for each, and exits with 1 when one of them was served badly."""

import json
import os
import resource
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

MEGABYTE = 1 << 20
MAPS = "/api/v1/namespaces/default/configmaps"
HEAD = f"POST {MAPS} HTTP/1.1\r\nHost: localhost\r\n"


class Server:
    """A server, and a client of it that must not be disturbed."""

    def __init__(self, watchlab, *options):
        self.folder = tempfile.TemporaryDirectory()
        config = f"{self.folder.name}/kubeconfig"
        self.process = subprocess.Popen([watchlab, "serve", "--kubeconfig", config, *options], stdout=subprocess.PIPE,
                                        text=True)
        self.url = self.process.stdout.readline().split()[-1]
        self.port = int(self.url.rpartition(":")[2])
        self.trust = ssl._create_unverified_context() if "--tls" in options else None
        self.written, self.seen, self.late = 0, 0, 0.0
        self.sent = {}
        threading.Thread(target=self.watch, daemon=True).start()

    def ask(self, path, body=None):
        request = urllib.request.Request(self.url + path, body and json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        return urllib.request.urlopen(request, timeout=60, context=self.trust)

    def watch(self):
        for line in self.ask(f"{MAPS}?watch=true"):
            name = json.loads(line)["object"]["metadata"]["name"]
            self.late = max(self.late, time.monotonic() - self.sent[name])
            self.seen += 1

    def bystander(self):
        """Seconds that the latest event took to the one who watches; -1 when it did not come."""
        self.written += 1
        self.late = 0.0
        name = f"c{self.written}"
        self.sent[name] = time.monotonic()
        self.ask(MAPS, {"metadata": {"name": name}}).read()
        deadline = time.monotonic() + 10
        while self.seen < self.written:
            if time.monotonic() > deadline:
                return -1.0
            time.sleep(0.005)
        return self.late

    def memory(self):
        """Megabytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))

    def connect(self, timeout=20):
        peer = socket.create_connection(("127.0.0.1", self.port), timeout=timeout)
        return self.trust.wrap_socket(peer) if self.trust else peer

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()


def send_all(peer, pieces):
    """Sends until there is no more or the server has had enough; False for that."""
    try:
        for piece in pieces:
            peer.sendall(piece if isinstance(piece, bytes) else piece.encode())
    except OSError:
        return False
    return True


def answer(peer, at_most=MEGABYTE):
    """What the server says until the end of the connection; None when neither comes."""
    said = b""
    try:
        while len(said) < at_most:
            piece = peer.recv(65536)
            if not piece:
                return said
            said += piece
    except TimeoutError:
        return said or None
    except OSError:
        pass
    return said


def status_of(said):
    if said is None:
        return "nothing"
    return said.split(b"\r\n", 1)[0].decode(errors="replace")[:40] if said else "closed"


def one(server, pieces, timeout=20):
    """What a peer gets that sends this and no more."""
    with server.connect(timeout) as peer:
        send_all(peer, pieces)
        return status_of(answer(peer))


def endless_headers():
    yield "GET / HTTP/1.1\r\n"
    for i in range(100_000):
        yield f"X-{i}: {'x' * 100}\r\n"


def body(size):
    yield f"{HEAD}Content-Length: {size}\r\n\r\n"
    for _ in range(size // MEGABYTE):
        yield b"x" * MEGABYTE


def chunks(size):
    yield HEAD + "Transfer-Encoding: chunked\r\n\r\n"
    for _ in range(size // MEGABYTE):
        yield b"100000\r\n" + b"x" * MEGABYTE + b"\r\n"


def posted(text, kind="application/json"):
    data = text if isinstance(text, bytes) else text.encode()
    return [f"{HEAD}Connection: close\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data]


def asked(method, path, fields, text=""):
    """A request with just these fields, and its length where it has a body."""
    length = f"Content-Length: {len(text.encode())}\r\n" if text else ""
    return [f"{method} {path} HTTP/1.1\r\n{fields}Connection: close\r\n{length}\r\n{text}"]


def patched(operations):
    """A JSON patch of the object that the bystander has made first."""
    return asked("PATCH", f"{MAPS}/c1", "Host: localhost\r\nContent-Type: application/json-patch+json\r\n",
                 json.dumps(operations))


def story(clients):
    return asked("POST", "/watchlab/v1/stories", "Host: localhost\r\nContent-Type: application/yaml\r\n",
                 "apiVersion: watchlab/v1\nname: many\nstory: s\nuntil: 1s\nclients:\n" + "".join(clients))


def get(path):
    return [f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"]


PROTOBUF = "application/vnd.kubernetes.protobuf"
# What is sent, and how the answer must begin; more than one where the end of the connection may come first.
CASES = {
    "endless headers": (endless_headers, ("HTTP/1.1 4", "closed")),
    "a body of 64 MB": (lambda: body(64 * MEGABYTE), ("HTTP/1.1 413", "closed")),
    "64 MB in chunks": (lambda: chunks(64 * MEGABYTE), ("HTTP/1.1 413", "closed")),
    "a chunk without a size": (lambda: [HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"], ("HTTP/1.1 400",)),
    "a chunk of a huge size": (lambda: [HEAD + "Transfer-Encoding: chunked\r\n\r\n" + "f" * 40 + "\r\n"],
                               ("HTTP/1.1 400",)),
    "a last chunk in pieces": (lambda: [HEAD + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n0", "\r", "\n", "\r",
                                        "\n"], ("HTTP/1.1 4",)),
    "two lengths": (lambda: [HEAD + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"], ("HTTP/1.1 400",)),
    "a length and chunks": (lambda: [HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
                            ("HTTP/1.1 4",)),
    "the preface of HTTP/2": (lambda: ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], ("HTTP/1.1 400",)),
    "random bytes": (lambda: [bytes(range(256)) * 64], ("HTTP/1.1 400", "closed")),
    "nothing but line feeds": (lambda: ["\r\n" * 100_000 + "x y z\r\n\r\n"], ("HTTP/1.1 400", "closed")),
    "a path with ..": (lambda: get("/api/v1/namespaces/../secrets"), ("HTTP/1.1 400",)),
    "an escaped ..": (lambda: get("/api/v1/namespaces/%2e%2e/secrets"), ("HTTP/1.1 400",)),
    "a zero in a path": (lambda: get("/api/v1/namespaces/%00/pods"), ("HTTP/1.1 400",)),
    "a path that is no UTF-8": (lambda: get("/api/v1/namespaces/%ff/pods"), ("HTTP/1.1 400",)),
    "a body that is no UTF-8": (lambda: posted(b'{"metadata":{"name":"a"},"data":{"k":"\xff"}}'), ("HTTP/1.1 400",)),
    "a body that is no JSON": (lambda: posted("[" * 100_000), ("HTTP/1.1 400",)),
    "broken protobuf": (lambda: posted(b"k8s\0" + b"\xff" * 1000, PROTOBUF), ("HTTP/1.1 400",)),
    "protobuf that promises more": (lambda: posted(b"k8s\0\x12\xff\xff\xff\xff\x0f", PROTOBUF), ("HTTP/1.1 400",)),
    "a bomb of YAML": (lambda: posted("a: &a [1,1,1,1,1,1,1,1]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(12)),
        "application/yaml"), ("HTTP/1.1 4",)),
    "a patch whose copies double": (lambda: patched([{"op": "add", "path": "/data", "value": {"k": "x"}}] + [
        {"op": "copy", "from": "/data", "path": f"/data/c{i}"} for i in range(30)]), ("HTTP/1.1 413", "HTTP/1.1 422")),
    "a patch of 20,000 operations": (lambda: patched([{"op": "test", "path": "/kind", "value": "ConfigMap"}] * 20_000),
                                     ("HTTP/1.1 413", "HTTP/1.1 422")),
    "a story of 3,000 clients": (lambda: story([f"  - {{name: c{i}, kind: informer}}\n" for i in range(3_000)]),
                                 ("HTTP/1.1 429",)),
    "a client of 3,000 workers": (lambda: story(["  - {name: w, kind: fifo, workers: 3000}\n"]), ("HTTP/1.1 4",)),
    "an unknown Transfer-Encoding": (lambda: asked("POST", MAPS, "Host: localhost\r\nTransfer-Encoding: xchunked\r\n"),
                                     ("HTTP/1.1 501",)),
    "no Host": (lambda: asked("GET", "/api", ""), ("HTTP/1.1 400",)),
    "two Hosts": (lambda: asked("GET", "/api", "Host: localhost\r\nHost: localhost\r\n"), ("HTTP/1.1 400",)),
    "the Host of another": (lambda: asked("GET", "/api", "Host: rebound.example\r\n"), ("HTTP/1.1 403",)),
    "the Origin of a web page": (lambda: asked("GET", "/api", "Host: localhost\r\nOrigin: http://evil.example\r\n"),
                                 ("HTTP/1.1 403",)),
}


def pipelined(server):
    """Ten thousand requests ahead of their answers, which are taken late."""
    count = 10_000
    with server.connect() as peer:
        writer = threading.Thread(target=send_all, args=(peer, [
            b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n" * (count - 1) +
            b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"]))
        writer.start()
        time.sleep(1)
        said = answer(peer, 100 * MEGABYTE)
        writer.join()
    return "all answered" if said.count(b"HTTP/1.1 200") == count else f"{said.count(b'HTTP/1.1 200')} answered"


def unread(server):
    """Watches whose clients never read what comes: 200 objects of 100 kB each."""
    peers = [server.connect() for _ in range(20)]
    for peer in peers:
        send_all(peer, get("/api/v1/namespaces/unread/configmaps?watch=true"))
    server.ask("/api/v1/namespaces", {"metadata": {"name": "unread"}}).read()
    for i in range(200):
        server.ask("/api/v1/namespaces/unread/configmaps",
                   {"metadata": {"name": f"u{i}"}, "data": {"k": "x" * 100_000}}).read()
    for peer in peers:
        peer.close()
    return "held back"


def unread_lists(server):
    """Forty clients that never read their lists of 20 MB, and others that come then."""
    maps = "/api/v1/namespaces/lists/configmaps"
    server.ask("/api/v1/namespaces", {"metadata": {"name": "lists"}}).read()
    for i in range(20):
        server.ask(maps, {"metadata": {"name": f"l{i}"}, "data": {"k": "x" * MEGABYTE}}).read()
    peers = [server.connect() for _ in range(40)]
    kinds = "", "Accept: application/vnd.kubernetes.protobuf\r\n", "Accept-Encoding: gzip\r\n"
    for i, peer in enumerate(peers):
        send_all(peer, [f"GET {maps} HTTP/1.{i % 2}\r\nHost: localhost\r\n{kinds[i % 3]}\r\n"])
    slowest = 0.0
    for _ in range(20):
        began = time.monotonic()
        server.ask(f"{MAPS}/c1").read()  # over a connection of its own
        slowest = max(slowest, time.monotonic() - began)
    came = server.ask(maps).read()
    for peer in peers:
        peer.close()
    return f"newcomers wait at most {slowest:.2f} s", slowest < 1 and len(came) > 20 * MEGABYTE


def ended_stories(server):
    """What twenty stories leave behind that are over."""
    def kept():
        return {what: len(os.listdir(f"/proc/{server.process.pid}/{what}")) for what in ("task", "fd")}

    stories = "/watchlab/v1/stories"
    server.ask(stories).read()
    before = kept()
    for i in range(20):
        text = f"{{apiVersion: watchlab/v1, name: e{i}, story: s, until: 1ms, clients: [{{name: a, kind: informer}}]}}"
        request = urllib.request.Request(server.url + stories, text.encode(), {"Content-Type": "application/yaml"})
        urllib.request.urlopen(request, timeout=60, context=server.trust).read()
        while json.load(server.ask(f"{stories}/e{i}"))["state"] == "running":
            time.sleep(0.01)
    server.ask(stories).read()
    deadline = time.monotonic() + 5
    while (after := kept()) != before and time.monotonic() < deadline:
        time.sleep(0.05)  # connections of ours that are closed
    return f"{before} before and {after} after", after["task"] <= before["task"] and after["fd"] <= before["fd"]


def half_open(server, count):
    """Connections that say half of a request, or of the greeting of TLS, all at once."""
    half = bytes.fromhex("16030100c8010000c40303") if server.trust else b"GET /api HT"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, count + 100), hard), hard))
    peers = []
    try:
        for _ in range(min(count, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 100)):
            peer = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            send_all(peer, [half])
            peers.append(peer)
        took = server.bystander()
        return f"{len(peers)} open, {server.memory()} MB, the others wait {took:.2f} s"
    finally:
        for peer in peers:
            peer.close()


def slow_headers(server):
    """A byte each second; the server's patience is 32 s."""
    with server.connect(60) as peer:
        began = time.monotonic()
        for sign in b"GET /api HTTP/1.1\r\nHost: " + b"a" * 200:
            if not send_all(peer, [bytes([sign])]) or time.monotonic() - began > 40:
                break
            time.sleep(1)
        return status_of(answer(peer))


class Report:
    """Counts what went badly."""

    def __init__(self, server, memory_max):
        self.server, self.memory_max, self.bad = server, memory_max, 0

    def add(self, name, came, good):
        took, memory = self.server.bystander(), self.server.memory()
        fine = good and 0 <= took < 5 and memory <= self.memory_max
        self.bad += not fine
        print(f"{'' if fine else 'BAD '}{name}: {came}; the others wait {took * 1000:.0f} ms; {memory} MB", flush=True)


def main():
    watchlab, long = sys.argv[1], "--long" in sys.argv[2:]
    bad = 0
    for options in ((), ("--tls",)):
        server = Server(watchlab, *options)
        report = Report(server, 400 if long else 250)
        try:
            server.bystander()
            for name, (pieces, wanted) in CASES.items():
                came = one(server, pieces())
                report.add(name, came, came.startswith(wanted))
            came = pipelined(server)
            report.add("10000 requests ahead of their answers", came, came == "all answered")
            report.add("watches that are never read", unread(server), True)
            report.add("lists that are never read", *unread_lists(server))
            report.add("stories that are over", *ended_stories(server))
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as peer:
                tls = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n" * 300
                send_all(peer, get("/api") if options else [tls])
                came = status_of(answer(peer))
            report.add("plain HTTP to TLS" if options else "TLS to plain HTTP", came,
                       came.startswith(("HTTP/1.0 400", "HTTP/1.1 400")))
            report.add("half-open connections", half_open(server, 10_000 if long else 1_000), True)
            if long:
                came = slow_headers(server)
                report.add("a byte each second", came, came.startswith(("HTTP/1.1 408", "closed")))
        finally:
            server.close()
        bad += report.bad
    print(f"{bad} were served badly" if bad else "all were served as they should be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
