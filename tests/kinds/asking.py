"""What a real server adds to objects, which fields its selectors know, and whether it counts generations: by asking."""
import base64
import json
import re

import read

PROTOBUF = "application/vnd.kubernetes.protobuf"
IN_BYTES = {"ConfigMap", "Secret", "Pod", "Service", "Deployment", "StatefulSet", "CronJob", "Ingress", "Role",
            "HorizontalPodAutoscaler", "PersistentVolume", "CustomResourceDefinition", "EndpointSlice"}  # fmt: skip
WORD, PORT = "probe", 8077  # what stands for any text, and a number: what a server makes of them is no default
TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": WORD, "image": WORD}]}}
ENDING = {"metadata": {"labels": {"a": "b"}},
          "spec": {"restartPolicy": "Never", "containers": [{"name": WORD, "image": WORD}]}}  # fmt: skip
# What a server draws or counts is no default; and nobody here takes that taint from a node.
DRAWN = {"core/v1.ServiceSpec.clusterIP", "core/v1.ServiceSpec.clusterIPs", "core/v1.ServicePort.nodePort",
         "core/v1.ServiceSpec.healthCheckNodePort", "core/v1.NodeSpec.taints", "core/v1.PodStatus.qosClass",
         "apiextensions/v1.CustomResourceDefinitionStatus.storedVersions"}  # fmt: skip
# Of objects that are kept as samples: what is drawn, and what watchlab does not do.
LEFT_OUT = {"Service": ["spec.clusterIP", "spec.clusterIPs"], "Node": ["spec.taints"], "Pod": ["status.qosClass"],
            "PersistentVolume": ["status.lastPhaseTransitionTime"], "DeviceTaintRule": ["spec.taint.timeAdded"],
            "LimitRange": ["spec.limits.defaultRequest"]}  # fmt: skip

# What a kind needs beside what its schema requires. A value for a field holds wherever that field is.
SPECS = {
    "Service": {"ports": [{"port": PORT}]},
    "ReplicaSet": {"template": TEMPLATE},
    "ReplicationController": {"selector": {"a": "b"}, "template": TEMPLATE},
    "PersistentVolume": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}},
    "PersistentVolumeClaim": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    "CronJob": {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": ENDING}}},
    "Job": {"template": ENDING},
    "Ingress": {"defaultBackend": {"service": {"name": WORD, "port": {"number": 80}}}},
    "PodDisruptionBudget": {"minAvailable": 1},
    "CertificateSigningRequest": None,
    "ResourceQuota": {"hard": {"cpu": "1"}},
    "HorizontalPodAutoscaler": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": WORD}},
    "StorageVersionMigration": {"resource": {"group": "apps", "resource": "deployments"}},
    "CustomResourceDefinition": {
        "group": "probe.io", "scope": "Namespaced", "names": {"plural": "probes", "kind": "Probe"},
        "versions": [{"name": "v1", "served": True, "storage": True,
                      "schema": {"openAPIV3Schema": {"type": "object"}}}]},
    "FlowSchema": {"priorityLevelConfiguration": {"name": "exempt"}},
    "PriorityLevelConfiguration": {"type": "Limited", "limited": {"limitResponse": {"type": "Reject"}}},
    "APIService": {"group": "probe.io", "version": "v1", "groupPriorityMinimum": 1, "versionPriority": 1,
                   "service": {"namespace": "default", "name": WORD}, "insecureSkipTLSVerify": True},
    "ServiceCIDR": {"cidrs": ["10.9.0.0/24"]},
    "VolumeAttachment": {"attacher": "a.probe.io", "nodeName": WORD, "source": {"persistentVolumeName": WORD}},
    "ResourceClaim": {"devices": {"requests": [{"name": WORD, "exactly": {"deviceClassName": "a.probe.io"}}]}},
    "ResourceClaimTemplate": {
        "spec": {"devices": {"requests": [{"name": WORD, "exactly": {"deviceClassName": "a.probe.io"}}]}}},
    "ValidatingAdmissionPolicy": {
        "matchConstraints": {"resourceRules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"],
                                                "resources": ["*"]}]},
        "validations": [{"expression": "true"}]},
    "MutatingAdmissionPolicy": {
        "matchConstraints": {"resourceRules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"],
                                                "resources": ["*"]}]},
        "reinvocationPolicy": "Never",
        "mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}]},
    "ValidatingAdmissionPolicyBinding": {"policyName": WORD, "validationActions": ["Deny"]},
    "MutatingAdmissionPolicyBinding": {"policyName": WORD},
    "IngressClass": {"controller": "probe.io/x"},
    "DeviceTaintRule": {"taint": {"key": WORD, "effect": "NoSchedule"}},
    "ResourceSlice": {"driver": "a.probe.io", "pool": {"name": WORD, "generation": 1, "resourceSliceCount": 1},
                      "nodeName": WORD},
}  # fmt: skip
WEBHOOKS = [{"name": "a.probe.io", "clientConfig": {"url": "https://probe.io"}, "sideEffects": "None",
             "admissionReviewVersions": ["v1"]}]  # fmt: skip
