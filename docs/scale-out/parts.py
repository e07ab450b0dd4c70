#!/usr/bin/env python3
"""Plays one search by dfs or dpor in parts, on processes of this machine or on a cluster of Ray.

A part is a line of JSON that `watchlab explore --give N --json` prints. A call plays so many runs of a part, and
gives away what is left of it; it changes nothing but what it prints, so one that is lost is repeated. When no part is
left, `watchlab merge` puts together what all of them have come to, and checks that each part was played once.

  parts.py missed_delete --strategy dpor --workers 4 -o parts.jsonl
  parts.py missed_delete --strategy dpor --workers 4 --engine ray -o parts.jsonl
  watchlab merge parts.jsonl

What stands after `--` goes to explore: `-- --early-advances 1`. With --address an existing cluster of Ray is used; each
of its machines needs the same build and the same scenario. Exit: that of merge; 2 when a part was refused.
"""

import argparse
import concurrent.futures
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time


class Lost(Exception):
    """The worker died, or the program that played the part."""


def lines_of(status, output, error):
    """What came of a part, from what `play` returns."""
    if status < 0 or status > 128:
        raise Lost(f"status {status}")
    if status not in (0, 1):
        raise ValueError((output + error).strip())
    return output.splitlines(keepends=True)


def play(call, part, begun=lambda process: None):
    """Plays a part, None for the whole. `begun` gets the process."""
    with tempfile.NamedTemporaryFile("w", suffix=".part") as file:
        if part is not None:
            file.write(part)
            file.flush()
            call = [*call, "--part", file.name]
        with subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            begun(process)
            output, error = process.communicate()
    return process.returncode, output, error


class Local:
    """Workers are processes of this machine, one for each part. Threads wait for them: a pool of processes can stand
    still for ever when one of its processes is killed."""

    def __init__(self, workers):
        self.pool = concurrent.futures.ThreadPoolExecutor(workers)
        self.processes = []

    def submit(self, call, part):
        return self.pool.submit(play, call, part, self.processes.append)

    def wait(self, waiting):
        return list(concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)[0])

    def result(self, future):
        return future.result()

    def pids(self):
        self.processes[:] = [process for process in self.processes if process.returncode is None]
        return [process.pid for process in self.processes]

    def close(self):
        self.pool.shutdown()


class Ray:
    """Workers are those of Ray. It starts another one for each that has died; the part is repeated here."""

    def __init__(self, workers, address):
        import ray  # only here: everything else does without

        self.ray = ray
        os.environ.setdefault("RAY_DEDUP_LOGS", "0")
        if address:
            ray.init(address=address, log_to_driver=False)
        else:
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="ERROR",
                     object_store_memory=80 * 2**20)

        def played(call, part, where):
            if where:
                with open(os.path.join(where, str(os.getpid())), "w"):
                    pass
            return play(call, part)

        self.known = tempfile.mkdtemp() if not address else ""
        self.played = ray.remote(max_retries=0)(played)

    def submit(self, call, part):
        return self.played.remote(call, part, self.known)

    def wait(self, waiting):
        return self.ray.wait(list(waiting))[0]

    def result(self, future):
        try:
            return self.ray.get(future)
        except self.ray.exceptions.RayTaskError:
            raise  # of this program itself: it would come again
        except self.ray.exceptions.RayError as died:  # the worker, its node, or what the node had room for
            raise Lost(f"a worker died: {type(died).__name__}") from died

    def pids(self):
        return [int(pid) for pid in os.listdir(self.known)] if self.known else []

    def close(self):
        self.ray.shutdown()


def kill_one(engine, chance):
    """Ends a worker by signal 9, as soon as there is one. False when none begins for a second."""
    until = time.monotonic() + 1
    alive = []
    while not alive and time.monotonic() < until:
        alive = [pid for pid in engine.pids() if os.path.exists(f"/proc/{pid}")]
        time.sleep(0 if alive else 0.001)
    if not alive:
        return False
    try:
        os.kill(chance.choice(alive), signal.SIGKILL)
    except ProcessLookupError:
        return False  # it has just ended by itself
    return True


def search(engine, call, options, out):
    """Hands parts to the workers until none is left. Returns how many were played, lost and killed."""
    ready = [None]
    waiting = {}
    played = lost = killed = in_a_row = 0
    chance = random.Random(1)
    stops = False
    while ready and not stops or waiting:
        while ready and not stops and len(waiting) < options.workers:
            part = ready.pop(0)
            # While others have nothing to do, much is given away, and little when there is enough.
            few = len(ready) < 2 * options.workers
            waiting[engine.submit([*call, "--give", str(options.give if few else 1)], part)] = part
        if killed < options.kill and played > 3 * (killed + 1):
            killed += kill_one(engine, chance)
        for future in engine.wait(waiting):
            part = waiting.pop(future)
            try:
                lines = lines_of(*engine.result(future))
            except Lost as why:
                lost += 1
                in_a_row += 1
                if in_a_row > options.tries * options.workers:
                    raise ValueError(f"parts are lost again and again: {why}") from why
                ready.insert(0, part)
                continue
            in_a_row = 0
            played += 1
            for line in lines:
                read = json.loads(line)
                if read.get("command") == "explore --part":
                    ready.append(line)
                    continue
                out.write(line)
                stops |= not read["held"] and (not options.all or read.get("kind") == "divergence")
    return played, lost, killed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario")
    parser.add_argument("--strategy", choices=("dfs", "dpor"), default="dpor")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    parser.add_argument("--address", default="", help="of a cluster of Ray; it starts one here if left out")
    parser.add_argument("--runs", type=int, default=100_000, help="of a part, before it gives the rest away")
    parser.add_argument("--give", type=int, default=4, help="into how many parts, while workers wait")
    parser.add_argument("--continue", dest="all", action="store_true", help="collects all different failures")
    parser.add_argument("--tries", type=int, default=5, help="parts lost in a row for each worker before it gives up")
    parser.add_argument("--kill", type=int, default=0, help="ends so many workers by signal 9 on the way, to try that")
    parser.add_argument("--watchlab", default="watchlab", help="the program")
    parser.add_argument("-o", dest="out", default="parts.jsonl", help="the lines for merge")
    own, further = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, further = own[:at], own[at + 1:]
    options = parser.parse_args(own)
    call = [options.watchlab, "explore", options.scenario, "--strategy", options.strategy, "--schedules",
            str(options.runs), "--json", *(["--continue"] if options.all else []), *further]
    began = time.monotonic()
    engine = Ray(options.workers, options.address) if options.engine == "ray" else Local(options.workers)
    try:
        with open(options.out + ".new", "w") as out:
            played, lost, killed = search(engine, call, options, out)
        os.replace(options.out + ".new", options.out)
    except ValueError as refused:
        print(f"parts: {refused}", file=sys.stderr)
        return 2
    finally:
        engine.close()
    print(f"{played} parts in {time.monotonic() - began:.1f} s, {lost} repeated, {killed} workers killed")
    return subprocess.run([options.watchlab, "merge", options.out]).returncode


if __name__ == "__main__":
    sys.exit(main())
