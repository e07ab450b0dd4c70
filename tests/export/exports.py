#!/usr/bin/env python3
"""Reads exports of runs by what others publish: Perfetto's schema, JSON.

Called by ./dev exports, which installs the schema. The last line is `N passed, N failed`.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema

ROOT = pathlib.Path(__file__).resolve().parents[2]
WATCHLAB = ROOT / "build/release/scenarios/cli/watchlab"
STORIES = ["missed_delete", "slow_handler", "nodes_and_widgets", "resync_of_each_handler", "pod_runs_on_two_nodes",
           "list_refused_by_the_store"]
EVENT = schema.TrackEvent


class Wrong(Exception):
    """An export is not what it should be. Says how."""


def want(fact, why):
    if not fact:
        raise Wrong(why)


def exported(story, form, ending):
    with tempfile.TemporaryDirectory(prefix="watchlab-exports-") as folder:
        path = pathlib.Path(folder) / f"run{ending}"
        done = subprocess.run([WATCHLAB, "trace", story, "--format", form, "-o", path], cwd=ROOT, capture_output=True,
                              text=True, check=False)
        want(path.exists(), f"no file is written: {done.stderr.strip()}")
        return path.read_bytes()


def wants_known(message):
    """No field, at any depth, that the schema does not have."""
    want(len(UnknownFieldSet(message)) == 0, f"the schema knows no such field of {message.DESCRIPTOR.name}")
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for each in value if field.is_repeated else [value]:
                wants_known(each)


def check_perfetto(story):
    trace = schema.Trace.FromString(exported(story, "perfetto", ".pftrace"))
    wants_known(trace)
    tracks = {packet.track_descriptor.uuid: packet.track_descriptor for packet in trace.packet
              if packet.HasField("track_descriptor")}
    for track in tracks.values():
        want(track.HasField("process") or track.parent_uuid in tracks, f"{track} has no parent")
    steps = [json.loads(line) for line in exported(story, "jsonl", ".jsonl").splitlines()]
    tasks = {step["task"] for step in steps if "does" in step and "timer" not in step["task"]}
    threads = [track for track in tracks.values() if track.HasField("thread")]
    want(len(threads) == len(tasks), f"{len(threads)} tracks of threads, and the run has {len(tasks)} tasks")
    open_on, last, flows, counted = collections.Counter(), 0, collections.Counter(), set()
    for packet in trace.packet:
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        want(event.track_uuid in tracks, "an event is on no track")
        want(packet.timestamp >= last, "time goes back")
        last = packet.timestamp
        if event.type == EVENT.TYPE_COUNTER:
            want(tracks[event.track_uuid].HasField("counter"), "a value is on no counter")
            counted.add(tracks[event.track_uuid].name)
        open_on[event.track_uuid] += {EVENT.TYPE_SLICE_BEGIN: 1, EVENT.TYPE_SLICE_END: -1}.get(event.type, 0)
        want(open_on[event.track_uuid] in (0, 1), f"slices overlap at {event.name}")
        flows.update(event.flow_ids)
    want(not +open_on, "a slice has no end")
    want({"behind by", "watch window", "in flight"} <= counted, f"counters are {sorted(counted)}")
    want(flows and all(count > 1 for count in flows.values()), f"flows are {flows}")
    return f"{len(tracks)} tracks, {len(flows)} flows, {len(counted)} counters"


def check_chrome(story):
    events = json.loads(exported(story, "chrome", ".json"))["traceEvents"]
    want(all({"ph", "pid", "tid", "ts"} <= set(event) for event in events), "an event has no place")
    begun = {event["id"] for event in events if event["ph"] == "s"}
    want({event["id"] for event in events if event["ph"] == "t"} <= begun, "a flow has no beginning")
    return f"{len(events)} events, {len(begun)} flows"


def main():
    passed = failed = 0
    for story in sys.argv[1:] or STORIES:
        for check in (check_perfetto, check_chrome):
            name = check.__name__.removeprefix("check_")
            try:
                print(f"held  {story}, {name}: {check(story)}")
                passed += 1
            except Wrong as wrong:
                print(f"FAIL  {story}, {name}: {wrong}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