# Objects that show what goes with another choice.
OTHERS = {
    "Service": [{"spec": {"type": "ExternalName", "externalName": "a.probe.io"}}, {"spec": {"clusterIP": "None"}}],
    "RoleBinding": [{"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": WORD},
                     "subjects": [{"kind": "ServiceAccount", "name": WORD, "namespace": WORD}]}],
}  # fmt: skip
BODIES = {
    "PodTemplate": {"template": TEMPLATE},
    "ConfigMap": {"data": {"a": "b"}},
    "Endpoints": {"subsets": [{"addresses": [{"ip": "1.2.3.4"}], "ports": [{"port": 80}]}]},
    "EndpointSlice": {"addressType": "IPv4", "endpoints": [{"addresses": ["1.2.3.4"]}], "ports": [{"port": 80}]},
    "Event": None,
    "LimitRange": {"spec": {"limits": [{"type": "Container", "default": {"cpu": "1"}}]}},
    "MutatingWebhookConfiguration": {"webhooks": WEBHOOKS},
    "ValidatingWebhookConfiguration": {"webhooks": WEBHOOKS},
    "PriorityClass": {"value": 7},
    "RuntimeClass": {"handler": WORD},
    "StorageClass": {"provisioner": "probe.io/x"},
    "VolumeAttributesClass": {"driverName": "a.probe.io", "parameters": {"a": "b"}},
    "CSIStorageCapacity": {"storageClassName": WORD},
    "IPAddress": {"spec": {"parentRef": {"resource": "services", "namespace": "default", "name": WORD}}},
    "ControllerRevision": {"revision": 1, "data": {}},
    "ClusterRoleBinding": {"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": WORD},
                           "subjects": [{"kind": "User", "name": WORD}]},
    "RoleBinding": {"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": WORD},
                    "subjects": [{"kind": "User", "name": WORD}]},
}  # fmt: skip
NAMES = {"CustomResourceDefinition": "probes.probe.io", "APIService": "v1.probe.io", "IPAddress": "10.0.0.77"}
LABELS = {"a": "b"}
FIELDS = {
    "meta/v1.LabelSelector": {"matchLabels": LABELS},
    "core/v1.Container": {"name": WORD, "image": WORD},
    "core/v1.EphemeralContainer": {"name": WORD, "image": WORD},
    "core/v1.PodTemplateSpec": TEMPLATE,
    "core/v1.PodSpec": {"containers": [{"name": WORD, "image": WORD}]},
    "core/v1.Probe": {"exec": {"command": [WORD]}},
    "core/v1.LifecycleHandler": {"exec": {"command": [WORD]}},
    "core/v1.Volume": {"name": WORD},
    "core/v1.VolumeProjection": {"configMap": {"name": WORD}},
    "core/v1.ObjectFieldSelector": {"fieldPath": "metadata.name"},
    "core/v1.ResourceFieldSelector": {"resource": "limits.cpu", "containerName": WORD},
    "core/v1.HTTPGetAction": {"port": 80},
    "core/v1.PersistentVolumeClaimTemplate": {
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}},
    "core/v1.PersistentVolumeClaim": {
        "metadata": {"name": WORD},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}},
    "core/v1.TopologySpreadConstraint": {"maxSkew": 1, "topologyKey": WORD, "whenUnsatisfiable": "DoNotSchedule"},
    "autoscaling/v2.MetricSpec": {"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
    "apps/v1.RollingUpdateDeployment": {}, "apps/v1.RollingUpdateDaemonSet": {},
    "apps/v1.RollingUpdateStatefulSetStrategy": {},
    "batch/v1.JobSpec": {"template": ENDING},
    "networking/v1.IngressBackend": {"service": {"name": WORD, "port": {"number": 80}}},
    "core/v1.ResourceRequirements": {"requests": {"cpu": "1"}},
    "core/v1.LimitRangeItem": {"type": "Container"},
    "discovery/v1.EndpointPort": {"port": 80},
    "core/v1.EndpointPort": {"port": 80},
}  # fmt: skip
VALUES = {"s": WORD, "b": True, "i": 1, "l": 1, "d": 1.0, "y": "YQ==", "$": [WORD]}
OF_MESSAGES = {"meta/v1.Time": "2026-01-01T00:00:00Z", "meta/v1.MicroTime": "2026-01-01T00:00:00.000000Z",
               "api/resource.Quantity": "1", "util/intstr.IntOrString": 1, "meta/v1.FieldsV1": {},
               "pkg/runtime.RawExtension": {}, "apiextensions/v1.JSON": {}}  # fmt: skip


