"""Brings what a server said into a form in which two servers can be compared.

Uids and times become their names, revisions the number of the write that they belong to: r3 is the third revision that
an object of this sequence had, and what is between r3 and r4, as the revision of a list may be, is r3 as well.
"""
import base64
import json
import re

FUTURE = 1000000000
# What is passed over, because it is known to differ: docs/conformance.md, D1 and the rows after it.
NOT_METADATA = {"deletionGracePeriodSeconds", "selfLink"}  # D1, D9
NAME_LABEL = "kubernetes.io/metadata.name"
CONTENTS = ["watchlab/contents"]
BUILT_IN = "v1"  # apiVersion of the lists whose items do not say their kind, D2
# The only messages about requests that cannot be read which are compared to the letter.
COMPARED = ("invalid ", "specifying ", "strconv.", "the name", "metadata.", "415:", "Incorrect version")
WORDY = {"BadRequest", "NotAcceptable", "UnsupportedMediaType"}
TIMES = {"creationTimestamp", "deletionTimestamp", "time", "lastTransitionTime"}
UID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
BASE_MAX, GENERATED = 58, re.compile("[bcdfghjklmnpqrstvwxz2456789]{5}")
AGE = re.compile(r"\d+s")
# Numbers in messages that are revisions.
REVISIONS = re.compile(
    r"(too old resource version: |Too large resource version: |current: |\(|the ResourceVersion in record \()(\d+)(?=[), ]|$)"
)


def objects_in(value):
    """All that has metadata with a name, however deep."""
    if isinstance(value, dict):
        metadata = value.get("metadata")
        if isinstance(metadata, dict) and "name" in metadata and "resourceVersion" in metadata:
            yield metadata
        for each in value.values():
            yield from objects_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from objects_in(each)


def number_of(text):
    return int(text) if str(text).isdigit() else 0


