"""The fixed sequences: each asks a few things that docs/apiserver_rules.md speaks of, named before the colon."""
import base64
import json

from player import FUTURE

MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"
STRATEGIC = "application/strategic-merge-patch+json"
MAPS = "/api/v1/namespaces/@a/configmaps"
WIDGETS = "/apis/@group/v1/namespaces/@a/widgets"
UID = "11111111-1111-1111-1111-111111111111"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
LATEST = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"


def config_map(name, data=None, **metadata):
    made = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **metadata}}
    return made | ({"data": data} if data is not None else {})


def widget(name, spec=None, **more):
    metadata = {"name": name, **more.pop("metadata", {})}
    return {"apiVersion": "@group/v1", "kind": "Widget", "metadata": metadata, "spec": {"size": 1} if spec is None else spec, **more}


def token(**content):
    text = json.dumps({"v": "meta.k8s.io/v1", **content}, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


class Steps(list):
    """A sequence that is being written down; each method gives the number of its step."""

    def ask(self, text, body=None, **more):
        self.append({"ask": text, **({} if body is None else {"body": body}), **more})
        return len(self) - 1

    def get(self, query="", path=MAPS):
        return self.ask(f"GET {path}{query}")

    def make(self, name, data=None, **metadata):
        return self.ask(f"POST {MAPS}", config_map(name, data, **metadata))

    def patch(self, name, body, kind=MERGE, path=MAPS):
        return self.ask(f"PATCH {path}/{name}", body, type=kind)

    def watch(self, query, path=MAPS, **more):
        name = f"w{sum('watch' in each for each in self) + 1}"
        self.append({"watch": name, "path": f"{path}?watch=true{query}", **more})
        return name

    def wait(self, name, events, within=10):
        self.append({"await": name, "events": events, "within": within})

    def do(self, what):
        self.append({"do": what})


def seven(steps):
    for number in range(7):
        steps.make(f"c{number}", {"i": str(number)}, labels={"par": str(number % 2)})
    return steps.get()


def list_options(steps):
    seven(steps)
    for query in (
        "resourceVersionMatch=Exact", "resourceVersionMatch=NotOlderThan&limit=2&continue=abc",
        "resourceVersionMatch=Exact&resourceVersion=0", "resourceVersionMatch=Wrong&resourceVersion=5",
        "sendInitialEvents=true", "sendInitialEvents=true&resourceVersion=5&resourceVersionMatch=NotOlderThan",
        "resourceVersion=abc", "resourceVersion=-1", "resourceVersion=99999999999999999999", "limit=-1", "limit=x",
        "timeoutSeconds=x", "labelSelector=a==b==c", "fieldSelector=data.i=1", "fieldSelector=metadata.name=c1",
        "limit=2&continue=abc", "limit=2&continue=%25%25", "resourceVersion=00${rv:3}", "limit=2&resourceVersion=0",
        "labelSelector=par%3D1&limit=2", "labelSelector=par%20in%20%280%2C1%29", "labelSelector=%21par",
    ):  # fmt: skip
        steps.get("?" + query)


def pages(steps):
    listed = seven(steps)
    first = steps.get("?limit=2")
    rest = f"continue=${{continue:{first}}}"
    steps.get(f"?limit=2&{rest}")
    steps.get(f"?{rest}")
    steps.get(f"?limit=2&resourceVersion=${{rv:{listed}}}&{rest}")
    steps.get(f"?limit=2&resourceVersion=0&{rest}")
    steps.get("?limit=2&labelSelector=par%3D0")
    steps.get("?limit=2&fieldSelector=metadata.name%3Dc0")
    steps.get("?limit=4&labelSelector=par%3D0")
    steps.ask(f"DELETE {MAPS}/c3")
    steps.make("late")
    second = steps.get(f"?limit=2&{rest}")
    steps.get(f"?limit=9&continue=${{continue:{second}}}")


def tokens(steps):
    seven(steps)
    for content in (
        {"rv": 0, "start": "c1\0"}, {"rv": 7, "start": "../x"}, {"rv": 7, "start": "a//b"}, {"rv": 7}, {"rv": 7, "start": ""},
        {"rv": -1, "start": "c3\0"}, {"rv": -1, "start": "/c3\0"}, {"v": "meta.k8s.io/v2", "rv": 7, "start": "c1\0"},
    ):  # fmt: skip
        steps.get("?limit=2&continue=" + token(**content))
    steps.get("?limit=2&continue=" + token(rv=FUTURE, start="c3\0"))


def revisions_of_lists(steps):
    listed = seven(steps)
    steps.make("late")
    for query in (
        "limit=2&resourceVersion=R", "resourceVersion=R", "resourceVersion=R&resourceVersionMatch=Exact",
        "resourceVersion=R&resourceVersionMatch=NotOlderThan&limit=2", "resourceVersion=0&resourceVersionMatch=NotOlderThan",
        "resourceVersion=R&resourceVersionMatch=Exact&limit=3&labelSelector=par%3D1", "resourceVersion=0",
    ):  # fmt: skip
        steps.get("?" + query.replace("R", f"${{rv:{listed}}}") if "=R" in query else "?" + query)
    steps.get("?resourceVersion=${rv:4}&resourceVersionMatch=Exact")


def future_lists(steps):
    steps.make("a")
    for query in ("", "&resourceVersionMatch=Exact", "&limit=2", "&resourceVersionMatch=NotOlderThan&limit=2"):
        steps.get(f"?resourceVersion={FUTURE}{query}")


def gets(steps):
    steps.make("c1")
    for query in ("?resourceVersion=0", f"?resourceVersion={FUTURE}", "?resourceVersion=abc", "?resourceVersion=-1", "?resourceVersion=1", "?pretty=true"):
        steps.get(query, MAPS + "/c1")
    steps.get("", MAPS + "/none")
    steps.get("?resourceVersion=0", MAPS + "/none")
    steps.append({"watch": "w1", "path": f"{MAPS}/c1?watch=true&resourceVersion=0&timeoutSeconds=1"})
    steps.wait("w1", 99)


def watch_options(steps):
    steps.make("a")
    for query in (
        "sendInitialEvents=true", "resourceVersionMatch=NotOlderThan", "resourceVersionMatch=NotOlderThan&resourceVersion=5",
        "sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=5", "sendInitialEvents=false",
        "resourceVersion=abc", "continue=abc&resourceVersion=0", "resourceVersion=-5", "continue=abc",
        "resourceVersionMatch=Exact&resourceVersion=5", "sendInitialEvents=false&resourceVersion=5",
        "labelSelector=a==b==c", "fieldSelector=data.i=1", "timeoutSeconds=x",
    ):  # fmt: skip
        steps.get("?watch=true&" + query)
    steps.watch("&limit=2&resourceVersion=0")
    steps.watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")


def watch_beginnings(steps):
    seven(steps)
    for query in (
        "", "&resourceVersion=0", "&allowWatchBookmarks=true", "&resourceVersion=0&allowWatchBookmarks=true", f"&{LATEST}",
        f"&{LATEST}&resourceVersion=0", f"&{LATEST}&resourceVersion=1", "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
        "&resourceVersion=${rv:5}", "&resourceVersion=${rv:5}&allowWatchBookmarks=true",
        "&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=${rv:5}",
    ):  # fmt: skip
        steps.watch(query)
    steps.patch("c1", {"data": {"i": "11"}})
    steps.ask(f"DELETE {MAPS}/c2")


def future_watches(steps):
    steps.make("a")
    steps.watch(f"&resourceVersion={FUTURE}")
    steps.watch(f"&resourceVersion={FUTURE}&{LATEST}")


def flags(steps):
    steps.make("a")
    for word in ("1", "True", "yes", "no", "2", ""):
        steps.append({"watch": f"w-{word}", "path": f"{MAPS}?watch={word}&resourceVersion=0"})
    steps.get("?watch=0")
    steps.get("?watch=false")
    steps.append({"watch": "w-False", "path": f"{MAPS}?watch=False&resourceVersion=0"})
    steps.append({"watch": "w-bookmarks", "path": f"{MAPS}?watch=1&resourceVersion=0&allowWatchBookmarks=yes"})


def selectors_of_watches(steps):
    steps.make("c1", {"i": "1"})
    steps.watch("&labelSelector=sel%3Dx")
    steps.watch("&fieldSelector=metadata.name%3Dc1")
    for body in (
        {"metadata": {"labels": {"sel": "x"}}}, {"data": {"i": "11"}}, {"metadata": {"labels": {"sel": "y"}}, "data": {"i": "12"}},
        {"metadata": {"labels": {"sel": "x"}}}, {"metadata": {"labels": {"sel": None}}}, {"metadata": {"labels": {"sel": "x"}}},
    ):  # fmt: skip
        steps.patch("c1", body)
    steps.ask(f"DELETE {MAPS}/c1")


def finalizers(steps):
    steps.watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
    steps.make("f", {"a": "1"}, finalizers=["x.y/z"])
    steps.ask(f"DELETE {MAPS}/f")
    steps.ask(f"DELETE {MAPS}/f")
    steps.make("f")
    steps.patch("f", {"metadata": {"finalizers": ["x.y/z", "x.y/w"]}})
    steps.patch("f", {"metadata": {"finalizers": ["x.y/z", "x.y/w", "x.y/v"]}})
    steps.patch("f", {"data": {"still": "writable"}})
    steps.patch("f", {"metadata": {"finalizers": None}, "data": {"a": "2"}})
    steps.get("", MAPS + "/f")
    steps.make("t", finalizers=["x.y/z"])
    steps.ask(f"DELETE {MAPS}/t")
    steps.ask(f"PUT {MAPS}/t", config_map("t", {"still": "writable"}))
    steps.get("", MAPS + "/t")


def puts(steps):
    made = steps.make("c2", {"i": "1"})
    revision, uid = f"${{rv:{made}}}", f"${{uid:{made}}}"
    steps.ask(f"PUT {MAPS}/c2", config_map("c2", {"i": "1"}))
    steps.ask(f"PUT {MAPS}/c2", config_map("c2", {"i": "x"}, resourceVersion=revision))
    steps.ask(f"PUT {MAPS}/c2", config_map("c2", {"i": "y"}, resourceVersion=revision))
    steps.ask(f"PUT {MAPS}/c2", config_map("c2", {"i": "z"}, uid=uid))
    steps.ask(f"PUT {MAPS}/c2", config_map("c2", {"i": "z"}, uid=UID))
    steps.ask(f"PUT {MAPS}/c2", config_map("c2", {"q": "1"}, resourceVersion="0"))
    steps.ask(f"PUT {MAPS}/absent", config_map("absent"))
    steps.ask(f"PUT {MAPS}/c2", config_map("other"))
    steps.ask(f"PUT {MAPS}/absent", config_map("absent", uid=UID))
    steps.ask(f"PUT {MAPS}/absent", config_map("absent", resourceVersion="5"))
    steps.ask(f"PUT {MAPS}/c2", config_map("c2", {"q": "2"}, namespace="other"))


def posts(steps):
    steps.make("c3")
    steps.make("n", resourceVersion="5")
    steps.make("c3")
    steps.ask(f"POST {MAPS}", {"metadata": {}})
    steps.make("Bad_Name")
    steps.ask("POST /api/v1/namespaces/nowhere/configmaps", config_map("n"))
    steps.get("", "/api/v1/namespaces/nowhere/configmaps")
    steps.make("n", namespace="other")
    steps.ask(f"POST {MAPS}", {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "n"}})
    steps.ask(f"POST {MAPS}", "{bad")
    steps.ask(f"POST {MAPS}", "x", type="text/plain")
    steps.ask(f"GET {MAPS}", accept="text/html")
    steps.ask(f"POST {MAPS}", config_map("nf") | {"foo": 1})
    steps.ask(f"POST {MAPS}?fieldValidation=Strict", config_map("ng") | {"foo": 1})
    steps.make("own", uid="x", creationTimestamp="2001-01-01T00:00:00Z", generation=7, selfLink="y")
    steps.patch("own", {"metadata": {"creationTimestamp": "2002-01-01T00:00:00Z", "generation": 9}})
    steps.patch("own", {"metadata": {"uid": "z"}})
    steps.ask(f"POST {MAPS}?dryRun=All", config_map("dry"))
    steps.get("", MAPS + "/dry")


