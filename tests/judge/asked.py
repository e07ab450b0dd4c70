"""What a real server was asked first, to see whether docs/apiserver_rules.md is right: each request has a name, and is compared alone.

`./dev judge asked` prints a line for each. Those that no sequence can ask the same way have a row of
docs/conformance.md or a probe of time instead, which ELSEWHERE names.
"""
from player import FUTURE
from probes import APPLY, LATEST, MAPS, MERGE, STRATEGIC, TABLE, UID, WIDGETS, Steps, config_map, token, widget

BEGINS_NOW = "&sendInitialEvents=false&resourceVersionMatch=NotOlderThan"
DEPLOYMENTS = "/apis/apps/v1/namespaces/@a/deployments"
SHOWN = ["metadata.generation", "metadata.labels", "spec.replicas"]
ELSEWHERE = {
    "5 and 9: after how many seconds": "timing: too-new-list, too-new-get, too-new-stream",
    "21 the paths below /watch/": "N10",
    "23 a namespace without contents": "D8",
    "g, g2, g3 the status of a Deployment that is created": "N1",
    "m a ConfigMap of more than 1 MiB": "N11",
    "20 bookmark before the deadline": "timing: last-bookmark, deadline",
    "l3 a wrong token": "N9",
    "h2 a member that the schema of a custom resource does not know": "N1",
    "h5 a value that its schema does not allow": "N1",
    "A, A2, A4 below a compaction that the apiserver does not know of": "N3",
    "bookmarks each minute, also of what is not written": "timing: bookmarks, bookmark-at-rest",
    "window of 100 events and 75 s": "timing: window",
    "slow consumer": "timing: slow-client",
}


class Asked(Steps):
    def name(self, name):
        """Gives the last step the name of a probe; its number."""
        self[-1]["probe"] = name
        return len(self) - 1

    def asks(self, name, *call, **more):
        self.ask(*call, **more)
        return self.name(name)

    def gets(self, name, query="", path=MAPS):
        self.get(query, path)
        return self.name(name)

    def watches(self, name, query, path=MAPS, **more):
        watch = self.watch(query, path, **more)
        self.name(name)
        return watch


def seven(steps):
    for number in range(7):
        steps.make(f"c{number}", {"i": str(number)}, labels={"par": str(number % 2)})
    return steps.gets("0")


def lists(steps):
    listed = seven(steps)
    queries = (
        "resourceVersionMatch=Exact", "resourceVersionMatch=NotOlderThan&limit=2&continue=abc", "resourceVersionMatch=Exact&resourceVersion=0",
        "resourceVersionMatch=Wrong&resourceVersion=5", "sendInitialEvents=true",
        "sendInitialEvents=true&resourceVersion=5&resourceVersionMatch=NotOlderThan", "resourceVersion=abc", "resourceVersion=-1",
        "resourceVersion=007", "limit=-1", "limit=x", "timeoutSeconds=x", "labelSelector=a==b==c", "fieldSelector=data.i=1",
        "fieldSelector=metadata.name=c1", "limit=2&continue=abc",
    )  # fmt: skip
    for number, query in enumerate(queries):
        steps.gets(f"1.{number}", "?" + query)
    first = steps.gets("2", "?limit=2")
    rest = f"continue=${{continue:{first}}}"
    steps.gets("2b", f"?limit=2&{rest}")
    steps.gets("2c", f"?limit=2&resourceVersion=${{rv:{listed}}}&{rest}")
    steps.gets("2d", f"?limit=2&resourceVersion=0&{rest}")
    steps.gets("2e", "?limit=2&labelSelector=par%3D0")
    steps.gets("2f", "?limit=2&fieldSelector=metadata.name%3Dc0")
    steps.gets("2g", "?limit=4&labelSelector=par%3D0")
    contents = ({"rv": 0, "start": "c1\0"}, {"v": "meta.k8s.io/v2", "rv": 7, "start": "c1\0"}, {"rv": 7, "start": "../x"}, {"rv": 7},
                {"rv": -1, "start": "c3\0"}, {"rv": FUTURE, "start": "c3\0"})  # fmt: skip
    for number, content in enumerate(contents):
        steps.gets(f"2h.{number}", "?limit=2&continue=" + token(**content))
    steps.gets("3", "?limit=2&resourceVersion=0")
    steps.make("late")
    queries = ("limit=2&resourceVersion=R", "resourceVersion=R", "resourceVersion=R&resourceVersionMatch=Exact",
               "resourceVersion=R&resourceVersionMatch=NotOlderThan&limit=2", "resourceVersion=0&resourceVersionMatch=NotOlderThan",
               "resourceVersion=1&resourceVersionMatch=Exact")  # fmt: skip
    for number, query in enumerate(queries):
        steps.gets(f"4.{number}", "?" + query.replace("=R", f"=${{rv:{listed}}}"))
    steps.gets("4.6", "?resourceVersion=${rv:4}&resourceVersionMatch=Exact")
    for number, query in enumerate(("", "&resourceVersionMatch=Exact", "&limit=2")):
        steps.gets(f"5.{number}", f"?resourceVersion={FUTURE}{query}")
    for number, query in enumerate(("0", str(FUTURE), "abc", "1")):
        steps.gets(f"6.{number}", "?resourceVersion=" + query, MAPS + "/c1")
    steps.gets("6b", "", MAPS + "/none")
    steps.gets("6c", "?resourceVersion=0", MAPS + "/none")


