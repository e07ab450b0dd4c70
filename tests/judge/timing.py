"""Rules about time, measured at both servers: how long something takes, or how much of it there is, and within what range.

Each probe works in a namespace of its own, and all of a server's run side by side: two minutes in all.
"""
import json
import threading
import time
from http.client import HTTPException

from player import Watch

JSON = "application/json"
MERGE = "application/merge-patch+json"
PAUSE = 85  # seconds, longer than what a window keeps events for


class Place:
    """A namespace of one probe."""

    def __init__(self, server, name):
        self.server, self.name = server, f"timing-{name}"
        server.ask("POST", "/api/v1/namespaces", json.dumps({"metadata": {"name": self.name}}))
        self.maps = f"/api/v1/namespaces/{self.name}/configmaps"
        self.connection = server.connect()

    def ask(self, method, path, body=None, media=JSON):
        for last in (False, True):
            try:
                self.connection.request(method, path, body and json.dumps(body), {**self.server.fields, "Content-Type": media})
                answer = self.connection.getresponse()
                return answer.status, json.loads(answer.read())
            except (OSError, HTTPException):  # a connection that has rested for too long
                self.connection.close()
                if last:
                    raise

    def write(self, name, **data):
        """Creates the map, or changes it; its revision."""
        code, made = self.ask("PATCH", f"{self.maps}/{name}", {"data": data}, MERGE)
        if code == 404:
            made = self.ask("POST", self.maps, {"metadata": {"name": name}, "data": data})[1]
        return int(made["metadata"]["resourceVersion"])

    def watch(self, query):
        return Watch(self.server, f"{self.maps}?watch=true&{query}", "judge/1", JSON)


def seconds_of(act):
    start = time.monotonic()
    act()
    return time.monotonic() - start


def until_end(watch, seconds):
    watch.until(lambda events: False, seconds)
    return watch.end


def too_new_list(place):
    future = place.write("a", i="1") + 100000
    return seconds_of(lambda: place.ask("GET", f"{place.maps}?resourceVersion={future}"))


def too_new_get(place):
    future = place.write("a", i="1") + 100000
    return seconds_of(lambda: place.ask("GET", f"{place.maps}/a?resourceVersion={future}"))


def too_new_stream(place):
    future = place.write("a", i="1") + 100000
    query = f"resourceVersion={future}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
    return seconds_of(lambda: place.watch(query).until(lambda events: events, 10))


def deadline(place):
    watch = place.watch("resourceVersion=0&timeoutSeconds=6")
    return seconds_of(lambda: until_end(watch, 20))


def last_bookmark(place):
    """Seconds between the last bookmark and the deadline."""
    watch = place.watch(f"resourceVersion={place.write('a', i='1')}&timeoutSeconds=9&allowWatchBookmarks=true")
    place.write("a", i="2")
    came = seconds_of(lambda: watch.until(lambda events: any(e["type"] == "BOOKMARK" for e in events), 20))
    return 9 - came


def bookmarks(place):
    """When the first and the second bookmark come, in a store that others write to."""
    watch = place.watch(f"resourceVersion={place.write('a', i='1')}&allowWatchBookmarks=true")
    start, times = time.monotonic(), []
    for count in (1, 2):
        while time.monotonic() - start < 135 and sum(e["type"] == "BOOKMARK" for e in watch.events) < count:
            place.write("a", i=str(time.monotonic()))
            watch.until(lambda events, count=count: sum(e["type"] == "BOOKMARK" for e in events) >= count, 5)
        times.append(time.monotonic() - start)
    return times


class Resting(Watch):
    rests_for = 120


def bookmark_at_rest(place):
    """When the first bookmark comes of a resource that nobody writes, in a store that others write to."""
    revision, pods = place.write("a", i="1"), place.maps.replace("configmaps", "pods")
    watch = Resting(place.server, f"{pods}?watch=true&resourceVersion={revision}&allowWatchBookmarks=true", "judge/1", JSON)
    start = time.monotonic()
    while time.monotonic() - start < 70 and not watch.events:
        place.write("a", i=str(time.monotonic()))
        watch.until(lambda events: events, 5)
    return time.monotonic() - start


def unasked_bookmarks(place):
    """How many come in 65 s to who did not ask for any."""
    watch = place.watch(f"resourceVersion={place.write('a', i='1')}")
    start = time.monotonic()
    while time.monotonic() - start < 65:  # a connection that rests for 40 s would be given up
        place.write("a", i=str(time.monotonic()))
        watch.until(lambda events: False, 5)
    return sum(e["type"] == "BOOKMARK" for e in watch.events)