def deletes(steps):
    made = steps.make("c3", {"a": "1"})
    steps.ask(f"DELETE {MAPS}/c3", {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": UID}})
    steps.ask(f"DELETE {MAPS}/c3", {"preconditions": {"resourceVersion": "1"}})
    steps.watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
    steps.ask(f"DELETE {MAPS}/c3", {"preconditions": {"uid": f"${{uid:{made}}}", "resourceVersion": f"${{rv:{made}}}"}})
    steps.ask(f"DELETE {MAPS}/c3")
    for policy in ("Foreground", "Orphan", "Background", "Nonsense"):
        steps.make("gc")
        steps.ask(f"DELETE {MAPS}/gc", {"propagationPolicy": policy})
        steps.patch("gc", {"metadata": {"finalizers": None}})
    for number in range(3):
        steps.make(f"d{number}", labels={"par": str(number % 2)})
    steps.ask(f"DELETE {MAPS}?labelSelector=par%3D0")
    steps.get()


def patches(steps):
    steps.make("c4", {"i": "4"})
    steps.patch("c4", {"metadata": {"resourceVersion": "1"}, "data": {"i": "9"}})
    steps.patch("c4", {"data": {"i": "4"}})
    steps.patch("c4", {"data": {}}, "application/json")
    steps.patch("absent", {"data": {}})
    steps.patch("c4", [{"op": "test", "path": "/data/i", "value": "77"}], "application/json-patch+json")
    steps.patch("c4", [{"op": "remove", "path": "/data/none"}], "application/json-patch+json")
    steps.patch("c4", [{"op": "replace", "path": "/data/i", "value": "5"}], "application/json-patch+json")
    steps.patch("c4", {"data": {"j": "1", "i": None}}, STRATEGIC)
    steps.patch("c4", {"metadata": {"name": "other"}})
    steps.patch("c4", {"metadata": {"resourceVersion": "0"}, "data": {"k": "1"}})
    steps.patch("c4", {"metadata": {"uid": UID}})
    steps.patch("c4", "{bad")


def applies(steps):
    def apply(query, body, name="ssa"):
        return steps.ask(f"PATCH {MAPS}/{name}{query}", body, type=APPLY)

    apply("", config_map("ssa", {"a": "1"}))
    apply("?fieldManager=m1", config_map("ssa", {"a": "1", "b": "1"}))
    apply("?fieldManager=m2", config_map("ssa", {"a": "2"}))
    apply("?fieldManager=m2&force=true", config_map("ssa", {"a": "2"}))
    apply("?fieldManager=m2&force=true", config_map("ssa", {"a": "2"}))
    apply("?fieldManager=m1", config_map("ssa", {}))
    apply("?fieldManager=m1", config_map("ssa", {"q": "1"}, resourceVersion="1"))
    apply("?fieldManager=m1", config_map("ssa", {"q": "1"}, managedFields=[]))
    apply("?fieldManager=m1", config_map("zzz", {"q": "1"}))
    apply("?fieldManager=m1", config_map("ssa", {"q": "1"}, uid=UID))
    apply("?fieldManager=m1", config_map("new", {"q": "1"}, uid=UID), "new")


def shared_fields(steps):
    """What two managers have applied stays until both leave it out."""
    for path, made in ((f"{MAPS}/shared", config_map), (f"{WIDGETS}/shared", widget)):
        def apply(manager, values, path=path, made=made, **metadata):
            body = made("shared", values, **metadata) if made is config_map else made("shared", values, metadata=metadata)
            return steps.ask(f"PATCH {path}?fieldManager={manager}", body, type=APPLY)

        apply("m1", {"a": "1", "b": "1"}, labels={"sel": "p"}, finalizers=["x.y/1", "x.y/2"])
        apply("m2", {"a": "1"}, labels={"sel": "p"}, finalizers=["x.y/1"])
        apply("m1", {"b": "1"})
        steps.ask(f"GET {path}")
        apply("m2", {})
        apply("m1", {})


def owners(steps):
    """What updates own: of what was applied before and of what was not, whose first owner has another name here (D4)."""

    def apply(manager, name, data, **more):
        return steps.ask(f"PATCH {MAPS}/{name}?fieldManager={manager}", config_map(name, data), type=APPLY, **more)

    apply("m1", "a", {"a": "1"})
    steps.patch("a", {"data": {"b": "1"}})
    apply("m2", "a", {"b": "2"})
    steps.patch("a", {"data": {"a": "2"}})
    apply("m1", "a", {"a": "1"})
    code = {"members": ["code", "reason", "data"]}
    steps.make("b", {"a": "1"})
    apply("m1", "b", {"a": "2"}, **code)
    apply("m1&force=true", "b", {"a": "2"})
    steps.make("c", {"a": "1"})
    steps.patch("c", {"data": {"b": "1"}})
    apply("m1", "c", {"a": "2"}, **code)
    apply("m1", "c", {"b": "2"}, **code)


def applies_of_built_in(steps):
    """Of a Deployment, whose defaults ours does not know (N1), who owns what: not the status."""
    pod = {"containers": [{"name": "c", "image": "x"}], "volumes": [{"name": "v", "emptyDir": {"sizeLimit": "1Gi"}}]}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod}}
    body = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec, "status": {"replicas": 7}}
    steps.ask("PATCH /apis/apps/v1/namespaces/@a/deployments/d?fieldManager=m1", body, type=APPLY, members=["metadata.managedFields"])