def merged(base, over):
    if isinstance(base, dict) and isinstance(over, dict):
        return {key: merged(base[key], over[key]) if key in base and key in over else over.get(key, base.get(key))
                for key in [*base, *[key for key in over if key not in base]]}  # fmt: skip
    return over


def is_made_of_input(value):
    text = json.dumps(value).lower()
    return WORD in text or str(PORT) in text or re.search(r"\d{4}-\d\d-\d\dt\d\d:", text)


def is_zero(value):
    return value in (0, "", False, None) or value == [] or (isinstance(value, dict) and all(map(is_zero, value.values())))


class Asking:
    """Asks about all kinds of a table; `found` has the marks of fields, and what else was found, by collection."""

    def __init__(self, server, messages, schemas):
        self.connection = server.connect()
        self.token = server.fields
        self.messages, self.schemas = messages, schemas
        self.found = {"fields": {}, "selectable": {}, "generations": []}
        self.seen, self.refused, self.unclear, self.number, self.requests = {}, [], [], 0, 0
        self.walked, self.samples, self.packed = set(), [], []

    def send(self, method, path, body=None):
        self.requests += 1
        self.connection.request(method, path, json.dumps(body) if body is not None else None,
                                {**self.token, "Content-Type": "application/json"})  # fmt: skip
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")

    def fields_of(self, message):
        """Name, type and message of each field, those of members without a name among them."""
        for name, _, word, *_ in self.messages.get(message, []):
            if name == "-":
                yield from self.fields_of(read.element(word))
            else:
                yield name, word, read.element(word)

    def enum(self, message, name):
        for owner in [message, *[read.element(word) for each, _, word, *_ in self.messages[message] if each == "-"]]:
            values = read.values_of(self.schemas, owner, name)
            if values:
                return values
        return []

    def value(self, word, depth=0, owner="", name=""):
        of = read.element(word)
        if of in read.SHORT:
            enum = self.enum(owner, name) if owner else []
            made = enum[0] if enum else VALUES[read.SHORT[of]]
        elif of in OF_MESSAGES:
            made = OF_MESSAGES[of]
        elif of in FIELDS:
            made = FIELDS[of]
        else:
            required = set(self.schemas.get(read.schema_name(of), {}).get("required", [])) if depth < 6 else set()
            made = {each: self.value(below, depth + 1, of, each)
                    for each, below, _ in self.fields_of(of) if each in required}  # fmt: skip
        if word.startswith("[]"):
            return [made]
        return {"cpu" if of == "api/resource.Quantity" else WORD: made} if word.startswith("{}") else made

    def minimal(self, kind, message):
        if kind in BODIES:
            return BODIES[kind]
        body = self.value(message)
        body.pop("metadata", None)
        body.pop("status", None)
        if "spec" in [name for name, *_ in self.fields_of(message)] and "spec" not in body:
            word = next(word for name, word, _ in self.fields_of(message) if name == "spec")
            body["spec"] = self.value(word)
        if kind in SPECS:
            body = None if SPECS[kind] is None else merged(body, {"spec": SPECS[kind]})
        return body

    def create(self, path, kind, body):
        self.number += 1
        name = NAMES.get(kind, f"{WORD}-{self.number}")
        return self.send("POST", path + "?dryRun=All&fieldValidation=Strict", {"metadata": {"name": name}, **body})

    def kind(self, api, kind, collection, namespaced, message):
        self.path = f"/{'api' if '/' not in api else 'apis'}/{api}/"
        self.path += f"namespaces/default/{collection}" if namespaced else collection
        self.name = kind
        body = self.minimal(kind, message)
        if body is None:
            return
        code, answer = self.create(self.path, kind, body)
        if code != 201:
            self.refused.append(f"{api} {kind}: {answer.get('message')}")
            return
        if "generation" in answer["metadata"]:
            self.found["generations"].append(f"{api}/{collection}")
        again = self.create(self.path, kind, body)[1]
        self.compare(message, body, answer, again, is_root=True)
        self.sample(api, kind, body, answer, again)
        for other in OTHERS.get(kind, []):
            answers = [self.create(self.path, kind, other)[1] for _ in range(2)]
            self.compare(message, other, *answers, is_root=True)
        self.walk(message, body, [], answer, set())

    def sample(self, api, kind, body, answer, again):
        """What was sent and what came back, without what a server draws."""
        answered = {name: value for name, value in answer.items() if name not in ("metadata", "kind", "apiVersion")}
        for path in LEFT_OUT.get(kind, []):
            leave_out(answered, path.split("."))
            leave_out(again, path.split("."))
        is_whole = answered == {name: again.get(name) for name in answered}
        if is_whole and kind != "CustomResourceDefinition":  # its status is written when it is served
            self.samples.append({"apiVersion": api, "kind": kind, "sent": body, "answered": answered})

    def in_bytes(self, api, kind, collection, namespaced, body):
        """A stored object as JSON and as protobuf."""
        path = f"/{'api' if '/' not in api else 'apis'}/{api}/" + (f"namespaces/default/" if namespaced else "") + collection
        code, made = self.send("POST", path, {"metadata": {"name": NAMES.get(kind, WORD), "labels": {"a": "b"}}, **body})
        if code != 201:
            return
        path += "/" + made["metadata"]["name"]
        json_text = self.send("GET", path)[1]
        self.connection.request("GET", path, headers={**self.token, "Accept": PROTOBUF})
        packed = base64.b64encode(self.connection.getresponse().read()).decode()
        self.send("DELETE", path)
        self.packed.append({"json": json_text, "protobuf": packed})

    def selectable(self, api, collection, message):
        names = []
        for field in self.paths(message):
            path = f"/{'api' if '/' not in api else 'apis'}/{api}/{collection}?limit=1&fieldSelector={field}%3Dx"
            if field not in ("metadata.name", "metadata.namespace") and self.send("GET", path)[0] == 200:
                names += [field] if field not in names else []
        if names:
            self.found["selectable"][f"{api}/{collection}"] = names

    def paths(self, message):
        for name, word, of in self.fields_of(message):
            if word.strip("*") in read.SHORT:
                yield name
            elif not word.startswith(("[]", "{}")) and of not in OF_MESSAGES:
                for below, deeper, _ in self.fields_of(of):
                    if deeper.strip("*") in read.SHORT:
                        yield f"{name}.{below}"
        if message == "core/v1.Pod":
            yield "status.podIP"

    # What was sent and what came back, side by side.

    def compare(self, message, sent, got, again, is_root=False):
        for name, word, of in self.fields_of(message):
            if (is_root and name == "metadata") or word.startswith("{}") or not isinstance(again, dict):
                continue
            was, value, twice = sent.get(name), got.get(name), again.get(name)
            is_message = of in self.messages and of not in OF_MESSAGES
            if was is not None:
                if name in got:
                    self.below(word, of, was, value, twice, is_message)
            elif name in got and is_message and not word.startswith(("*", "[]")):
                self.compare(of, {}, value, twice)
            elif name not in got:
                self.note(message, name, None, sent, got)
            elif value == twice and (word.startswith("*") or not is_zero(value)) and not is_made_of_input(value):
                self.note(message, name, value, sent, got)

    def below(self, word, of, was, value, twice, is_message):
        if not is_message:
            return
        if word.startswith("[]"):
            for each in zip(was, value, twice):
                self.compare(of, *each)
        else:
            self.compare(of, was, value, twice)

    def owner(self, message, name):
        for each, _, word, *_ in self.messages[message]:
            if each == name:
                return message
            if each == "-" and (found := self.owner(read.element(word), name)):
                return found
        return None

    def note(self, message, name, value, sent, got):
        """A value that was added, or none; and which of its neighbours with a choice of words it stood beside."""
        beside = {"@": self.name}
        for each, word, _ in self.fields_of(message):
            if each != name and word.strip("*") == "string" and (each == "kind" or self.enum(message, each)):
                beside |= {"<" + each: sent.get(each) or "", each: got.get(each) or ""}
        text = None if value is None else json.dumps(value, separators=(",", ":"), sort_keys=True)
        seen = self.seen.setdefault((self.owner(message, name), name), [])
        if (text, beside) not in seen:
            seen.append((text, beside))

    # Objects with one more field each.

    def walk(self, message, base, steps, answer, above):
        """Tries each field of a message that was not sent, and looks into those that were."""
        here = answer
        sent = base
        for step in steps:
            if isinstance(here, dict) and step not in here:
                return  # a field that the server drops
            here = here[step]
            sent = (sent.get(step, {}) if isinstance(sent, dict) else sent[0]) if sent else {}
        if message in above or (self.root, message) in self.walked:
            return
        self.walked.add((self.root, message))
        for name, word, of in self.fields_of(message):
            if (not steps and name in ("metadata", "status")) or of == "meta/v1.ObjectMeta":
                continue
            is_message = of in self.messages and of not in OF_MESSAGES
            if isinstance(sent, dict) and name in sent:
                if is_message and not word.startswith("{}"):
                    self.walk(of, base, steps + [name] + ([0] if word.startswith("[]") else []), answer, above | {message})
                continue
            for value in self.tries(message, name, word):
                body = with_value(base, steps + [name], value)
                code, got = self.create(self.path, self.name, body)
                if code != 201:
                    continue
                again = self.create(self.path, self.name, body)[1]
                self.compare(self.root, body, got, again, is_root=True)
                if is_message and not word.startswith("{}"):
                    self.walk(of, body, steps + [name] + ([0] if word.startswith("[]") else []), got, above | {message})

    def tries(self, message, name, word):
        enum = self.enum(message, name)
        return [[each] if word.startswith("[]") else each for each in enum] if enum else [self.value(word)]

    def all(self, rows):
        for row in rows:
            self.root = row.message
            self.kind(row.api, row.kind, row.collection, row.namespaced, row.message)
            self.selectable(row.api, row.collection, row.message)
        for row in rows:
            body = self.minimal(row.kind, row.message) if row.kind in IN_BYTES else None
            if body is not None:
                self.in_bytes(row.api, row.kind, row.collection, row.namespaced, body)
        for (message, name), seen in self.seen.items():
            field = f"{message}.{name}"
            marks = sorted(marks_of(seen)) if field not in DRAWN else []
            if marks and marks[0].startswith("?"):
                self.unclear.append(f"{field} {marks[0]}")
            elif marks:
                self.found["fields"][field] = marks
        return self.found


