#!/usr/bin/env python3
"""Compares `watchlab serve` with a kube-apiserver: see ./dev judge --help."""
import argparse
import gzip
import itertools
import json
import pathlib
import sys
import threading
import time

import applies
import asked
import fuzz
import probes
import timing
from normal import differences, normalized
from player import Player
from servers import TOKEN, Ours, Processes, Real

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests" / "conformance" / "apiserver"
FOUND = ROOT / "tests" / "judge" / "found.json"  # sequences that the random ones were cut down to, and what was corrected
MEET_WITHIN = 300  # seconds
FIRST = "1.35.4"
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
        self.meeting = None  # of sequences that are compacted or started again together

    def meet(self, deeds, count):
        """The next `count` sequences wait for each other before each of their `deeds`, which then is done once."""
        coming = iter(deeds)
        self.meeting = threading.Barrier(count, lambda: getattr(self.server, next(coming))(), MEET_WITHIN) if deeds else None

    def do(self, what):
        if self.meeting:
            self.meeting.wait()
        else:
            getattr(self.server, what)()

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
            self.server.collections.append(f"/apis/{group}/v1/widgets")
        player = Player(self.server, prefix, group, self.do)
        for name in ("a", "b"):
            made = player.ask("POST", "/api/v1/namespaces", {"metadata": {"name": f"{prefix}{name}"}})
            player.base = made["body"]["metadata"]["resourceVersion"]
        played = player.play(steps)
        self.clean(prefix, group)
        return normalized(steps, played, prefix, group, self.server.bookmarks_early)

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


def deeds(steps):
    """What it does to its server that others must not notice."""
    return tuple(step["do"] for step in steps if "do" in step)