def paths(steps):
    steps.make("c0")
    for text in (
        "GET /api/v1/namespaces/@a/nothings", "GET /apis/no.such/v1/x", "GET /apis/apps/v9/deployments", f"POST {MAPS}/c0",
        f"PUT {MAPS}", f"PATCH {MAPS}", "GET /nothing", f"GET {MAPS}/c0/none",
        "GET /api/v1/namespaces/@a/nodes", "GET /api/v1/namespaces/@a/namespaces",
    ):  # fmt: skip
        steps.ask(text, None if text.startswith("GET") else {})


def custom_resources(steps):
    steps.ask(f"POST {WIDGETS}", widget("w", status={"s": 1}))
    steps.watch("&allowWatchBookmarks=true", WIDGETS)
    steps.ask(f"PUT {WIDGETS}/w", widget("w"))
    steps.ask(f"PUT {WIDGETS}/w", widget("w", metadata={"resourceVersion": "1"}))
    steps.ask(f"PUT {WIDGETS}/w", widget("w", metadata={"resourceVersion": "0"}))
    steps.ask(f"PUT {WIDGETS}/w", widget("w", metadata={"resourceVersion": "${rv:0}"}, spec={"size": 2}))
    steps.patch("w", {"spec": {"size": 2}}, STRATEGIC, WIDGETS)
    steps.patch("w", {"metadata": {"labels": {"l": "1"}}}, path=WIDGETS)
    steps.patch("w", {"spec": {"size": 3}, "status": {"s": 9}}, path=WIDGETS)
    steps.patch("w/status", {"spec": {"size": 5}, "status": {"s": 2}, "metadata": {"labels": {"l": "2"}}}, path=WIDGETS)
    steps.patch("w", {"metadata": {"uid": UID}}, path=WIDGETS)
    steps.patch("w", {"metadata": {"finalizers": ["x.y/z"]}}, path=WIDGETS)
    steps.ask(f"DELETE {WIDGETS}/w")
    steps.patch("w", {"metadata": {"finalizers": ["x.y/z", "x.y/w"]}}, path=WIDGETS)
    steps.patch("w", {"metadata": {"finalizers": None}}, path=WIDGETS)
    steps.ask(f"POST {WIDGETS}", widget("w2", metadata={"resourceVersion": "3"}))
    steps.ask(f"POST {WIDGETS}", widget("w2"))
    steps.ask(f"DELETE {WIDGETS}/w2", {"preconditions": {"uid": UID}})
    steps.ask(f"PUT {WIDGETS}/w2", widget("w2", metadata={"uid": UID, "resourceVersion": "${rv:16}"}))
    steps.ask(f"DELETE {WIDGETS}/w2")
    steps.get("", "/apis/@group/v1/widgets")


