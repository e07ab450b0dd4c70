"""Copies each ConfigMap of the namespace default that has the label copy=yes, over the official client.
Lists, watches from there, and begins again when the watch ends or something fails."""

import itertools
import sys
import time

import urllib3
from kubernetes import client, config, watch

config.load_kube_config()
core = client.CoreV1Api()


def copy(source):
    """Makes the copy, unless it is there."""
    name = source.metadata.name + "-copy"
    try:
        core.create_namespaced_config_map(
            "default", client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data=source.data)
        )
    except client.ApiException as refused:
        if refused.status != 409:
            raise


copied = set()
while True:
    try:
        listed = core.list_namespaced_config_map("default", label_selector="copy=yes")
        found = [("LISTED", each) for each in listed.items]
        stream = watch.Watch().stream(
            core.list_namespaced_config_map,
            "default",
            label_selector="copy=yes",
            resource_version=listed.metadata.resource_version,
        )
        watched = ((event["type"], event["object"]) for event in stream)
        for kind, source in itertools.chain(found, watched):
            if kind != "DELETED" and source.metadata.uid not in copied:
                copy(source)
                copied.add(source.metadata.uid)
    except (client.ApiException, urllib3.exceptions.HTTPError) as failure:
        print("again, after:", failure, file=sys.stderr)
        time.sleep(0.1)
