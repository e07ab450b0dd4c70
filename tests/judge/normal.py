"""Brings what a server said into a form in which two servers can be compared.

Uids and times become their names, revisions the number of the write that they belong to: r3 is the third revision that
an object of this sequence had, and what is between r3 and r4, as the revision of a list may be, is r3 as well.
"""
import base64
import json
import re

FUTURE = 1000000000
# What is passed over, because it is known to differ: docs/apiserver_conformance.md, D1 and the rows after it.
PASSED_OVER = {"deletionGracePeriodSeconds", "selfLink", "description"}
NAME_LABEL = "kubernetes.io/metadata.name"
# The only messages about requests that cannot be read which are compared to the letter.
COMPARED = ("invalid ", "specifying ", "strconv.", "the name", "metadata.", "415:", "Incorrect version")
WORDY = {"BadRequest", "NotAcceptable", "UnsupportedMediaType"}
TIMES = {"creationTimestamp", "deletionTimestamp", "time", "lastTransitionTime"}
UID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
MAPS = {"f:metadata", "f:labels", "f:annotations", "f:finalizers", "f:spec", "f:data"}  # that have owners themselves: D10
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


class Normal:
    def __init__(self, played, prefix, group):
        self.prefix, self.group, self.uids = prefix, group, {}
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
        """Who has applied what, D4; without the dots that say of a map that it is owned itself, D10."""

        def bare(fields):
            kept = {key: bare(value) for key, value in fields.items() if key != "."}
            return {key: value for key, value in kept.items() if value or key not in MAPS}

        # They stand in the order of the seconds in which they wrote, which are not the same for both servers.
        owners = [[each.get("manager"), bare(each["fieldsV1"])] for each in entries if each.get("operation") == "Apply"]
        return sorted(each for each in owners if each[1])

    def value(self, key, value):
        if key == "managedFields" and isinstance(value, list):
            return self.managers(value)
        if isinstance(value, dict):
            made = {self.text(k): self.value(k, v) for k, v in value.items() if not self.is_passed_over(k, v)}
            made = {k: v for k, v in made.items() if not (k in ("managedFields", "details", "labels") and not v)}
            return self.without_words(made) if made.get("kind") == "Status" else made
        if key == "items" and isinstance(value, list):  # the real server's say their kind only where it is a custom one
            return [self.value("", {k: v for k, v in each.items() if k not in ("kind", "apiVersion")}) for each in value]
        if key == "cells":
            return ["age" if AGE.fullmatch(str(each)) else each for each in value]
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

    def is_passed_over(self, key, value):
        if key in PASSED_OVER or key == NAME_LABEL or (key == "continue" and value == ""):
            return True
        if key == "finalizers" and value == ["watchlab/contents"]:
            return True
        return (key == "phase" and value in ("Active", "Terminating")) or (key in TIMES and value is None)

    def without_words(self, status):
        message = str(status.get("message", ""))
        if status.get("reason") in WORDY and not message.startswith(COMPARED):
            status["message"] = "words"
        if "RFC 1123" in message:
            status["message"] = "words about a name"
            for cause in status.get("details", {}).get("causes", []):
                cause["message"] = "words about a name"
        return status

    def answer(self, answer, step):
        if answer is None:
            return None
        body = self.value("", answer["body"])
        if is_of_any_state(step) and isinstance(body, dict) and str(body.get("kind")).endswith("List"):
            body["metadata"]["resourceVersion"] = "any"
            if isinstance(body["metadata"].get("continue"), dict):
                body["metadata"]["continue"]["rv"] = "any"
        fields = {name: self.text(answer["fields"][name]) for name in ("content-type", "retry-after", "warning", "cache-control") if name in answer["fields"]}
        return {"code": answer["code"], "fields": fields, "body": body}

    def events(self, events, step):
        """Bookmarks that were asked for and come by the clock are left out, N5."""
        events = [self.value("", event) for event in events]
        if "allowWatchBookmarks" in step["path"]:
            events = [each for each in events if each.get("type") != "BOOKMARK" or "annotations" in each["object"]["metadata"]]
        for event in events:
            if event.get("type") == "BOOKMARK" and "resourceVersion=" in step["path"] and "metadata" in event["object"]:
                event["object"]["metadata"]["resourceVersion"] = "any"
        return events


def is_of_any_state(step):
    """Whether a list may show whatever the cache has: then its revision is that of the cache."""
    query = step.get("ask", "").partition("?")[2]
    exact = "=Exact" in query or ("limit=" in query and "Match=" not in query and "resourceVersion=0" not in query)
    return "resourceVersion=" in query and "continue=" not in query and not exact


def normalized(steps, played, prefix, group):
    normal = Normal(played, prefix, group)
    for watch in played["watches"].values():
        if watch["end"] == "cut" and any(step.get("do") == "restart" for step in steps):
            watch["end"] = "closed"  # a server that stops ends what it can in the time that it has
    answers = [normal.answer(each, step) for each, step in zip(played["answers"], steps)]
    opened = {step["watch"]: step for step in steps if "watch" in step}
    for step, answer in zip(steps, answers):
        if step.get("ignored") or step.get("head_only"):
            answer.pop("body")
        if step.get("ignored"):
            answer.pop("fields")
    return {
        "answers": answers,
        "watches": {
            name: {"events": normal.events(watch["events"], opened[name]), "end": watch["end"]}
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
