"""Fixed sequences of applies: who owns what of maps, nulls, owner references and elements (U9, U12)."""
from probes import APPLY, MAPS, STRATEGIC, UID, WIDGETS, Steps, config_map, widget

DEPLOYMENTS = "/apis/apps/v1/namespaces/@a/deployments"


class Applies(Steps):
    """Applies of one object, each by a manager; "!" behind its name forces."""

    def to_widget(self, manager, **members):
        body = {key: value for key, value in widget("v").items() if key != "spec"}
        body["metadata"] = {**body["metadata"], **members.pop("metadata", {})}
        return self.apply(f"{WIDGETS}/v", manager, {**body, **members})

    def to_map(self, manager, metadata=(), **members):
        return self.apply(f"{MAPS}/v", manager, {**config_map("v", **dict(metadata)), **members})

    def apply(self, path, manager, body, **more):
        force = "&force=true" if manager.endswith("!") else ""
        return self.ask(f"PATCH {path}?fieldManager={manager.rstrip('!')}{force}", body, type=APPLY, **more)

    def update(self, **members):
        return self.patch("v", members, path=WIDGETS)


def maps_of_custom_resources(steps):
    """Who owns a map itself, and what goes with it."""
    steps.to_widget("m1", spec={"in": {"size": 1}, "k": 1})
    steps.update(spec={"in": {"other": 2}})
    steps.to_widget("m1", spec={"k": 1})
    steps.update(spec={"in": {"a": 1}})
    steps.to_widget("m1", spec={"in": {"b": 1}, "k": 1})
    steps.to_widget("m1", spec={"k": 1})
    steps.to_widget("m2", spec={"in": {"c": 1}})
    steps.to_widget("m1")
    steps.update(spec=None)
    steps.to_widget("m1", spec={"in": {"x": {"y": 1}}})
    steps.to_widget("m2", spec={"in": {"x": {"z": 1}}})
    for spec in ({"in": {"x": {}}}, {"in": {}}):
        steps.to_widget("m1", spec=spec)
    steps.to_widget("m1")
    steps.to_widget("m2", spec={})
    steps.update(spec={"q": {"r": 1}})
    steps.to_widget("m1", spec={"q": {"s": 1}})
    steps.to_widget("m2!", spec={"q": 5})
    steps.to_widget("m1", spec={"q": {"s": 1}})
    steps.to_widget("m1!", spec={"q": {"s": 1}})


def maps_from_before_the_first_apply(steps):
    steps.ask(f"POST {WIDGETS}", widget("v", {"in": {"x": 1}, "k": 1}, metadata={"labels": {"l": "1"}}))
    steps.to_widget("m1", spec={"in": {"y": 1}}, metadata={"labels": {"k": "1"}})
    steps.to_widget("m1")
    steps.to_widget("m1", spec={"in": {"y": {"z": 1}}})
    steps.update(spec={"in": {"y": {"w": 1}}})
    steps.to_widget("m1", spec={"in": {}})
    last = steps.to_widget("m1")
    steps.ask(f"PUT {WIDGETS}/v", widget("v", {"in": {"x": 2}}, metadata={"resourceVersion": f"${{rv:{last}}}"}))
    steps.to_widget("m2", spec={"in": {"y": 3}})


def nulls_of_custom_resources(steps):
    for manager, spec in (
        ("m1", {"a": None, "b": 1}), ("m1", {"a": None, "b": 1}), ("m2", {"a": 1}), ("m2!", {"a": 1}), ("m1", {"b": 1}),
        ("m1", {"b": None}), ("m1", {"b": {}}), ("m1", {"b": {"c": 1}}), ("m1", {"b": None}), ("m2", {"b": {"d": 1}}),
        ("m1", {"size": 1}), ("m1", None),
    ):  # fmt: skip
        steps.to_widget(manager, spec=spec)
    steps.to_widget("m2")
    for spec in ({"l": [1]}, {"l": None}, {"l": [1]}):
        steps.to_widget("m1", spec=spec)
    steps.to_widget("m1", spec=None, status=None, metadata={"labels": None, "annotations": {"a": None}})
    steps.to_widget("m1", spec={"size": 1}, metadata={"labels": {"l": None}, "annotations": {"a": "1"}})


