"""Plays a sequence of requests to a server and writes down what came.

A sequence is a list of steps: {"ask": "GET /path", "body": …, "type": …, "accept": …, "as": client}, {"watch": NAME,
"path": …}, {"await": NAME, "events": N} or {"do": "compact" | "restart"}. In texts, @a is a namespace of this
sequence alone, @group the group of its custom resources, ${rv:3} the revision of what step 3 answered, ${rv:3-1} one
less, ${uid:3} and ${continue:3} likewise. What a step has not answered is the same for both servers.
"""
import json
import re
import socket
import threading
import time

JSON = "application/json"
QUIET = 0.25  # how long nothing comes, where nothing can be made to come
FUTURE = 1000000000
NOTHING = {"rv": "", "uid": "none", "continue": "none"}  # a revision is that from before the sequence


class Watch:
    """One open watch; a thread of its own reads it."""

    rests_for = 40  # seconds, after which a connection is given up

    def __init__(self, server, path, client, accept):
        self.path, self.events, self.end, self.seen, self.mark = path, [], "open", threading.Condition(), ""
        self.socket = server.socket()
        fields = {**server.fields, "Host": "localhost", "User-Agent": client, "Accept": accept}
        head = f"GET {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.socket.settimeout(self.rests_for)
        self.socket.sendall(head.encode() + b"\r\n")
        self.stream = self.socket.makefile("rb")
        status = self.stream.readline().decode()
        self.code = int(status.split()[1]) if status else 0
        self.fields = {}
        for line in iter(self.stream.readline, b"\r\n"):
            if not line:
                break
            name, _, value = line.decode().partition(":")
            self.fields[name.strip().lower()] = value.strip()
        self.body = None
        if self.fields.get("transfer-encoding") != "chunked":
            self.body = self.stream.read(int(self.fields.get("content-length", 0))).decode(errors="replace")
            self.close()
            return
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        end, rest = "cut", b""
        try:
            while True:
                line = self.stream.readline()
                if not line:
                    break
                size = int(line, 16)
                rest += self.stream.read(size)
                self.stream.readline()
                *lines, rest = rest.split(b"\n")
                with self.seen:
                    self.events += [json.loads(each) for each in lines]
                    self.seen.notify_all()
                if size == 0:
                    end = "closed"
                    break
        except (OSError, ValueError):
            pass
        with self.seen:
            if self.end == "open":
                self.end = end if end == "closed" or not rest else "torn"
            self.seen.notify_all()

    def until(self, done, seconds):
        with self.seen:
            return self.seen.wait_for(lambda: self.end != "open" or done(self.events), seconds)

    def close(self):
        """What came until now is all; what comes behind its mark are the marks of others."""
        with self.seen:
            marks = [number for number, event in enumerate(self.events) if self.mark and shows(event, self.mark)]
            self.kept, self.kept_end = self.events[: marks[0] + 1 if marks else None], self.end
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class Player:
    def __init__(self, server, prefix, group, do=None):
        self.server, self.prefix, self.group, self.do = server, prefix, group, do
        self.connections, self.answers, self.watches, self.base = {}, [], {}, "1"

    def text(self, text, written=False):
        def value_of(match):
            what, number, offset = match.group(1), int(match.group(2)), int(match.group(3) or 0)
            if what == "fill":
                return "y" * number
            body = self.answers[number]["body"] if number < len(self.answers) and self.answers[number] else None
            metadata = body.get("metadata") if isinstance(body, dict) else None
            value = (metadata or {}).get({"rv": "resourceVersion"}.get(what, what)) or NOTHING[what]
            value = value or self.base
            if what == "rv" and str((body or {}).get("kind") if isinstance(body, dict) else "").endswith("List"):
                # It may be higher than that of any write here: no object has it, nor does one less mean anything.
                return self.base if written else value
            if offset and written:  # what another sequence has written in between must not matter
                return str(max((each for each in self.revisions() if each < int(value)), default=self.base))
            return str(int(value) + offset) if offset else value

        text = re.sub(r"\$\{(\w+):(\d+)([+-]\d+)?\}", value_of, text)
        return text.replace("@group", self.group).replace("@", self.prefix)

    def revisions(self):
        """Those that objects of this sequence had until now."""
        for answer in self.answers:
            metadata = answer["body"].get("metadata") if answer and isinstance(answer["body"], dict) else None
            if isinstance(metadata, dict) and "name" in metadata and str(metadata.get("resourceVersion")).isdigit():
                yield int(metadata["resourceVersion"])

    def ask(self, method, path, body=None, media=JSON, client="judge", accept=JSON):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        fields = {**self.server.fields, "User-Agent": client, "Accept": accept}
        if body is not None:
            body = self.text(body, written=True).encode()
            fields["Content-Type"] = media
        attempt, until = 0, self.fills_until()
        while True:
            connection = self.connections.get(client) or self.server.connect()
            self.connections[client] = connection
            try:
                connection.request(method, path, body, fields)
                answer = connection.getresponse()
                text = answer.read().decode(errors="replace")
                if not fills(answer.status, text) or time.monotonic() > until:
                    break
                time.sleep(1)
            except Exception as problem:  # http.client has many, all about a connection that is no use any more
                connection.close()
                del self.connections[client]
                attempt += 1
                if attempt > 1:
                    return {"code": 0, "fields": {}, "body": repr(problem)}
        return {"code": answer.status, "fields": {k.lower(): v for k, v in answer.getheaders()}, "body": read_json(text)}

    def step(self, step):
        client = step.get("as", "judge") + "/1"
        if self.server.has_late_caches and ("watch" in step or "resourceVersion" in step.get("ask", "")):
            self.await_cache(self.text(step.get("path") or step["ask"].split(" ", 1)[1]))
        if "watch" in step:
            path, until = self.text(step["path"]), self.fills_until()
            watch = Watch(self.server, path, client, step.get("accept", JSON))
            while fills(watch.code, watch.body) and time.monotonic() <= until:
                time.sleep(1)
                watch = Watch(self.server, path, client, step.get("accept", JSON))
            watch.asked = step["path"]
            self.watches[step["watch"]] = watch
            if watch.body is not None:
                return {"code": watch.code, "fields": watch.fields, "body": read_json(watch.body)}
            return {"code": watch.code, "fields": watch.fields, "body": None}
        if "await" in step:
            self.watches[step["await"]].until(lambda events: len(events) >= step["events"], step.get("within", 10))
            return None
        if "do" in step:
            self.do(step["do"])
            for connection in self.connections.values():
                connection.close()
            self.connections = {}
            return None
        if "pause" in step:
            time.sleep(step["pause"])
            return None
        method, path = step["ask"].split(" ", 1)
        return self.ask(method, self.text(path), step.get("body"), step.get("type", JSON), client, step.get("accept", JSON))

    def await_cache(self, path):
        """A list of the newest state waits until the cache has all that was written: then it may be asked for less."""
        found = re.match(r"(/api/v1|/apis/[^/]+/v1)(?:/namespaces/[^/]+)?/([\w-]+)", path)
        if found and (found.group(2) != "namespaces"):
            self.ask("GET", f"{found.group(1)}/namespaces/{self.prefix}a/{found.group(2)}", client="cache")

    def fills_until(self):
        """Until when this server may say that its caches are not filled yet, N6."""
        return self.server.started + self.server.fills_within

    def play(self, steps):
        for step in steps:
            self.answers.append(self.step(step))
        self.settle()
        for watch in self.watches.values():
            if watch.body is None:
                watch.close()
        for connection in self.connections.values():
            connection.close()
        return {
            "answers": self.answers,
            "watches": {
                name: {"asked": watch.path, "events": watch.kept, "end": watch.kept_end}
                for name, watch in self.watches.items()
                if watch.body is None
            },
        }

    def settle(self):
        """Writes to each open watch what it must show, and waits until that is there: then all before it is, too."""
        for number, watch in enumerate(self.watches.values()):
            if watch.body is not None or watch.end != "open":
                continue
            mark = f"end-{number}"
            if str(FUTURE) in watch.asked:
                watch.until(lambda events: False, 4 if "sendInitialEvents=t" in watch.asked else QUIET)
            elif self.write_mark(watch, mark):
                watch.mark = mark
                watch.until(lambda events, mark=mark: any(shows(event, mark) for event in events), 10)
            else:
                watch.until(lambda events: False, QUIET)

    def write_mark(self, watch, mark):
        path, _, query = watch.asked.partition("?")
        path = self.text(path)
        if path.endswith("/events"):
            return False  # its schema wants more than the other kinds have
        if "/namespaces/" not in path:
            path = path.rsplit("/", 1)[0] + f"/namespaces/{self.prefix}a/" + path.rsplit("/", 1)[1]
        body = {"metadata": {"name": mark, "annotations": {"mark": mark}}}
        label = re.search(r"labelSelector=(\w+)(?:%3D|%20in%20%28)(\w+)", query)
        if label:
            body["metadata"]["labels"] = {label.group(1): label.group(2)}
        named = re.search(r"metadata.name%3D([\w-]+)", query)
        if named:
            body["metadata"]["name"] = named.group(1)
            patch = {"metadata": {"annotations": {"mark": mark}, **({"labels": body["metadata"]["labels"]} if label else {})}}
            answer = self.ask("PATCH", f"{path}/{named.group(1)}", patch, "application/merge-patch+json")
            if answer["code"] == 200:
                return True
        if "/apis/" in path:
            body |= {"apiVersion": f"{self.group}/v1", "kind": "Widget"}
        return self.ask("POST", path, body)["code"] == 201


def fills(code, text):
    return code == 429 and "re)initializing" in str(text)


def shows(event, mark):
    metadata = (event.get("object") or {}).get("metadata") or {}
    rows = (event.get("object") or {}).get("rows") or []
    shown = [metadata] + [((row.get("object") or {}).get("metadata") or {}) for row in rows]
    return any((each.get("annotations") or {}).get("mark") == mark for each in shown)


def read_json(text):
    try:
        return json.loads(text)
    except ValueError:
        return text
