"""Random sequences of requests, each from its seed, and the shortest one that still differs."""
import random

from probes import APPLY, FUTURE, MERGE, STRATEGIC, UID, config_map, widget

NAMES = ("x", "y", "z")
APPLIED = ("v", "w")  # what is applied is not updated: our owners begin with the first apply
PLAIN = "s"  # a custom resource without any of OWNED, whose status is written in all ways: D13
STEPS_MAX = 30
APPLYING_EACH = 10  # sequences, one mostly applies, to few objects, so that managers share fields
OWNED = ("labels", "annotations", "finalizers")  # a write of the status does not change these, but notes an owner: D13
JSON_PATCH = "application/json-patch+json"


class Draw:
    def __init__(self, seed):
        self.random, self.steps, self.watches = random.Random(seed), [], 0
        self.applying = seed % APPLYING_EACH == 7

    def one(self, *choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def earlier(self):
        return self.random.randrange(len(self.steps)) if self.steps else 0

    def revision(self, written=False):
        """A revision as clients have it, or none of theirs."""
        text = f"${{rv:{self.earlier()}}}"
        if self.chance(0.1):
            return self.one("0", "0", "abc") if not written else self.one("0", "1", "1000000007")
        return text if self.chance(0.85) else f"${{rv:{self.earlier()}-1}}"

    def collection(self):
        """(path, whether of custom resources)"""
        space = "@a" if self.applying else self.one("@a", "@a", "@b")
        if self.chance(0.35):
            return f"/apis/@group/v1/namespaces/{space}/widgets", True
        return f"/api/v1/namespaces/{space}/configmaps", False

    def metadata(self):
        made = {}
        if self.chance(0.4):
            made["labels"] = {"sel": self.one("p", "q")}
        if self.chance(0.2):
            made["finalizers"] = self.random.sample(["x.y/1", "x.y/2"], self.one(1, 2))
        if self.chance(0.1):
            made["annotations"] = {"note": self.one("1", "2")}
        return made

    def body(self, name, custom):
        metadata = self.metadata()
        if custom:
            status = {"status": {"s": self.one(1, 2)}} if self.chance(0.3) else {}
            return widget(name, {"size": self.one(1, 2, 3)}, metadata=metadata, **status)
        data = {key: self.one("1", "2") for key in "ab" if self.chance(0.6)}
        return config_map(name, data or None, **metadata)

    def create(self):
        path, custom = self.collection()
        body = self.body(self.one(*NAMES), custom)
        if self.chance(0.04):
            body["metadata"]["resourceVersion"] = self.revision(True)
        if self.chance(0.05):
            body["metadata"]["uid"] = UID
        return {"ask": f"POST {path}", "body": body}

    def update(self):
        path, custom = self.collection()
        name = self.one(*NAMES)
        body = self.body(name, custom)
        if self.chance(0.6):
            body["metadata"]["resourceVersion"] = self.revision(True)
        if self.chance(0.1):
            body["metadata"]["uid"] = self.one(UID, f"${{uid:{self.earlier()}}}")
        status = "/status" if custom and self.chance(0.25) else ""
        if status:  # D13: what a PUT leaves out it would take from its owner
            metadata = {key: value for key, value in body["metadata"].items() if key not in OWNED}
            return {"ask": f"PATCH {path}/{name}/status", "body": {**body, "metadata": metadata}, "type": MERGE}
        return {"ask": f"PUT {path}/{name}", "body": body}

    def patch(self):
        path, custom = self.collection()
        name = self.one(*NAMES)
        if self.chance(0.15):
            place = "/spec/size" if custom else "/data/a"
            operation = self.one("replace", "test", "remove", "add")
            value = {} if operation == "remove" else {"value": self.one(1, 2) if custom else self.one("1", "2")}
            return {"ask": f"PATCH {path}/{name}", "body": [{"op": operation, "path": place, **value}], "type": JSON_PATCH}
        body = {}
        if self.chance(0.6):
            body["spec" if custom else "data"] = {"size": self.one(1, 2)} if custom else {self.one("a", "b"): self.one("1", "2", None)}
        if self.chance(0.5):
            body["metadata"] = self.one(
                {"labels": {"sel": self.one("p", "q", None)}}, {"finalizers": self.one(None, ["x.y/1"], ["x.y/2"])},
                {"resourceVersion": self.revision(True)}, {"annotations": {"note": self.one("1", None)}},
            )  # fmt: skip
        if custom and self.chance(0.2):
            body["status"] = {"s": self.one(1, 2)}
        status = "/status" if custom and self.chance(0.2) else ""
        if status:
            for member in OWNED:
                body.get("metadata", {}).pop(member, None)
        return {"ask": f"PATCH {path}/{name}{status}", "body": body, "type": self.one(MERGE, MERGE, MERGE, STRATEGIC)}

    def status(self):
        """Writes of the status of a custom resource that has no labels, annotations and finalizers."""
        path = f"/apis/@group/v1/namespaces/{self.one('@a', '@b')}/widgets"
        if self.chance(0.3):
            status = {"status": {"s": self.one(1, 2)}} if self.chance(0.5) else {}
            return {"ask": f"POST {path}", "body": widget(PLAIN, {"size": self.one(1, 2, 3)}, **status)}
        body = widget(PLAIN, {"size": self.one(1, 2, 3)}, status={"s": self.one(1, 2, 3)})
        if self.chance(0.8):
            body["metadata"]["resourceVersion"] = self.revision(True)
        if self.chance(0.15):
            body["metadata"]["uid"] = self.one(UID, f"${{uid:{self.earlier()}}}")
        if self.chance(0.15):
            body.pop(self.one("spec", "status"))
        part = self.one("/status", "/status", "/status", "")
        if self.chance(0.6):
            return {"ask": f"PUT {path}/{PLAIN}{part}", "body": body}
        return {"ask": f"PATCH {path}/{PLAIN}{part}", "body": body, "type": MERGE}

    def apply(self):
        path, custom = self.collection()
        name = APPLIED[0] if self.applying else self.one(*APPLIED)
        if custom and self.chance(0.25):
            body = {**widget(name), "status": {self.one("s", "t"): self.one(1, 2)}}
            body.pop("spec")  # U9: whether one that differs is a write depends on the seconds of the writes before
            if self.applying and self.chance(0.2):
                body["status"] = {}
            force = "&force=true" if self.chance(0.4) else ""
            return {"ask": f"PATCH {path}/{name}/status?fieldManager={self.one('m1', 'm2')}{force}", "body": body, "type": APPLY}
        body = self.body(name, custom)
        body.pop("status", None)
        manager = self.one("m1", "m2")
        if self.applying and self.chance(0.25):
            self.empty(body, custom, manager)
        if self.chance(0.1):
            body["metadata"]["resourceVersion"] = self.revision(True)
        force = "&force=true" if self.chance(0.4) else ""
        return {"ask": f"PATCH {path}/{name}?fieldManager={manager}{force}", "body": body, "type": APPLY}

    def empty(self, body, custom, manager):
        """Empties what the manager asks for. What a server does not keep empty must come with a change, for else it
        depends on the seconds of the writes before whether it is one (U9)."""
        if custom:
            body["spec"] = self.one({}, {"in": {}}, {"in": {"size": 1}})
            return
        body["data"] = {}
        body["metadata"]["labels"] = {manager: str(len(self.steps))}
        if self.chance(0.3):
            body["metadata"]["finalizers"] = []

    def delete(self):
        path, _ = self.collection()
        if self.chance(0.12):
            return {"ask": f"DELETE {path}" + self.one("", "?labelSelector=sel%3Dp")}
        body = {}
        if self.chance(0.25):
            body["preconditions"] = self.one({"uid": UID}, {"uid": f"${{uid:{self.earlier()}}}"}, {"resourceVersion": self.revision(True)})
        if self.chance(0.15):
            body["propagationPolicy"] = self.one("Foreground", "Orphan", "Background")
        return {"ask": f"DELETE {path}/{self.one(*NAMES, *APPLIED, PLAIN)}", **({"body": body} if body else {})}

    def selector(self):
        return self.one(
            "labelSelector=sel%3Dp", "labelSelector=sel%21%3Dp", "labelSelector=sel%20in%20%28p%2Cq%29", "labelSelector=%21sel",
            "fieldSelector=metadata.name%3Dx", "fieldSelector=metadata.name%21%3Dx",
        )  # fmt: skip

    def read_path(self):
        path, custom = self.collection()
        return "/apis/@group/v1/widgets" if custom and self.chance(0.4) else path

    def list(self):
        query = []
        if self.chance(0.3):
            query.append(f"limit={self.one(1, 2, 3)}")
        if self.chance(0.25):
            query.append(f"continue=${{continue:{self.earlier()}}}")
            if self.chance(0.3):
                query.append("resourceVersion=0")
        elif self.chance(0.5):
            query.append(f"resourceVersion={self.revision()}")
            if self.chance(0.5):
                query.append("resourceVersionMatch=" + self.one("Exact", "NotOlderThan"))
        if self.chance(0.3):
            query.append(self.selector())
        if self.chance(0.02):
            query.append("sendInitialEvents=true")
        return {"ask": f"GET {self.read_path()}" + ("?" + "&".join(query) if query else "")}

    def get(self):
        path, _ = self.collection()
        revision = f"?resourceVersion={self.revision()}" if self.chance(0.3) else ""
        return {"ask": f"GET {path}/{self.one(*NAMES, *APPLIED)}{revision}"}

    def watch(self):
        query = ["watch=" + self.one("true", "1", "yes")]
        if self.chance(0.7):
            query.append(f"resourceVersion={self.revision()}")
        if self.chance(0.3):
            query.append("sendInitialEvents=" + self.one("true", "true", "false"))
        if self.chance(0.3):
            query.append("resourceVersionMatch=NotOlderThan")
        if self.chance(0.4):
            query.append("allowWatchBookmarks=true")
        if self.chance(0.03):
            query.append(f"continue=${{continue:{self.earlier()}}}")
        if self.chance(0.3):
            query.append(self.one("labelSelector=sel%3Dp", "labelSelector=sel%20in%20%28p%2Cq%29", "fieldSelector=metadata.name%3Dx"))
        self.watches += 1
        return {"watch": f"w{self.watches}", "path": f"{self.read_path()}?{'&'.join(query)}"}


KINDS = (
    ("create", 18), ("update", 13), ("patch", 13), ("apply", 10), ("status", 6), ("delete", 12), ("list", 15), ("get", 5), ("watch", 8),
)  # fmt: skip


APPLYING = {"apply": 100, "get": 10}


def sequence(seed):
    draw = Draw(seed)
    kinds = {**dict(KINDS), **(APPLYING if draw.applying else {})}
    compacts = seed % 25 == 0
    restarts = seed % 100 == 0
    for _ in range(draw.random.randint(8, STEPS_MAX)):
        kind = draw.random.choices(list(kinds), list(kinds.values()))[0]
        step = getattr(draw, kind)()
        if draw.chance(0.5):
            step["as"] = "other"
        draw.steps.append(step)
    if compacts or restarts:
        draw.steps.insert(draw.random.randrange(5, len(draw.steps)), {"do": "restart" if restarts else "compact"})
    return draw.steps


def without(steps, first, count):
    """The sequence without some steps; what speaks of later ones is numbered anew."""
    kept = [number for number in range(len(steps)) if not first <= number < first + count]
    places = {number: place for place, number in enumerate(kept)}

    def text(value):
        if isinstance(value, dict):
            return {key: text(each) for key, each in value.items()}
        if isinstance(value, list):
            return [text(each) for each in value]
        if not isinstance(value, str):
            return value
        for what in ("rv", "uid", "continue"):
            pieces = value.split("${" + what + ":")
            value = pieces[0]
            for piece in pieces[1:]:
                digits = len(piece) - len(piece.lstrip("0123456789"))
                value += "${" + what + ":" + str(places.get(int(piece[:digits]), 999)) + piece[digits:]
        return value

    return [text(steps[number]) for number in kept]


def shrunk(steps, differs):
    """As few steps as possible that still differ, by taking out halves, quarters, … and at last single ones."""
    size = max(1, len(steps) // 2)
    while True:
        first, found = 0, False
        while first < len(steps):
            shorter = without(steps, first, size)
            if shorter and differs(shorter):
                steps, found = shorter, True
            else:
                first += size
        if size == 1 and not found:
            return steps
        size = max(1, size // 2) if size > 1 else 1
