#!/usr/bin/env python3
"""real_server.py PROGRAM FOLDER PROGRAMS [MINUTES [OBJECTS]]   the programs of docs/client.md beside a real kube-apiserver

configmap_watcher lists OBJECTS (100,000) with a certificate of its own and watches for MINUTES (10), while objects come and
go and the server is stopped, killed, and forgets its history (410). Whatever it has printed must be what the server has, and
no object may be missed. replica_controller keeps its pods meanwhile. PROGRAM is the server, PROGRAMS has both.
tests/judge/servers.py starts the server.
"""

import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "judge"))
from servers import Real  # noqa: E402  (its folder is not on the path before)

MAPS = "/api/v1/namespaces/default/configmaps"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
PODS = "/api/v1/namespaces/default/pods"
IN_ONE = 100  # etcd takes 128
PAUSE = 0.5  # between two writes
PATIENCE = 300  # seconds that anything may take
LIVES = 120  # so many writes after it came, an object goes


def certificates(folder):
    """An authority of clients, and a client that it knows."""

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, stderr=subprocess.DEVNULL, cwd=folder)

    folder.mkdir(parents=True, exist_ok=True)
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=clients", "-days", "2")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "client.key", "-out", "client.csr", "-subj", "/O=system:masters/CN=watcher")
    openssl("x509", "-req", "-in", "client.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-out", "client.crt", "-days", "2")


def kubeconfig(server, folder, user):
    cluster = {"server": f"https://127.0.0.1:{server.port}", "certificate-authority": f"{folder}/certificates/apiserver.crt"}
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "real",
        "clusters": [{"name": "real", "cluster": cluster}],
        "users": [{"name": "me", "user": user}],
        "contexts": [{"name": "real", "context": {"cluster": "real", "user": "me"}}],
    }
    file = folder / ("certificate.json" if "client-key" in user else "token.json")
    file.write_text(json.dumps(config))
    return file


def fill(server, count):
    """Puts objects into etcd, as an apiserver can read them."""

    def text(value):
        return base64.b64encode(value.encode()).decode()

    def put(number):
        name = f"m-{number}"
        made = {"name": name, "namespace": "default", "uid": f"00000000-0000-4000-8000-{number:012}", "creationTimestamp": "2026-01-01T00:00:00Z"}
        value = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": made, "data": {"text": "x" * 200}}
        return {"requestPut": {"key": text(f"/registry/configmaps/default/{name}"), "value": text(json.dumps(value))}}

    for first in range(0, count, IN_ONE):
        server.etcd("/v3/kv/txn", {"success": [put(number) for number in range(first, min(first + IN_ONE, count))]})


class Program:
    def __init__(self, program, config, folder):
        self.lines = folder / f"{program.name}.out"
        environment = {**os.environ, "KUBECONFIG": str(config)}
        with open(self.lines, "wb") as out, open(folder / f"{program.name}.err", "wb") as errors:
            self.process = subprocess.Popen([program], stdout=out, stderr=errors, env=environment)

    def printed(self):
        """How often it has printed each line."""
        counts = {}
        for line in self.lines.read_text().splitlines():
            counts[line] = counts.get(line, 0) + 1
        return counts

    def peak(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) // 1024

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def wait_for(what, holds):
    until = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > until:
            raise SystemExit(f"real_server: {what}: not within {PATIENCE} s")
        time.sleep(0.2)


def must(server, method, path, body=None):
    code, answer = server.ask(method, path, json.dumps(body) if body else None)
    if code not in (200, 201):
        raise SystemExit(f"real_server: {method} {path}: {code} {answer[:300]}")
    return json.loads(answer)


def deployment(replicas):
    spec = {"containers": [{"name": "main", "image": "none"}]}
    labels = {"app": "web"}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": spec}},
    }


def has_pods(server, count):
    def holds():
        pods = must(server, "GET", PODS)["items"]
        status = must(server, "GET", DEPLOYMENTS + "/web")["status"]
        return len(pods) == count and status.get("replicas", 0) == count

    return holds


def kill(server):
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    server.start()


def forget(server):
    server.compact()
    server.restart()


def live(server, minutes):
    """Objects come and go, and so does the server. Returns the names of those that came and of those that went."""
    troubles = [("a restart", Real.restart, 2), ("kill -9", kill, 4), ("a lost history", forget, 1)]
    steps = int(minutes * 60 / PAUSE)
    came, gone = [], []
    for step in range(steps):
        if troubles and step >= steps * (4 - len(troubles)) / 4:
            name, trouble, replicas = troubles.pop(0)
            trouble(server)
            must(server, "PUT", DEPLOYMENTS + "/web", deployment(replicas))
            wait_for(f"{replicas} pods after {name}", has_pods(server, replicas))
            print(f"{name}: {replicas} pods", flush=True)
        must(server, "POST", MAPS, {"metadata": {"name": f"w-{step}"}})
        came.append(f"w-{step}")
        if step >= LIVES:
            must(server, "DELETE", f"{MAPS}/w-{step - LIVES}")
            gone.append(f"w-{step - LIVES}")
        time.sleep(PAUSE)
    return came, gone


def judge(server, watcher, objects, came, gone):
    """What is wrong with what was printed."""
    must(server, "POST", MAPS, {"metadata": {"name": "end"}})
    wait_for("the last object is printed", lambda: "Added: default/end" in watcher.printed())
    printed = watcher.printed()
    names = {item["metadata"]["name"] for item in must(server, "GET", MAPS)["items"]}
    shown = {name for name in (line.split("/")[1] for line in printed if line.startswith("Added: "))
             if f"Deleted: default/{name}" not in printed}
    unseen = [name for name in came if f"Added: default/{name}" not in printed]
    unended = [name for name in gone if f"Deleted: default/{name}" not in printed]
    twice = [line for line, count in printed.items() if count > 1 and not line.startswith("Updated")]
    print(f"{objects} objects listed, {len(came)} came and {len(gone)} went; not seen to come {len(unseen)}, to go {len(unended)}; "
          f"printed twice {len(twice)}; shown and not there {len(shown - names)}, there and not shown {len(names - shown)}")
    return shown != names or unseen or unended or twice


def main():
    program, folder, programs = (pathlib.Path(place).absolute() for place in sys.argv[1:4])
    minutes = float(sys.argv[4]) if len(sys.argv) > 4 else 10
    objects = int(sys.argv[5]) if len(sys.argv) > 5 else 100_000
    certificates(folder)
    running = []
    with Real(program, folder, [f"--client-ca-file={folder}/ca.crt"]) as server:
        try:
            fill(server, objects)
            mine = {"client-certificate": f"{folder}/client.crt", "client-key": f"{folder}/client.key"}
            started = time.monotonic()
            watcher = Program(programs / "configmap_watcher", kubeconfig(server, folder, mine), folder)
            running.append(watcher)
            wait_for("the list is printed", lambda: len(watcher.printed()) >= objects)
            print(f"{objects} objects listed in {time.monotonic() - started:.1f} s, {watcher.peak()} MB at most", flush=True)
            token = {"token": Real.fields["Authorization"].split()[1]}
            running.append(Program(programs / "replica_controller", kubeconfig(server, folder, token), folder))
            must(server, "POST", DEPLOYMENTS, deployment(3))
            wait_for("3 pods", has_pods(server, 3))
            wrong = judge(server, watcher, objects, *live(server, minutes))
        finally:
            for each in running:
                each.stop()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
