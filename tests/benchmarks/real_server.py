#!/usr/bin/env python3
"""real_server.py PROGRAM FOLDER   what `bench serve` measures, of a real kube-apiserver with its etcd

Prints a JSON line for each row, for the option --peers of the benchmarks. The server speaks TLS, as it must. How events
reach its watchers is not measured: a client in Python would be slower than the server. tests/judge/servers.py starts it.
"""

import json
import os
import pathlib
import resource
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "judge"))
from servers import Real  # noqa: E402  (its folder is not on the path before)

MAPS = "/api/v1/namespaces/default/configmaps"
WATCHES, OBJECTS, LISTS, REPETITIONS = 2_000, 10_000, 5, 5


def memory(process):
    """Kilobytes that are in memory."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def processor(process):
    """Seconds of a processor that it has used."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def row(name, unit, values):
    print(json.dumps({"name": f"kube-apiserver.serve.{name}", "unit": unit, "median": statistics.median(values),
                      "lowest": min(values), "highest": max(values), "repetitions": len(values)}), flush=True)


def ask(server, connection, method, body=None):
    connection.request(method, MAPS, body, {**server.fields, "Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 300:
        raise SystemExit(f"real_server.py: {method} {MAPS}: {answer.status} {text.decode()}")
    return text


def watch(server):
    """An open watch that has got its answer's first bytes."""
    peer = server.socket()
    fields = "".join(f"{name}: {value}\r\n" for name, value in server.fields.items())
    peer.sendall(f"GET {MAPS}?watch=true HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode())
    peer.recv(65536)
    return peer


def main():
    program, folder = sys.argv[1:]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    starts = []
    for _ in range(2):
        began = time.monotonic()
        with Real(program, folder):
            starts.append((time.monotonic() - began) * 1000)
    row("start_to_ready", "ms", starts)
    with Real(program, folder) as server:
        connection = server.connect()
        ask(server, connection, "GET")
        before = memory(server.process)
        watches = [watch(server) for _ in range(WATCHES)]
        row("memory_of_a_watch", "kB", [(memory(server.process) - before) / WATCHES])
        for each in watches:
            each.close()
    with Real(program, folder) as server:
        connection = server.connect()
        for i in range(OBJECTS):
            ask(server, connection, "POST", json.dumps({"metadata": {"name": f"c{i}"}, "data": {"k": "x" * 200}}))
        rates = []
        for _ in range(REPETITIONS):
            used = processor(server.process)
            for _ in range(LISTS):
                ask(server, connection, "GET")
            rates.append(LISTS / (processor(server.process) - used))
        row("lists_of_10000", "per CPU s", rates)


if __name__ == "__main__":
    main()
