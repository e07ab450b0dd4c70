"""A controller in Python: lists ConfigMaps and watches them over the official client, and a client that writes
them. tests/clients/drive.py says what it reads and prints."""

import sys
import threading
import time

from kubernetes import client, config, watch
from kubernetes.client.rest import ApiException

NAMESPACE = "app"
config.load_kube_config()
core = client.CoreV1Api()
store = {}


def show():
    print("store " + ",".join(f"{name}={value}" for name, value in sorted(store.items())), flush=True)


def list_all():
    listed = core.list_namespaced_config_map(NAMESPACE)
    store.clear()
    store.update({each.metadata.name: (each.data or {}).get("k", "") for each in listed.items})
    show()
    return listed.metadata.resource_version


def follow(revision):
    """Watches until the stream cannot be continued. The client itself continues after an end."""
    for event in watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, resource_version=revision):
        name, object_ = event["object"].metadata.name, event["object"]
        if event["type"] == "DELETED":
            store.pop(name, None)
        elif event["type"] in ("ADDED", "MODIFIED"):
            store[name] = (object_.data or {}).get("k", "")
        show()


def inform():
    """After any failure: everything from the beginning, in a while."""
    while True:
        try:
            follow(list_all())
        except Exception as failure:  # of the connection, of what came: each is the end of this watch
            print(f"informer: {type(failure).__name__} {failure}".split("\n")[0], file=sys.stderr, flush=True)
            time.sleep(1)


def obey(verb, name, value=""):
    if verb == "create":
        core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": name}, "data": {"k": value}})
    elif verb == "patch":
        core.patch_namespaced_config_map(name, NAMESPACE, {"data": {"k": value}})
    else:
        core.delete_namespaced_config_map(name, NAMESPACE)


threading.Thread(target=inform, daemon=True).start()
for line in sys.stdin:
    try:
        obey(*line.split())
        print("done", flush=True)
    except ApiException as failure:
        print("failed", failure.status, failure.reason, flush=True)
    except Exception as failure:
        print("failed", type(failure).__name__, flush=True)