def window(place):
    """How many changes a watch can begin behind: of 60 that are old and 90 that are not. Nobody else writes Secrets."""
    place.maps = place.maps.replace("configmaps", "secrets")
    revisions = [place.write("a", i=f"{number:04}") for number in range(60)]
    time.sleep(PAUSE)
    revisions += [place.write("a", i=f"{number:04}") for number in range(60, 150)]
    time.sleep(0.5)
    kept = 0
    for revision in reversed(revisions):
        watch = place.watch(f"resourceVersion={revision}")
        watch.until(lambda events: events, 0.3 if revision == revisions[-1] else 5)
        gone = any(event["type"] == "ERROR" for event in watch.events)
        watch.close()
        if gone:
            break
        kept += 1
    return kept


class Unread(Watch):
    """A watch whose client reads nothing until `read_now`."""

    def read(self):
        self.go = threading.Event()
        self.go.wait(120)
        super().read()


def slow_client(place):
    """MB that are written before the watch of a client that reads nothing has ended; what it got has no gap."""
    revision = place.write("big", i="0")
    watch = Unread(place.server, f"{place.maps}?watch=true&resourceVersion={revision}", "judge/1", JSON)
    text = "x" * 60000
    for number in range(1, 401):
        place.write("big", i=str(number), text=text)
    time.sleep(1)
    watch.go.set()
    until_end(watch, 30)
    numbers = [int(event["object"]["data"]["i"]) for event in watch.events if event["type"] != "ERROR"]
    if len(numbers) != len(watch.events) or numbers != list(range(1, len(numbers) + 1)) or watch.end == "open":
        return -1
    return len(numbers) * 60000 / 1e6


# name, what is measured, how, and the range for each number
PROBES = (
    ("too-new-list", "s until a list of a revision to come is 504 (L10, E4)", too_new_list, [(2.9, 4.0)]),
    ("too-new-get", "s until a GET of one is 504 (G3)", too_new_get, [(2.9, 4.0)]),
    ("too-new-stream", "s until a streamed list of one ends with an ERROR (W13)", too_new_stream, [(2.9, 4.0)]),
    ("deadline", "s that a watch with timeoutSeconds=6 lasts (W27)", deadline, [(5.5, 6.8)]),
    ("last-bookmark", "s between the last bookmark and the deadline (W22)", last_bookmark, [(0.9, 3.0)]),
    ("bookmarks", "s until the first and the second bookmark (W22)", bookmarks, [(50, 66), (105, 132)]),
    ("bookmark-at-rest", "s until the first bookmark of a resource that nobody writes (W22)", bookmark_at_rest, [(50, 66)]),
    ("unasked", "bookmarks in 65 s that were not asked for (W22)", unasked_bookmarks, [(0, 0)]),
    ("window", "changes that a watch can begin behind after a pause (W24)", window, [(98, 103)]),
    ("slow-client", "MB sent to a client that reads nothing before its watch ends (W26)", slow_client, [(0.1, 24)]),
)  # fmt: skip


def measure(servers, only):
    """Prints a line for each probe; the number of those outside their ranges."""
    chosen = [each for each in PROBES if not only or each[0] in only]
    found = {}

    def run(server, name, act):
        try:
            value = act(Place(server, name))
        except (OSError, ValueError, KeyError) as problem:
            value = repr(problem)
        found[server.name, name] = value if isinstance(value, list) else [value]

    threads = [threading.Thread(target=run, args=(server, name, act)) for server in servers for name, _, act, _ in chosen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = 0
    for name, about, _, ranges in chosen:
        good, shown = True, []
        for server in servers:
            values = found[server.name, name]
            inside = [isinstance(v, (int, float)) and low <= v <= high for v, (low, high) in zip(values, ranges)]
            good = good and len(values) == len(ranges) and all(inside)
            shown.append(server.name + " " + ", ".join(f"{v:.4g}" if isinstance(v, (int, float)) else v for v in values))
        failed += not good
        allowed = ", ".join(f"{low} to {high}" for low, high in ranges)
        print(f"{'pass' if good else 'FAIL'} {name}: {about}: {'; '.join(shown)} (allowed {allowed})")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return failed