def watches(steps):
    seven(steps)
    queries = ("&sendInitialEvents=true", "&resourceVersionMatch=NotOlderThan", "&resourceVersionMatch=NotOlderThan&resourceVersion=5",
               "&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=5", "&sendInitialEvents=false", BEGINS_NOW,
               "&resourceVersion=abc", "&limit=2&resourceVersion=0", "&continue=abc&resourceVersion=0", "&resourceVersion=-5")  # fmt: skip
    for number, query in enumerate(queries):
        steps.watches(f"7.{number}", query)
    queries = ("", "&resourceVersion=0", "&allowWatchBookmarks=true", "&resourceVersion=0&allowWatchBookmarks=true", f"&{LATEST}",
               f"&{LATEST}&resourceVersion=0", f"&{LATEST}&resourceVersion=1", "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")  # fmt: skip
    for number, query in enumerate(queries):
        steps.watches(f"8.{number}", query)
    steps.watches("10", "&resourceVersion=${rv:4}")
    steps.watches("11", "&labelSelector=sel%3Dx")
    for body in ({"metadata": {"labels": {"sel": "x"}}}, {"data": {"i": "11"}}, {"metadata": {"labels": {"sel": "y"}}, "data": {"i": "12"}},
                 {"metadata": {"labels": {"sel": "x"}}}):  # fmt: skip
        steps.patch("c1", body)
    steps.ask(f"DELETE {MAPS}/c1")
    for word in ("1", "True", "TRUE", "yes"):
        steps.append({"watch": f"w22-{word}", "path": f"{MAPS}?watch={word}", "probe": f"22 {word}"})
    steps.gets("22 0", "?resourceVersion=0&watch=0")
    steps.watches("19", "&allowWatchBookmarks=true", accept=TABLE)
    steps.watches("d", "", MAPS + "/c0")
    steps.append({"watch": "wd2", "path": f"{MAPS}/c0?watch=true&resourceVersion=0&timeoutSeconds=1", "probe": "d2"})
    steps.wait("wd2", 99)


def watches_to_come(steps):
    steps.make("a")
    steps.watches("9.0", f"&resourceVersion={FUTURE}")
    steps.watches("9.1", f"&resourceVersion={FUTURE}&{LATEST}")


