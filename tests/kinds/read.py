"""Reads what the program types says of Go types, and OpenAPI schemas."""
import re

SHORT = {"string": "s", "bool": "b", "int32": "i", "int64": "l", "float64": "d", "bytes": "y", "items": "$"}


def types(path):
    kinds, messages, fields = {}, {}, None
    for line in path.read_text().splitlines():
        what, *rest = line.split()
        if what == "K":
            group, version, kind, message = rest
            kinds["" if group == "-" else group, version, kind] = message
        elif what == "M":
            fields = messages[rest[0]] = []
        else:
            fields.append(rest)
    return kinds, messages


def element(word):
    return re.sub(r"^(\*|\[\]|\{\})+", "", word)


def schema_name(message):
    package, name = message.split(".")
    if package == "meta/v1":
        return "io.k8s.apimachinery.pkg.apis.meta.v1." + name
    group, version = package.split("/")
    if group == "apiextensions":
        return f"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.{version}.{name}"
    if group == "apiregistration":
        return f"io.k8s.kube-aggregator.pkg.apis.apiregistration.{version}.{name}"
    return f"io.k8s.api.{group}.{version}.{name}"


def values_of(schemas, message, name):
    """The words that a field may have; none when it may have any."""
    schema = schemas.get(schema_name(message), {}).get("properties", {}).get(name, {})
    return [each for each in schema.get("enum") or schema.get("items", {}).get("enum") or [] if each]