def definition(plural):
    version = {"name": "v1", "served": True, "storage": True,
               "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}  # fmt: skip
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.@a.example.com"},
            "spec": {"group": "@a.example.com", "scope": "Namespaced", "versions": [version],
                     "names": {"plural": plural, "kind": "Passing", "singular": "passing", "listKind": "PassingList"}}}  # fmt: skip


def definition_that_goes(steps):
    path = "/apis/@a.example.com/v1/namespaces/@a/passings"
    steps.ask("POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition("passings"))
    steps[-1]["ignored"] = True
    steps.append({"pause": 2})
    passing = {"apiVersion": "@a.example.com/v1", "kind": "Passing", "metadata": {"name": "p"}}
    steps.ask(f"POST {path}", passing)
    watch = steps.watch("&resourceVersion=0", path)
    steps.wait(watch, 1)
    steps.ask("DELETE /apis/apiextensions.k8s.io/v1/customresourcedefinitions/passings.@a.example.com")
    steps[-1]["ignored"] = True
    steps.wait(watch, 9, 15)
    steps.append({"pause": 1})
    steps.get("", path)
    for step, name in ((-6, "h9"), (-1, "h10")):
        steps[step]["probe"] = name


def tables(steps):
    made = steps.make("a", {"x": "1", "y": "2"})
    steps.ask(f"GET {MAPS}", accept=TABLE)
    steps.ask(f"GET {MAPS}/a", accept=TABLE)
    steps.watch("&allowWatchBookmarks=true", accept=TABLE)
    steps.watch(f"&resourceVersion=${{rv:{made}}}", accept=TABLE)
    steps.patch("a", {"data": {"z": "3"}})
    steps.ask(f"GET {MAPS}", accept="application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json")


def order_of_namespaces(steps):
    for name in ("@a-b", "@ab"):
        steps.ask("POST /api/v1/namespaces", {"metadata": {"name": name}})
    for name in ("@a", "@a-b", "@ab", "@b"):
        steps.ask(f"POST /apis/@group/v1/namespaces/{name}/widgets", widget("z"))
    steps.get("?resourceVersion=0", "/apis/@group/v1/widgets")
    first = steps.get("?limit=2", "/apis/@group/v1/widgets")
    steps.get(f"?limit=1&continue=${{continue:{first}}}", "/apis/@group/v1/widgets")
    steps.watch("&resourceVersion=0", "/apis/@group/v1/widgets")


def namespaces(steps):
    steps.ask("POST /api/v1/namespaces", {"metadata": {"name": "@dying"}})
    steps.ask("POST /api/v1/namespaces/@dying/configmaps", config_map("kept", finalizers=["x.y/z"]))
    steps.ask("DELETE /api/v1/namespaces/@dying")
    steps.ask("POST /api/v1/namespaces/@dying/configmaps", config_map("n"))


def compaction(steps):
    """The cache keeps what it has; a list at an exact revision and a page do not."""
    listed = seven(steps)
    first = steps.get("?limit=2")
    for number in range(3):
        steps.patch("c0", {"data": {"n": str(number)}})
    steps.do("compact")
    steps.get(f"?resourceVersion=${{rv:{listed}}}&resourceVersionMatch=Exact")
    steps.get(f"?limit=2&resourceVersion=${{rv:{listed}}}")
    expired = steps.get(f"?limit=2&continue=${{continue:{first}}}")
    steps.watch(f"&resourceVersion=${{rv:{listed}}}")
    steps.ask(f"DELETE {MAPS}/c4")
    page = steps.get(f"?limit=3&continue=${{continue:{expired}}}")
    steps.get(f"?limit=3&continue=${{continue:{page}}}")
    steps.get("", MAPS)


def restart(steps):
    """The window of a server that has started is empty."""
    listed = seven(steps)
    first = steps.get("?limit=2")
    steps.make("later")
    steps.do("restart")
    now = steps.get()
    steps.watch(f"&resourceVersion=${{rv:{listed}}}")
    steps.watch(f"&resourceVersion=${{rv:{now}}}")
    steps.watch(f"&resourceVersion=${{rv:{listed}}}&{LATEST}")
    steps.watch(f"&resourceVersion=${{rv:{listed}}}&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
    steps.get(f"?resourceVersion=${{rv:{listed}}}&resourceVersionMatch=Exact")
    steps.get(f"?limit=2&continue=${{continue:{first}}}")


def headers(steps):
    for path in ("/version", "/api", "/apis", "/healthz", "/readyz"):
        steps.ask(f"GET {path}")
        steps[-1]["head_only"] = True


def sequences():
    for make in (
        list_options, pages, tokens, revisions_of_lists, future_lists, gets, watch_options, watch_beginnings, future_watches, flags,
        selectors_of_watches, finalizers, puts, posts, deletes, patches, applies, shared_fields, owners, applies_of_built_in, paths, custom_resources, definition_that_goes,
        tables, order_of_namespaces, namespaces, headers, compaction, restart,
    ):  # fmt: skip
        steps = Steps()
        make(steps)
        yield make.__name__, list(steps)