def leave_out(value, steps):
    for each in value if isinstance(value, list) else [value]:
        if len(steps) == 1:
            each.pop(steps[0], None)
        else:
            leave_out(each.get(steps[0], {}), steps[1:])


def with_value(base, steps, value):
    body = json.loads(json.dumps(base))
    here = body
    for i, step in enumerate(steps[:-1]):
        if isinstance(here, list):
            here = here[step]
        else:
            here = here.setdefault(step, [{}] if i + 1 < len(steps) - 1 and steps[i + 1] == 0 else {})
    here[steps[-1]] = value
    return body


def marks_of(seen):
    """One value whatever stands beside it; or values that go with the words of one neighbour."""
    values = {value for value, _ in seen} - {None}
    if not values:
        return []
    if len({value for value, _ in seen}) == 1:
        return ["==" + values.pop().replace(" ", "\\u0020")]
    for neighbour in sorted({each for _, beside in seen for each in beside}, key=lambda each: (each == "@", each[0] == "<")):
        by_word = {}
        for value, beside in seen:
            by_word.setdefault(str(beside.get(neighbour, "")), set()).add(value)
        if all(len(each) == 1 for each in by_word.values()):
            return [f"={neighbour}:{word}=" + next(iter(each)).replace(" ", "\\u0020")
                    for word, each in by_word.items() if each != {None}]  # fmt: skip
    return ["?" + str(sorted(map(str, {value for value, _ in seen})))]