def in_turn(work, jobs, threads):
    """Does work(job, worker) for all jobs, `threads` at a time; results in order."""
    results, lock, waiting, problems = [None] * len(jobs), threading.Lock(), iter(range(len(jobs))), []

    def run(worker):
        while True:
            with lock:
                number = next(waiting, None)
            if number is None:
                return
            try:
                results[number] = work(jobs[number], worker)
            except Exception as problem:  # must not be taken for a job that has found nothing
                problems.append(problem)

    runners = [threading.Thread(target=run, args=(worker,)) for worker in range(threads)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    if problems:
        raise problems[0]
    return results


def in_groups(work, jobs, hosts, threads):
    """Does work(job, worker) for all jobs, the last member of each being its steps: first those that leave the server
    alone, then groups of those that do the same to it, at the same time."""
    groups = {}
    for job in jobs:
        groups.setdefault(deeds(job[-1]), []).append(job)
    for done, members in sorted(groups.items()):
        size = threads if done else len(members)
        for first in range(0, len(members), size):
            part = members[first : first + size]
            for host in hosts:
                host.meet(done, len(part))
            in_turn(work, part, len(part) if done else threads)
    for host in hosts:
        host.meet((), 0)


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


def fixed():
    """The sequences that are always played: those of the rules, and short ones that have differed once."""
    found = json.loads(FOUND.read_text())
    return [*probes.sequences(), *applies.sequences(), *asked.sequences(), *((each["name"], each["steps"]) for each in found)]


def kept_files(releases):
    files = sorted(KEPT.glob("*.json"))
    return [each for each in files if not releases or each.stem in releases]


def replay(arguments):
    """Plays what was recorded to our server: no Go is needed."""
    failed = passed = 0
    with Ours(arguments.program, arguments.folder / "ours") as server:
        host = Host(server)
        played = {}
        for file in kept_files(arguments.release):
            # What is recorded of several releases in the same words is played once.
            texts = {json.dumps(each, sort_keys=True): each for each in kept(file)}

            def play(each, worker):
                text, sequence, steps = each
                played[text] = list(differences(host.play(steps, worker), sequence["came"]))

            in_groups(play, [(text, each, each["steps"]) for text, each in texts.items() if text not in played], [host], 8)
            for text, each in texts.items():
                found = played[text]
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
        answers = {}
        chosen = fixed()
        if arguments.refresh:
            chosen += [(f"fuzz-{seed}", fuzz.sequence(seed)) for seed in KEPT_SEEDS]
        if arguments.only:
            chosen = [each for each in chosen if each[0] in arguments.only]

        def play(each, worker):
            name, steps = each
            theirs = real.play(steps, worker)
            answers[name] = (theirs, list(differences(ours.play(steps, worker), theirs)))

        in_groups(play, chosen, [ours, real], arguments.threads)
        failed = 0
        for name, steps in chosen:
            if answers[name][1]:
                failed += 1
                show(name, steps, answers[name][1], arguments.show)
        if arguments.refresh and not arguments.only:
            keep(arguments.refresh, [{"name": name, "steps": steps, "came": answers[name][0]} for name, steps in chosen])
        print(f"{len(chosen) - failed} passed, {failed} failed")
        return failed > 0

    return with_both(arguments, act)


def ask(arguments):
    """The requests of asked.py, and what came of each."""

    def act(ours, real):
        equal, different = 0, []
        for _, steps in fixed():
            if not any("probe" in step for step in steps):
                continue
            came, theirs = ours.play(steps), real.play(steps)
            found = [(each[0].split("/")[1:3], each) for each in differences(came, theirs)]
            for number, step in enumerate(steps):
                if "probe" not in step:
                    continue
                places = (["answers", str(number)], ["watches", step.get("watch")])
                differs = [each for place, each in found if place in places]
                equal += not differs
                about = step.get("ask") or f"WATCH {step['path']}"
                print(f"{'differs' if differs else 'equal':8}{step['probe']:14} {theirs['answers'][number]['code']}  {about[:110]}")
                if differs:
                    different.append(step["probe"])
                    show(step["probe"], steps, differs)
        for name, where in asked.ELSEWHERE.items():
            print(f"{'':8}{name}: {where}")
        print(f"{equal} passed, {len(different)} failed")
        return bool(different)

    return with_both(arguments, act)


def keep(release, sequences):
    """A file has what differs from that of FIRST only, which all releases are compared with."""
    KEPT.mkdir(parents=True, exist_ok=True)
    same = "" if release == FIRST else f' "others_as": "{FIRST}",'
    first = json.loads((KEPT / f"{FIRST}.json").read_text())["sequences"] if same else []
    lines = ",\n".join(json.dumps(each, sort_keys=True) for each in sequences if each not in first)
    (KEPT / f"{release}.json").write_text(f'{{"release": "{release}",{same} "sequences": [\n{lines}\n]}}\n')


def kept(file):
    """All sequences of a transcript."""
    recorded = json.loads(file.read_text())
    own = recorded["sequences"]
    names = {each["name"] for each in own}
    others = kept(KEPT / f"{recorded['others_as']}.json") if "others_as" in recorded else []
    return own + [each for each in others if each["name"] not in names]


def in_file(file):
    """What a real server has said to random sequences: (seed, whether ours said the same, what came). The last line
    of a player that was ended may be cut."""
    try:
        with gzip.open(file, "rt") as lines:
            for line in lines:
                each = json.loads(line)
                yield each["seed"], each["equal"], each["came"]
    except FileNotFoundError:
        return
    except (EOFError, ValueError, gzip.BadGzipFile) as problem:
        print(f"judge: {file}: the end cannot be read: {problem}", file=sys.stderr)


def compare(arguments):
    """Random sequences to both servers; those that stand in the file are not played again."""

    def act(ours, real):
        def difference(steps):
            return list(differences(ours.play(steps, 0), real.play(steps, 0)))

        played = {seed for seed, _, _ in in_file(arguments.file)} if arguments.file else set()
        drawn = arguments.seeds or range(arguments.seed, arguments.seed + arguments.fuzz)
        chosen = [(seed, fuzz.sequence(seed)) for seed in drawn if seed not in played]
        failed, lock = [], threading.Lock()

        def one(each, worker):
            seed, steps = each
            theirs = None
            try:
                theirs = real.play(steps, worker)
                found = list(differences(ours.play(steps, worker), theirs))
            except Exception as problem:
                if Processes.ended:
                    return
                found = [("/player", "played", repr(problem))]
            with lock:
                if found:
                    failed.append((seed, steps))
                    show(f"seed {seed}", steps, found, 2)
                    sys.stdout.flush()
                if arguments.file and theirs:
                    line = json.dumps({"seed": seed, "equal": not found, "came": theirs}, sort_keys=True) + "\n"
                    with open(arguments.file, "ab") as file:
                        file.write(gzip.compress(line.encode()))

        in_groups(one, chosen, [ours, real], arguments.threads)
        for seed, steps in failed[: arguments.shown]:
            short = fuzz.shrunk(steps, lambda steps: bool(difference(steps)))
            again = difference(short)
            print(json.dumps(short))
            show(f"seed {seed}, {len(short)} steps", short, again, arguments.show)
        print(f"seeds that differ: {sorted(seed for seed, _ in failed)}")
        print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
        return bool(failed)

    return with_both(arguments, act)


def again(arguments):
    """What a real server has said to random sequences, to ours alone."""
    with Ours(arguments.program, arguments.folder / "ours") as server:
        host, failed, count = Host(server), [], 0

        def one(each, worker):
            seed, came, steps = each
            found = list(differences(host.play(steps, worker), came))
            if found:
                failed.append(seed)
                show(f"seed {seed}", steps, found, arguments.show)

        recorded = ((seed, came, fuzz.sequence(seed)) for seed, _, came in in_file(arguments.file))
        while part := list(itertools.islice(recorded, 500)):
            in_groups(one, part, [host], arguments.threads)
            count += len(part)
        print(f"seeds that differ: {sorted(failed)}")
        print(f"{count - len(failed)} passed, {len(failed)} failed")
        return bool(failed)


def measure(arguments):
    """The rules about time; of ours alone where no real server is named."""
    if arguments.real:
        return with_both(arguments, lambda ours, real: timing.measure([ours.server, real.server], arguments.only) > 0)
    with Ours(arguments.program, arguments.folder / "ours") as ours:
        return timing.measure([ours], arguments.only) > 0


def informers(arguments):
    """core's informers beside a real server that is compacted and started again meanwhile."""
    with Real(arguments.real, arguments.folder / "real") as real:
        command = [arguments.informers, f"https://127.0.0.1:{real.port}", TOKEN, str(arguments.seconds)]
        player = Processes.start(command, None)
        try:
            time.sleep(arguments.seconds / 3)
            real.compact()
            time.sleep(arguments.seconds / 6)
            real.restart()
            # A list in pages is answered at the revision from which no watch is left, until that is compacted:
            # a server does so after five minutes (docs/known_live.md, kubernetes issue 133810).
            time.sleep(arguments.seconds / 6)
            real.compact()
            return player.wait(arguments.seconds + 120)
        finally:
            Processes.stop(player)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["replay", "probe", "asked", "fuzz", "again", "timing", "informers"])
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
    parser.add_argument("--seeds", type=int, nargs="*", help="these, instead of those from --seed on")
    parser.add_argument("--file", type=pathlib.Path, help="of random sequences, with what the real server said: those in it are not played again")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--informers", help="the program tests/judge/informers.cpp")
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    Processes.end_on_signals()
    return {"replay": replay, "probe": probe, "asked": ask, "fuzz": compare, "again": again, "timing": measure, "informers": informers}[arguments.what](arguments)


if __name__ == "__main__":
    sys.exit(main())
