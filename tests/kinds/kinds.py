#!/usr/bin/env python3
"""Writes the table of kinds of a release, from what a real server answers and the program types says of Go types.

A line of the table says what its columns are; ./dev kinds calls this.
"""
import argparse
import dataclasses
import json
import pathlib
import re
import sys

import read
from asking import Asking

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "judge"))
from servers import Processes, Real  # noqa: E402

HEAD = """\
# Kinds of Kubernetes {release}, written by ./dev kinds from what its server and its Go types say.
#
# K group/version kind message collection singular scope verbs short-names categories selectable-fields subresources
# V group/version kind message, of a kind without a collection
# M message, then a line for each of its fields: name number type and
#   o left out when empty   z left out when zero   ! required   k=KEYS of the elements of a list   s a set   a atomic   p=KEY of a merge patch
#   r retainKeys   e=VALUES that there are   ==JSON what the server adds   =NEIGHBOUR:WORD=JSON what it adds if that
#   field has this word, or (<) was sent so, or (@) in objects of that kind
# A type is s(tring), b(ool), i(nt32), l(int64), d(ouble), y (bytes), $ (strings of a message of their own), or a
# message, that of the same package after a dot; * may be absent, [] is a list, {} a map.
"""

ALL = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
# Messages that are no more than a value: the program knows them.
VALUES = {"meta/v1.Time", "meta/v1.MicroTime", "api/resource.Quantity", "util/intstr.IntOrString", "meta/v1.FieldsV1",
          "pkg/runtime.RawExtension", "meta/v1.Duration", "apiextensions/v1.JSON",
          "apiextensions/v1.JSONSchemaPropsOrBool", "apiextensions/v1.JSONSchemaPropsOrArray",
          "apiextensions/v1.JSONSchemaPropsOrStringArray"}  # fmt: skip
ALSO = ["meta/v1.DeleteOptions", "meta/v1.Status", "meta/v1.ListMeta", "meta/v1.PartialObjectMetadata"]


def short_type(word, package):
    marks = word[: len(word) - len(read.element(word))]
    of = read.element(word)
    if of in read.SHORT:
        return marks + read.SHORT[of]
    home, name = of.rsplit(".", 1)
    return marks + ("." + name if home == package else of)


def list_marks(schema):
    kind = schema.get("x-kubernetes-list-type")
    if kind == "map":
        return ["k=" + ",".join(schema["x-kubernetes-list-map-keys"])]
    if kind == "set":
        return ["s"]
    atomic = schema.get("x-kubernetes-map-type") == "atomic"
    return ["a"] if atomic else []


def target(schema, schemas):
    refs = [schema] + schema.get("allOf", [])
    for each in refs:
        if "$ref" in each:
            return schemas.get(each["$ref"].rsplit("/", 1)[1], {})
    return {}


def field_line(message, field, schemas, extra):
    name, number, word, options, strategy, key = field
    package = message.rsplit(".", 1)[0]
    schema = schemas.get(read.schema_name(message), {})
    inline = name == "-"
    of_field = {} if inline else schema.get("properties", {}).get(name, {})
    marks = (["o"] if "omitempty" in options else []) + (["z"] if "omitzero" in options else [])
    marks += ["!"] if name in schema.get("required", []) else []
    marks += list_marks(of_field) or (["a"] if target(of_field, schemas).get("x-kubernetes-map-type") == "atomic" else [])
    if key != "-":
        marks.append("p=" + key)
    elif "merge" in strategy:
        marks.append("p")
    if "retainKeys" in strategy:
        marks.append("r")
    values = read.values_of(schemas, message, name)
    marks += ["e=" + ",".join(values)] if values else []
    marks += extra.get(f"{message}.{name}", [])
    return " ".join([name, number, short_type(word, package), *marks])


def default_versions(groups):
    """Those that a server serves which is not asked for more: beta versions are off."""
    for group in groups:
        for version in group["versions"]:
            if re.fullmatch(r"v\d+", version["version"]):
                yield group["metadata"].get("name", ""), version


def words(items):
    return ",".join(items) or "-"


def verbs_word(verbs):
    return "*" if sorted(verbs) == ALL else ",".join(sorted(verbs))


def subresource_word(each, group, version, kind):
    answer = each.get("responseKind", {})
    of = (answer.get("group") or group, answer.get("version") or version, answer.get("kind"))
    name = each["subresource"] + "=" + verbs_word(each["verbs"]).replace(",", "+")
    return name if of == (group, version, kind) else name + "=" + "/".join(each for each in of if each)