def finalizers(steps):
    steps.watches("12e", BEGINS_NOW)
    steps.make("f", {"a": "1"}, finalizers=["x.y/z"])
    steps.asks("12a", f"DELETE {MAPS}/f")
    steps.asks("12b", f"DELETE {MAPS}/f")
    steps.patch("f", {"metadata": {"finalizers": ["x.y/z", "x.y/w"]}})
    steps.name("12c")
    steps.patch("f", {"metadata": {"finalizers": None}, "data": {"a": "2"}})
    steps.name("12d")
    steps.make("t", finalizers=["x.y/z"])
    steps.ask(f"DELETE {MAPS}/t")
    steps.asks("b", f"POST {MAPS}", config_map("t"))
    steps.asks("b2", f"PUT {MAPS}/t", config_map("t", {"still": "writable"}))
    steps.gets("b3", "", MAPS + "/t")
    for policy in ("Foreground", "Orphan", "Background", "Nonsense"):
        steps.make("gc")
        steps.asks(f"f {policy}", f"DELETE {MAPS}/gc", {"propagationPolicy": policy})
        steps.patch("gc", {"metadata": {"finalizers": None}})


def updates(steps):
    made = steps.make("c2", {"i": "2"})
    revision = f"${{rv:{made}}}"
    steps.asks("13", f"PUT {MAPS}/c2", config_map("c2", {"i": "2"}, resourceVersion=revision))
    steps.asks("13b", f"PUT {MAPS}/c2", config_map("c2", {"i": "x"}, resourceVersion=revision))
    steps.asks("13c", f"PUT {MAPS}/c2", config_map("c2", {"z": "1"}, resourceVersion=revision))
    steps.asks("13d", f"PUT {MAPS}/c2", config_map("c2", {"i": "y"}))
    steps.asks("13e", f"PUT {MAPS}/c2", config_map("c2", {"i": "z"}, uid=UID))
    steps.asks("13f", f"PUT {MAPS}/absent", config_map("absent"))
    steps.asks("13g", f"PUT {MAPS}/c2", config_map("other"))
    steps.asks("13h", f"PUT {MAPS}/absent", config_map("absent", uid=UID))
    steps.asks("13i", f"PUT {MAPS}/absent", config_map("absent", resourceVersion="5"))
    steps.asks("e", f"PUT {MAPS}/c2", config_map("c2", {"q": "1"}, resourceVersion="0"))
    steps.asks("k", f"PUT {MAPS}/c2", config_map("c2", {"a": "b"}, namespace="@a"))


def creates(steps):
    steps.make("c3")
    steps.asks("14", f"POST {MAPS}", config_map("n", resourceVersion="5"))
    steps.asks("14b", f"POST {MAPS}", config_map("c3"))
    steps.asks("14c", f"POST {MAPS}", {"metadata": {"generateName": "g-" * 40}})
    steps.asks("14d", f"POST {MAPS}", {"metadata": {}})
    steps.asks("14e", f"POST {MAPS}", config_map("Bad_Name"))
    steps.asks("14f", "POST /api/v1/namespaces/nowhere/configmaps", config_map("n"))
    steps.gets("c", "", "/api/v1/namespaces/nowhere/configmaps")
    steps.asks("14g", f"POST {MAPS}", config_map("n", namespace="other"))
    steps.asks("14h", f"POST {MAPS}", {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "n"}})
    steps.asks("14i", f"POST {MAPS}", "{bad")
    steps.asks("14j", f"POST {MAPS}", "x", type="text/plain")
    steps.asks("14k", f"GET {MAPS}", accept="text/html")
    steps.asks("14l", f"POST {MAPS}", config_map("nf") | {"foo": 1})
    steps.asks("14m", f"POST {MAPS}?fieldValidation=Strict", config_map("ng") | {"foo": 1})
    steps.asks("i", f"POST {MAPS}?dryRun=All", config_map("dry"))
    steps.gets("i, not kept", "", MAPS + "/dry")
    steps.asks("j", f"POST {MAPS}", config_map("own", uid="x", creationTimestamp="2001-01-01T00:00:00Z", generation=7, selfLink="y"))
    steps.patch("own", {"metadata": {"creationTimestamp": "2002-01-01T00:00:00Z", "generation": 9}})
    steps.name("j2")
    steps.patch("own", {"metadata": {"uid": "z"}})
    steps.name("j3")
    steps.asks("m2", f"POST {MAPS}", {"x": "${fill:3300000}"})


