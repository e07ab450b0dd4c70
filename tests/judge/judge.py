#!/usr/bin/env python3
"""Compares `watchlab serve` with a kube-apiserver: see ./watchlab judge --help."""
import argparse
import json
import pathlib
import subprocess
import sys
import threading
import time

import fuzz
import probes
import timing
from normal import differences, normalized
from player import Player
from servers import TOKEN, Ours, Real

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests" / "conformance" / "apiserver"
KEPT_SEEDS = range(1, 61)  # of random sequences, recorded with the fixed ones
WIDGETS = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.@group"},
    "spec": {"group": "@group", "scope": "Namespaced",
             "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
             "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                           "schema": {"openAPIV3Schema": {"type": "object",
                                                          "x-kubernetes-preserve-unknown-fields": True}}}]},
}  # fmt: skip


class Host:
    """One server, and what a sequence needs there: namespaces of its own, and custom resources."""

    def __init__(self, server):
        self.server, self.count, self.lock, self.groups = server, 0, threading.Lock(), set()

    def define(self, group):
        asker = Player(self.server, "x", group)
        asker.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", WIDGETS)
        for _ in range(100):
            if asker.ask("GET", f"/apis/{group}/v1/widgets")["code"] == 200:
                return
            asker.step({"pause": 0.1})
        raise SystemExit(f"judge: {self.server.name} does not serve its custom resources")

    def play(self, steps, worker=0):
        with self.lock:
            self.count += 1
            prefix = f"s{self.count}q"
        group = f"g{worker}.example.com"
        if group not in self.groups:
            self.groups.add(group)
            self.define(group)
        player = Player(self.server, prefix, group)
        for name in ("a", "b"):
            made = player.ask("POST", "/api/v1/namespaces", {"metadata": {"name": f"{prefix}{name}"}})
            player.base = made["body"]["metadata"]["resourceVersion"]
        played = player.play(steps)
        self.clean(prefix, group)
        return normalized(steps, played, prefix, group)

    def clean(self, prefix, group):
        """Custom resources are listed over all namespaces, so that nothing must be left."""
        asker = Player(self.server, prefix, group)
        path = f"/apis/{group}/v1"
        for item in (asker.ask("GET", f"{path}/widgets")["body"].get("items") or []):
            metadata = item["metadata"]
            one = f"{path}/namespaces/{metadata['namespace']}/widgets/{metadata['name']}"
            if metadata.get("finalizers"):
                asker.ask("PATCH", one, {"metadata": {"finalizers": None}}, "application/merge-patch+json")
            asker.ask("DELETE", one)
        for connection in asker.connections.values():
            connection.close()


def is_alone(steps):
    return any("do" in step for step in steps)