@dataclasses.dataclass
class Row:
    """A kind as discovery tells it."""

    api: str
    kind: str
    collection: str
    namespaced: bool
    message: str
    singular: str
    verbs: list
    names: list
    below: list

    def line(self, found):
        place = f"{self.api}/{self.collection}"
        scope = ("N" if self.namespaced else "C") + ("g" if place in found["generations"] else "")
        return " ".join(["K", self.api, self.kind, self.message, self.collection, self.singular or "-", scope,
                         verbs_word(self.verbs), *self.names, words(found["selectable"].get(place, [])),
                         words(self.below)])  # fmt: skip


def kind_rows(groups, kinds):
    """The rows; the messages of all their answers; and the lines of kinds that no collection has."""
    rows, roots, others = [], [], {}
    for group, version in default_versions(groups):
        name = version["version"]
        api = f"{group}/{name}" if group else name

        def answered(each, group=group, name=name):
            answer = each.get("responseKind", {})
            return answer.get("group") or group, answer.get("version") or name, answer.get("kind")

        for each in version["resources"]:
            kind = answered(each)
            below = []
            for sub in each.get("subresources", []):
                below.append(subresource_word(sub, group, name, kind[2]))
                others[answered(sub)] = kinds.get(answered(sub))
            rows.append(Row(api, kind[2], each["resource"], each["scope"] == "Namespaced", kinds[kind],
                            each["singularResource"], each["verbs"],
                            [words(each.get("shortNames", [])), words(each.get("categories", []))], below))  # fmt: skip
    of_rows = {(row.api, row.kind) for row in rows}
    also = []
    for (group, version, kind), message in sorted(others.items(), key=str):
        api = f"{group}/{version}" if group else version
        if message and (api, kind) not in of_rows and not kind.endswith("Options"):
            also.append(f"V {api} {kind} {message}")
            roots.append(message)
    return rows, [row.message for row in rows] + roots, also


def reachable(roots, messages):
    seen, waiting = set(), list(roots)
    while waiting:
        message = read.element(waiting.pop() or "")
        if message in seen or message not in messages or message in VALUES:
            continue
        seen.add(message)
        waiting += [field[2] for field in messages[message]]
    return seen


def ask_schemas(server):
    schemas = {}
    for page in json.loads(server.ask("GET", "/openapi/v3")[1])["paths"].values():
        document = json.loads(server.ask("GET", page["serverRelativeURL"])[1])
        schemas.update(document.get("components", {}).get("schemas", {}))
    return schemas


def ask_groups(server):
    server.fields = {**server.fields, "Accept": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"}
    groups = [group for path in ("/api", "/apis") for group in json.loads(server.ask("GET", path)[1])["items"]]
    server.fields = {key: value for key, value in server.fields.items() if key != "Accept"}
    return groups


def table(server, kinds, messages, release):
    schemas = ask_schemas(server)
    rows, roots, also = kind_rows(ask_groups(server), kinds)
    asking = Asking(server, messages, schemas)
    found = asking.all([row for row in rows if "watch" in row.verbs])
    lines = [HEAD.replace("{release}", release) + "R " + release, *[row.line(found) for row in rows], *also]
    for message in sorted(reachable(roots + ALSO, messages)):
        lines.append("M " + message)
        lines += [field_line(message, field, schemas, found["fields"]) for field in messages[message]]
    return lines, asking


def literals(lines):
    """String literals of C++: no compiler has to take one of 64 KiB, so there are several."""
    part = []
    for line in lines:
        if line.startswith("M ") and sum(map(len, part)) + len(part) > 50_000:
            yield 'R"kinds(' + "\n".join(part) + '\n)kinds",\n'
            part = []
        part.append(line)
    yield 'R"kinds(' + "\n".join(part) + '\n)kinds",\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("real", "folder", "types", "out", "samples"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--release", required=True)
    options = parser.parse_args()
    kinds, messages = read.types(options.types)
    Processes.end_on_signals()
    with Real(options.real, options.folder) as server:
        lines, asking = table(server, kinds, messages, options.release)
    for each in asking.refused:
        print("kinds: not created:", each)
    for each in asking.unclear:
        print("kinds: not always added:", each)
    text = "".join(literals(lines))
    options.out.write_text(text)
    rows = [json.dumps(each, separators=(",", ":")) for each in asking.samples + asking.packed]
    options.samples.write_text("[\n" + ",\n".join(rows) + "\n]\n")
    count = sum(line.startswith("K ") for line in lines)
    print(f"kinds: {count} collections in {len(text)} bytes, from {asking.requests} answers of {options.release}")


if __name__ == "__main__":
    main()