def nulls_of_maps(steps):
    """In ConfigMaps, whose type has texts."""
    for manager, data in (
        ("m1", {"a": None, "b": "1"}), ("m1", {"a": None, "b": "1"}), ("m2", {"a": "1"}), ("m2", {"a": ""}), ("m2", {"a": None}),
        ("m1", {"b": "1"}), ("m1", None), ("m2", {"q": "1"}),
    ):  # fmt: skip
        steps.to_map(manager, data=data)
    for metadata in (
        {"labels": {"l": None, "k": "1"}, "annotations": None}, {"labels": None, "finalizers": None}, {"annotations": {"n": None}},
        {"finalizers": ["x.y/1"], "creationTimestamp": None}, {"finalizers": None},
    ):  # fmt: skip
        steps.to_map("m1", metadata)
    steps.to_map("m1", immutable=None, binaryData=None)
    steps.to_map("m1")


def owner_references(steps):
    """Each is one value. Where m1 is alone it has applied what an update has written, whose owner has its own name."""

    def owner(number, **more):
        return {"apiVersion": "v1", "kind": "ConfigMap", "name": f"o{number}", "uid": UID[:-1] + str(number), **more}

    for manager, owners in (
        ("m1", [owner(1)]), ("m2", [owner(1, controller=True)]), ("m2!", [owner(1, controller=True), owner(2)]), ("m1", [owner(3)]),
        ("m1", [owner(1, controller=True), owner(3)]), ("m2", []),
    ):  # fmt: skip
        steps.to_map(manager, {"ownerReferences": owners})
    steps.patch("v", {"metadata": {"ownerReferences": [owner(1, controller=False), owner(3)]}})
    steps.to_map("m1", {"ownerReferences": [owner(3)]})
    steps.to_map("m1", {"ownerReferences": None})
    steps.patch("v", {"metadata": {"ownerReferences": [owner(4)]}})
    for owners in ([owner(4)], [owner(4, blockOwnerDeletion=True)], []):
        steps.to_map("m1", {"ownerReferences": owners})
    for manager, owners in (("m1", [owner(1)]), ("m2", [owner(1, controller=True)]), ("m2!", [owner(1, controller=True), owner(2)]), ("m1", []), ("m2", [owner(2)])):
        steps.to_widget(manager, metadata={"ownerReferences": owners}, spec={"size": 1})


def elements_that_updates_write(steps):
    """Volumes of a Deployment; its defaults ours does not know (N1)."""
    shown = {"members": ["spec.template.spec.volumes", "metadata.managedFields", "code", "message"]}

    def volumes(*named):
        return [{"name": name, "emptyDir": source} for name, source in named]

    def apply(manager, *named):
        pod = {"containers": [{"name": "c", "image": "x"}], "volumes": volumes(*named)}
        spec = {"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod}}
        steps.apply(f"{DEPLOYMENTS}/d", manager, {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec}, **shown)

    def update(*named):
        body = {"spec": {"template": {"spec": {"volumes": volumes(*named)}}}}
        steps.ask(f"PATCH {DEPLOYMENTS}/d", body, type=STRATEGIC, **shown)

    small, fast = {"sizeLimit": "1Gi"}, {"medium": "Memory"}
    apply("m1", ("v", {}), ("w", {}))
    update(("v", small))
    apply("m1", ("w", {}))
    apply("m1", ("w", {}), ("u", fast))
    update(("u", small))
    apply("m2", ("u", small))
    apply("m1", ("w", {}))
    update(("t", small))
    apply("m1", ("w", {}), ("t", fast))
    apply("m1", ("w", {}))
    apply("m2")
    update(("s", fast), ("t", small), ("r", fast), ("w", fast))
    update(("q", fast), ("r", small))


def sequences():
    for make in (
        maps_of_custom_resources, maps_from_before_the_first_apply, nulls_of_custom_resources, nulls_of_maps, owner_references,
        elements_that_updates_write,
    ):  # fmt: skip
        steps = Applies()
        make(steps)
        yield make.__name__, list(steps)