def in_turn(work, jobs, threads):
    """Does work(job, worker) for all jobs, `threads` at a time; results in order."""
    results, lock, waiting = [None] * len(jobs), threading.Lock(), iter(range(len(jobs)))

    def run(worker):
        while True:
            with lock:
                number = next(waiting, None)
            if number is None:
                return
            results[number] = work(jobs[number], worker)

    runners = [threading.Thread(target=run, args=(worker,)) for worker in range(threads)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    return results


def show(name, steps, found, limit=6):
    print(f"{name}: {len(found)} differences")
    for path, ours, theirs in found[:limit]:
        parts = path.split("/")
        about = ""
        if parts[1] == "answers":
            step = steps[int(parts[2])]
            about = " (" + (step.get("ask") or step.get("path") or "") + ")"
        print(f"  {path}{about}")
        print(f"    ours:   {json.dumps(ours)[:600]}")
        print(f"    theirs: {json.dumps(theirs)[:600]}")


def kept_files(releases):
    files = sorted(KEPT.glob("*.json"))
    return [each for each in files if not releases or each.stem in releases]


def replay(arguments):
    """Plays what was recorded to our server: no Go is needed."""
    failed = passed = 0
    with Ours(arguments.program, arguments.folder / "ours") as server:
        host = Host(server)
        for file in kept_files(arguments.release):
            sequences = json.loads(file.read_text())["sequences"]
            together = [each for each in sequences if not is_alone(each["steps"])]
            alone = [each for each in sequences if is_alone(each["steps"])]
            for group, threads in ((together, 8), (alone, 1)):
                answers = in_turn(lambda each, worker: host.play(each["steps"], worker), group, threads)
                for each, came in zip(group, answers):
                    found = list(differences(came, each["came"]))
                    if found:
                        show(f"{file.stem} {each['name']}", each["steps"], found)
                    failed += bool(found)
                    passed += not found
    print(f"{passed} passed, {failed} failed")
    return failed > 0


def with_both(arguments, act):
    with Ours(arguments.program, arguments.folder / "ours") as ours:
        with Real(arguments.real, arguments.folder / "real") as real:
            return act(Host(ours), Host(real))


def probe(arguments):
    """The fixed sequences to both servers; --refresh keeps what the real one says."""

    def act(ours, real):
        failed, kept = 0, []
        fixed = list(probes.sequences())
        if arguments.refresh:
            fixed += [(f"fuzz-{seed}", fuzz.sequence(seed)) for seed in KEPT_SEEDS]
        fixed.sort(key=lambda each: is_alone(each[1]))
        for name, steps in fixed:
            if arguments.only and name not in arguments.only:
                continue
            theirs = real.play(steps)
            kept.append({"name": name, "steps": steps, "came": theirs})
            found = list(differences(ours.play(steps), theirs))
            if found:
                show(name, steps, found, arguments.show)
            failed += bool(found)
            if arguments.refresh and not arguments.only:
                keep(arguments.refresh, kept)
        print(f"{len(kept) - failed} passed, {failed} failed")
        return failed > 0

    return with_both(arguments, act)


def keep(release, sequences):
    KEPT.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(each, sort_keys=True) for each in sequences)
    (KEPT / f"{release}.json").write_text(f'{{"release": "{release}", "sequences": [\n{lines}\n]}}\n')


def compare(arguments):
    """Random sequences to both servers."""

    def act(ours, real):
        def difference(steps, worker=0):
            return list(differences(ours.play(steps, worker), real.play(steps, worker)))

        seeds = range(arguments.seed, arguments.seed + arguments.fuzz)
        calm = [(seed, fuzz.sequence(seed)) for seed in seeds]
        failed = []
        for group, threads in (([e for e in calm if not is_alone(e[1])], arguments.threads), ([e for e in calm if is_alone(e[1])], 1)):
            found = in_turn(lambda each, worker: difference(each[1], worker), group, threads)
            failed += [(seed, steps, each) for (seed, steps), each in zip(group, found) if each]
        for seed, steps, found in failed:
            show(f"seed {seed}", steps, found, 2)
        for seed, steps, _ in failed[: arguments.shown]:
            short = fuzz.shrunk(steps, lambda steps: bool(difference(steps)))
            again = difference(short)
            print(json.dumps(short))
            show(f"seed {seed}, {len(short)} steps", short, again, arguments.show)
        print(f"seeds that differ: {[seed for seed, *_ in failed]}")
        print(f"{len(calm) - len(failed)} passed, {len(failed)} failed")
        return bool(failed)

    return with_both(arguments, act)


def measure(arguments):
    """The rules about time."""
    return with_both(arguments, lambda ours, real: timing.measure([ours.server, real.server], arguments.only) > 0)


def informers(arguments):
    """core's informers beside a real server that is compacted and started again meanwhile."""
    with Real(arguments.real, arguments.folder / "real") as real:
        command = [arguments.informers, f"https://127.0.0.1:{real.port}", TOKEN, str(arguments.seconds)]
        with subprocess.Popen(command) as player:
            time.sleep(arguments.seconds / 3)
            real.compact()
            time.sleep(arguments.seconds / 6)
            real.restart()
            return player.wait(arguments.seconds + 120)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["replay", "probe", "fuzz", "timing", "informers"])
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--real")
    parser.add_argument("--release", action="append", default=[])
    parser.add_argument("--refresh", default="")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--show", type=int, default=8)
    parser.add_argument("--shown", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fuzz", type=int, default=100)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--informers", help="the program tests/judge/informers.cpp")
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    return {"replay": replay, "probe": probe, "fuzz": compare, "timing": measure, "informers": informers}[arguments.what](arguments)


if __name__ == "__main__":
    sys.exit(main())