def deletes(steps):
    steps.make("c3")
    steps.asks("15", f"DELETE {MAPS}/c3", {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": UID}})
    steps.asks("15b", f"DELETE {MAPS}/c3", {"preconditions": {"resourceVersion": "1"}})
    steps.watches("15d", BEGINS_NOW)
    steps.asks("15c", f"DELETE {MAPS}/c3")
    steps.asks("15e", f"DELETE {MAPS}/c3")
    for number in range(4):
        steps.make(f"d{number}", labels={"par": str(number % 2)})
    steps.asks("18", f"DELETE {MAPS}?labelSelector=par%3D1")


def patches(steps):
    steps.make("c4", {"i": "4"})
    for name, body, kind, target in (
        ("16", {"metadata": {"resourceVersion": "1"}, "data": {"i": "9"}}, MERGE, "c4"), ("16b", {"data": {"i": "4"}}, MERGE, "c4"),
        ("16c", {"data": {}}, "application/json", "c4"), ("16d", {"data": {}}, MERGE, "absent"),
        ("16e", [{"op": "test", "path": "/data/i", "value": "77"}], "application/json-patch+json", "c4"),
        ("16f", [{"op": "remove", "path": "/data/none"}], "application/json-patch+json", "c4"),
    ):  # fmt: skip
        steps.patch(target, body, kind)
        steps.name(name)
    for name, query, data, more, target in (
        ("17", "", {"a": "1"}, {}, "ssa"), ("17b", "?fieldManager=m1", {"a": "1", "b": "1"}, {}, "ssa"),
        ("17c", "?fieldManager=m2", {"a": "2"}, {}, "ssa"), ("17d", "?fieldManager=m2&force=true", {"a": "2"}, {}, "ssa"),
        ("17e", "?fieldManager=m2&force=true", {"a": "2"}, {}, "ssa"), ("17f", "?fieldManager=m1", {}, {}, "ssa"),
        ("17g", "?fieldManager=m1", {"q": "1"}, {"resourceVersion": "1"}, "ssa"), ("17h", "?fieldManager=m1", {"q": "1"}, {"managedFields": []}, "ssa"),
        ("17i", "?fieldManager=m1", {"q": "1"}, {}, "zzz"),
    ):  # fmt: skip
        steps.asks(name, f"PATCH {MAPS}/ssa{query}", config_map(target, data, **more), type=APPLY)


def paths(steps):
    steps.make("c0")
    steps.gets("24", "", "/api/v1/namespaces/@a/nothings")
    steps.gets("24b", "", "/apis/no.such/v1/x")
    steps.asks("24c", f"POST {MAPS}/c0", {})
    steps.asks("24d", f"PUT {MAPS}", {})
    steps.asks("l", f"HEAD {MAPS}")
    steps.asks("l2", f"OPTIONS {MAPS}")
    steps.ask("POST /api/v1/namespaces", {"metadata": {"name": "@dying"}})
    steps.ask("POST /api/v1/namespaces/@dying/configmaps", config_map("kept", finalizers=["x.y/z"]))  # D8
    steps.asks("23", "DELETE /api/v1/namespaces/@dying")
    steps.asks("23b", "POST /api/v1/namespaces/@dying/configmaps", config_map("n"))
    for name in ("@a", "@a-b", "@ab"):
        steps.ask("POST /api/v1/namespaces", {"metadata": {"name": name}})
        steps.ask(f"POST /apis/@group/v1/namespaces/{name}/widgets", widget("z"))
    steps.gets("a", "?resourceVersion=0", "/apis/@group/v1/widgets")
    steps.gets("a2", "?limit=500", "/apis/@group/v1/widgets")


def types(steps):
    """Of Deployments, whose defaults ours does not know (N1), what the rules of generation and status say."""
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "x"}]}}
    made = {"metadata": {"name": "d"}, "spec": {"replicas": 1, "selector": {"matchLabels": {"a": "b"}}, "template": template}, "status": {"replicas": 7}}
    one = {"members": SHOWN}
    steps.asks("g", f"POST {DEPLOYMENTS}", made, **one)
    for name, target, body in (
        ("g2", "d", {"metadata": {"labels": {"l": "1"}}}), ("g3", "d", {"spec": {"replicas": 2}, "status": {"replicas": 9}}),
        ("g4", "d/status", {"spec": {"replicas": 5}, "status": {"replicas": 2}, "metadata": {"labels": {"l": "2"}}}),
    ):  # fmt: skip
        steps.asks(name, f"PATCH {DEPLOYMENTS}/{target}", body, type=MERGE, members=SHOWN + ["status.replicas"] * (name == "g4"))
    steps.ask(f"PATCH {DEPLOYMENTS}/d", {"metadata": {"finalizers": ["x.y/z"]}}, type=MERGE, **one)
    steps.asks("g5", f"DELETE {DEPLOYMENTS}/d", **one)
    steps.ask(f"PATCH {DEPLOYMENTS}/d", {"metadata": {"finalizers": None}}, type=MERGE, **one)
    steps.gets("h", "", WIDGETS)
    steps.asks("h2", f"POST {WIDGETS}", widget("w", status={"s": 1}))
    steps.asks("h3", f"PUT {WIDGETS}/w", widget("w"))
    steps.asks("h3b", f"PUT {WIDGETS}/w", widget("w", metadata={"resourceVersion": "1"}))
    steps.patch("w", {"spec": {"size": 2}}, STRATEGIC, WIDGETS)
    steps.name("h4")
    steps.asks("h6", f"DELETE {WIDGETS}/w")
    steps.asks("h7", f"POST {WIDGETS}", widget("w2", metadata={"resourceVersion": "3"}))
    steps.watches("h8", "&allowWatchBookmarks=true", WIDGETS)