def revision_of(value):
    """That of an object, a list or the object of an event, or 0."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    return number_of(metadata.get("resourceVersion")) if isinstance(metadata, dict) else 0


def asked_revision(path):
    found = re.search(r"[?&]resourceVersion=(\d+)", path or "")
    return int(found.group(1)) if found else 0


class Normal:
    """`early`: whether the server may send bookmarks by its clock within the seconds of a sequence, N5."""

    def __init__(self, played, prefix, group, early=False):
        self.played, self.prefix, self.group, self.early, self.uids = played, prefix, group, early, {}
        revisions = {int(m["resourceVersion"]) for m in objects_in(played) if self.is_ours(m)}
        self.revisions = sorted(revisions)

    def is_ours(self, metadata):
        own = metadata.get("namespace", metadata["name"])
        return str(own).startswith(self.prefix) and str(metadata["resourceVersion"]).isdigit()

    def revision(self, text):
        if not str(text).isdigit():
            return text
        number = int(text)
        if number <= 10:  # what was asked for as it stands
            return text
        if number >= FUTURE:
            return "future"
        return f"r{sum(1 for each in self.revisions if each <= number)}"

    def token(self, text):
        try:
            content = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            start = self.text(content["start"]).removeprefix("/")  # D12
            return {"v": content["v"], "rv": self.revision(content["rv"]), "start": start}
        except (ValueError, KeyError):
            return text

    def text(self, text):
        text = text.replace(self.group, "@group").replace(self.prefix, "@")
        text = UID.sub(lambda match: self.uid(match.group()), text)

        def named(match):
            name = "r0" if match.group(1) == "(" and int(match.group(2)) <= 10 else self.revision(match.group(2))
            return match.group(1) + str(name)

        return REVISIONS.sub(named, text)

    def uid(self, text):
        return self.uids.setdefault(text, f"uid-{len(self.uids) + 1}") if UID.fullmatch(text) else text

    def managers(self, entries):
        """Who has applied what, D4."""
        applied = [each for each in entries if each.get("operation") == "Apply"]
        places = [tuple(str(each.get(key, "")) for key in ("time", "manager", "apiVersion", "subresource")) for each in applied]
        # They stand in the order of the seconds in which they wrote, and these are not the same for both servers.
        order = [] if places == sorted(places) else ["not in the order of their times"]
        owners = [[each.get("manager"), each["fieldsV1"]] + [each[k] for k in ("subresource",) if k in each] for each in applied]
        return order + sorted(owners, key=json.dumps)

    def metadata(self, value):
        """Without what only one of the servers keeps: D1, D8, D9. The end of a name that the server makes is drawn."""
        base = str(value.get("generateName", ""))[:BASE_MAX]
        if base and GENERATED.fullmatch(str(value.get("name", ""))[len(base) :]):
            value = {**value, "name": base + "*****"}
        made = {k: v for k, v in value.items() if k not in NOT_METADATA and not (k == "finalizers" and v == CONTENTS)}
        if NAME_LABEL in (made.get("labels") or {}):
            made["labels"] = {k: v for k, v in made["labels"].items() if k != NAME_LABEL}
            if not made["labels"]:
                made.pop("labels")
        made = {self.text(k): self.value(k, v) for k, v in made.items() if not (k in TIMES and v is None)}  # D14
        return {k: v for k, v in made.items() if not (k == "managedFields" and not v)}

    def listed(self, value):
        """A list: D2 and D3."""
        made = dict(value)
        if value.get("apiVersion") == BUILT_IN:
            made["items"] = [{k: v for k, v in each.items() if k not in ("kind", "apiVersion")} for each in value["items"] or []]
        elif value["metadata"].get("continue") == "":
            made["metadata"] = {k: v for k, v in value["metadata"].items() if k != "continue"}
        return made

    def table(self, value):
        """A table: D7, and how old its objects are, which its last column says."""
        made = dict(value)
        if "columnDefinitions" in value:
            made["columnDefinitions"] = [{k: v for k, v in each.items() if k != "description"} for each in value["columnDefinitions"] or []]
        rows = [dict(each) for each in value.get("rows") or []]
        for row in rows:
            cells = row.get("cells") or []
            row["cells"] = cells[:-1] + ["age" if AGE.fullmatch(str(each)) else each for each in cells[-1:]]
        return {**made, "rows": rows}

    def value(self, key, value):
        if key == "managedFields" and isinstance(value, list):
            return self.managers(value)
        if key == "metadata" and isinstance(value, dict):
            return self.metadata(value)
        if isinstance(value, dict):
            kind = str(value.get("kind"))
            if kind.endswith("List") and "items" in value:
                value = self.listed(value)
            elif kind == "Table":
                value = self.table(value)
            elif kind == "Namespace" and value.get("status", {}).get("phase") in ("Active", "Terminating"):
                value = {**value, "status": {k: v for k, v in value["status"].items() if k != "phase"}}  # D8
            made = {self.text(k): self.value(k, v) for k, v in value.items()}
            return self.without_words(made) if kind == "Status" else made
        if isinstance(value, list):
            return [self.value("", each) for each in value]
        if key == "resourceVersion":
            return self.revision(value)
        if key in TIMES and value:
            return "time"
        if key == "continue" and isinstance(value, str):
            return self.token(value)
        if isinstance(value, str):
            return self.text(value)
        return value

    def without_words(self, status):
        message = str(status.get("message", ""))
        if status.get("details") == {}:
            status.pop("details")  # D6
        if status.get("reason") in WORDY and not message.startswith(COMPARED):
            status["message"] = "words"  # D5
        if "RFC 1123" in message:
            status["message"] = "words about a name"
            for cause in status.get("details", {}).get("causes", []):
                cause["message"] = "words about a name"
        return status

    def answer(self, answer):
        if answer is None:
            return None
        fields = {name: self.text(answer["fields"][name]) for name in ("content-type", "retry-after", "warning", "cache-control") if name in answer["fields"]}
        return {"code": answer["code"], "fields": fields, "body": self.value("", answer["body"])}

    def events(self, watch, step):
        """Without bookmarks by the clock where they may come, N5."""
        kept = []
        for place, event in enumerate(watch["events"]):
            normal = self.value("", event)
            if event.get("type") == "BOOKMARK":  # D15: members that the type always has, empty
                normal["object"] = {k: v for k, v in normal["object"].items() if v or k == "metadata"}
                if self.early and "allowWatchBookmarks" in step["path"] and is_bare(normal["object"]) and self.is_possible(watch, place):
                    continue
            kept.append(normal)
        return kept

    def is_possible(self, watch, place):
        """Whether a bookmark is as high as all before it and as what was asked for, and lower than what comes behind it."""
        revisions = [revision_of(each.get("object")) for each in watch["events"]]
        later = [revision for revision, each in zip(revisions[place + 1 :], watch["events"][place + 1 :]) if revision and each["type"] != "BOOKMARK"]
        return max([asked_revision(watch.get("asked"))] + revisions[:place]) <= revisions[place] < min(later, default=FUTURE * 10)


def is_bare(value):
    """Whether a bookmark says its revision and nothing else; as a table, in its one row."""
    if value.get("kind") == "Table" and len(value.get("rows", [])) == 1:
        row = value["rows"][0].get("object", {})
        return set(row.get("metadata", {})) == {"resourceVersion"} and set(value.get("metadata", {})) == {"resourceVersion"}
    return set(value) <= {"kind", "apiVersion", "metadata"} and set(value.get("metadata", {})) == {"resourceVersion"}


def member_of(value, path):
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def normalized(steps, played, prefix, group, early=False):
    normal = Normal(played, prefix, group, early)
    restarts = [number for number, step in enumerate(steps) if step.get("do") == "restart"]
    opened = {step["watch"]: (number, step) for number, step in enumerate(steps) if "watch" in step}
    for name, watch in played["watches"].items():
        if watch["end"] == "cut" and any(opened[name][0] < number for number in restarts):
            watch["end"] = "closed"  # N8: a server that stops ends what it can in the time that it has
    answers = [normal.answer(each) for each in played["answers"]]
    for step, answer in zip(steps, answers):
        if step.get("ignored") or step.get("head_only"):
            answer.pop("body")
        if "members" in step:
            answer["body"] = {path: member_of(answer["body"], path) for path in step["members"]}
        if step.get("ignored"):
            answer.pop("fields")
    return {
        "answers": answers,
        "watches": {
            name: {"events": normal.events(watch, opened[name][1]), "end": watch["end"]}
            for name, watch in played["watches"].items()
        },
    }


def differences(ours, theirs, path=""):
    """Where two normalized values differ: (path, ours, theirs)."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            yield from differences(ours.get(key, "nothing"), theirs.get(key, "nothing"), f"{path}/{key}")
    elif isinstance(ours, list) and isinstance(theirs, list):
        for number in range(max(len(ours), len(theirs))):
            one = ours[number] if number < len(ours) else "nothing"
            other = theirs[number] if number < len(theirs) else "nothing"
            yield from differences(one, other, f"{path}/{number}")
    elif ours != theirs:
        yield path, ours, theirs
