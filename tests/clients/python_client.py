"""What a controller in Python does, over the official client: it lists, watches, loses its watch, continues where
it was, writes and is refused. Prints what it saw. Run by `watchlab serve`, so KUBECONFIG is set."""

import json
import urllib.request

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException

config.load_kube_config()
api = client.ApiClient()
server = api.configuration.host
core = client.CoreV1Api(api)


def add_fault(fault):
    """Breaks the server, as `watchlab fault add` does."""
    body = json.dumps(fault).encode()
    urllib.request.urlopen(urllib.request.Request(server + "/watchlab/v1/faults", data=body,
                                                  headers={"Content-Type": "application/json"})).read()


core.create_namespace({"metadata": {"name": "py"}})
core.create_namespaced_config_map("py", client.V1ConfigMap(metadata=client.V1ObjectMeta(name="a"), data={"k": "1"}))
listed = core.list_namespaced_config_map("py")
print("list", [each.metadata.name for each in listed.items])

core.patch_namespaced_config_map("a", "py", {"data": {"k": "2"}})
stream = watch.Watch()
revision = listed.metadata.resource_version
for event in stream.stream(core.list_namespaced_config_map, "py", resource_version=revision, timeout_seconds=1):
    print("event", event["type"], event["object"].data)
print("the stream has ended at its timeout")

# The stream is cut after its next event; the client continues from the revision that it has seen.
add_fault({"close_watch": {"after_events": 1, "new_streams": True}})
core.patch_namespaced_config_map("a", "py", {"data": {"k": "3"}})
core.delete_namespaced_config_map("a", "py")
for event in stream.stream(core.list_namespaced_config_map, "py", resource_version=stream.resource_version):
    print("event", event["type"], event["object"].data)
    if event["type"] == "DELETED":
        stream.stop()

try:
    add_fault({"fail_requests": {"answer": "expired", "times": 1}})
    core.list_namespaced_config_map("py")
except ApiException as failure:
    print("refused", failure.status, failure.reason)

resources = dynamic.DynamicClient(api).resources.get(api_version="v1", kind="ConfigMap")
resources.create(body={"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "d"}, "data": {"x": "y"}},
                 namespace="py")
wanted = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "d", "namespace": "py"}, "data": {"x": "z"}}
applied = resources.server_side_apply(body=wanted, field_manager="py", force_conflicts=True, namespace="py")
print("applied", applied.data.x)
try:
    core.read_namespaced_config_map("none", "py")
except ApiException as failure:
    print("refused", failure.status, failure.reason)