def compacted(steps):
    for number in range(5):
        steps.make(f"p{number}")
    listed, first = steps.get(), steps.get("?limit=2")
    for number in range(5):
        steps.patch("p0", {"data": {"n": str(number)}})
    events = "/api/v1/namespaces/@a/events"
    steps.do("compact")
    steps.gets("A3", "?resourceVersion=3&resourceVersionMatch=Exact")
    steps.gets("A5", "?resourceVersion=3&resourceVersionMatch=Exact", events)
    steps.watches("A6", "&resourceVersion=3", events)
    steps.watches("A7", f"&{LATEST}", events)
    steps.gets("B", f"?resourceVersion=${{rv:{listed}}}&resourceVersionMatch=Exact")
    expired = steps.gets("B2", f"?limit=2&continue=${{continue:{first}}}")
    steps.ask(f"DELETE {MAPS}/p4")
    steps.gets("B3", f"?limit=3&continue=${{continue:{expired}}}")


def restarted(steps):
    for number in range(5):
        steps.make(f"p{number}")
    old, first = steps.get(), steps.get("?limit=2")
    steps.patch("p0", {"data": {"n": "0"}})
    steps.do("compact")
    for number in range(3):
        steps.patch("p1", {"data": {"n": str(number)}})
    last = steps.get()
    steps.patch("p2", {"data": {"n": "1"}})
    steps.do("restart")
    now = steps.get()
    steps.watches("C", f"&resourceVersion=${{rv:{last}}}")
    steps.watches("C2", f"&resourceVersion=${{rv:{now}}}")
    steps.gets("C3", f"?resourceVersion=${{rv:{last}}}&resourceVersionMatch=Exact")
    steps.gets("C4", f"?resourceVersion=${{rv:{old}}}&resourceVersionMatch=Exact")
    expired = steps.gets("C5", f"?limit=2&continue=${{continue:{first}}}")
    steps.gets("C6", f"?limit=2&continue=${{continue:{expired}}}")
    steps.watches("C7", f"&resourceVersion=${{rv:{last}}}&{LATEST}")
    steps.watches("C8", f"&resourceVersion=${{rv:{last}}}{BEGINS_NOW}")


def sequences():
    for make in (lists, watches, watches_to_come, finalizers, updates, creates, deletes, patches, paths, types, compacted, restarted):
        steps = Asked()
        make(steps)
        yield "asked_" + make.__name__, list(steps)
