#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <functional>

#include "sim/http/discovery.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr std::string_view kMetaSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// What a property holds.
enum class Holds : std::uint8_t { Text, Number, Flag, Texts, TextList, Anything };

struct Property {
  std::string_view kind;  ///< of the object that has it; "" for its metadata
  std::string_view name;
  Holds holds;
  std::string_view doc;
};

/// The properties that are described one by one. All other kinds have a spec, and those that have a
/// status have one.
constexpr std::array kProperties{
    Property{"", "name", Holds::Text, "The name of the object, unique within its namespace."},
    Property{"", "generateName", Holds::Text, "The beginning of a name that the server makes."},
    Property{"", "namespace", Holds::Text, "The namespace that the object lives in."},
    Property{"", "uid", Holds::Text, "Names this object, and no later one of the same name."},
    Property{"", "resourceVersion", Holds::Text, "The revision of the last change. Opaque."},
    Property{"", "generation", Holds::Number, "Counts the changes of what is desired."},
    Property{"", "creationTimestamp", Holds::Text, "When the server stored it first."},
    Property{"", "deletionTimestamp", Holds::Text, "When its deletion was asked for."},
    Property{"", "labels", Holds::Texts, "Texts by which objects are selected."},
    Property{"", "annotations", Holds::Texts, "Texts for programs; nothing is selected by them."},
    Property{"", "finalizers", Holds::TextList, "Must be empty before the object is deleted."},
    Property{"", "ownerReferences", Holds::Anything, "The objects that this one depends on."},
    Property{"ConfigMap", "data", Holds::Texts, "The texts that it holds, by their keys."},
    Property{"ConfigMap", "binaryData", Holds::Texts, "Bytes that are no text, in base64."},
    Property{"ConfigMap", "immutable", Holds::Flag, "Whether its data may not be changed."},
    Property{"Secret", "data", Holds::Texts, "The secrets, by their keys, in base64."},
    Property{"Secret", "stringData", Holds::Texts, "The same as text, to be written only."},
    Property{"Secret", "type", Holds::Text, "What programs take it for."},
    Property{"Secret", "immutable", Holds::Flag, "Whether its data may not be changed."},
    Property{"Event", "reason", Holds::Text, "Why, in one word."},
    Property{"Event", "message", Holds::Text, "What happened, in a sentence."},
    Property{"Event", "type", Holds::Text, "Normal or Warning."},
    Property{"Event", "involvedObject", Holds::Anything, "What it is about."},
};

json::object schema_of(Holds holds, std::string_view doc) {
  json::object schema{{"description", doc}};
  switch (holds) {
    case Holds::Text:
      schema["type"] = "string";
      break;
    case Holds::Number:
      schema["type"] = "integer";
      break;
    case Holds::Flag:
      schema["type"] = "boolean";
      break;
    case Holds::Texts:
      schema["type"] = "object";
      schema["additionalProperties"] = json::object{{"type", "string"}};
      break;
    case Holds::TextList:
      schema["type"] = "array";
      schema["items"] = json::object{{"type", "string"}};
      break;
    case Holds::Anything:
      schema["type"] = "object";
      schema["x-kubernetes-preserve-unknown-fields"] = true;
      break;
  }
  return schema;
}

json::object properties_of(std::string_view kind) {
  json::object properties;
  for (const Property& each : kProperties) {
    if (each.kind == kind) {
      properties[each.name] = schema_of(each.holds, each.doc);
    }
  }
  return properties;
}

json::object openapi_kind(const ResourceType& type) {
  return {{"group", type.resource.group}, {"version", type.resource.version}, {"kind", type.kind}};
}

json::object object_schema(const ResourceType& type) {
  json::object properties{
      {"apiVersion", schema_of(Holds::Text, "The group and version of the object's schema.")},
      {"kind", schema_of(Holds::Text, "The kind of the object.")},
      {"metadata",
       json::object{
           {"description", "What objects of all kinds have."},
           {"allOf", json::array{json::object{
                         {"$ref", fmt::format("#/components/schemas/{}", kMetaSchema)}}}}}}};
  const json::object own = properties_of(type.kind);
  for (const auto& [name, schema] : own) {
    properties[name] = schema;
  }
  if (own.empty()) {
    properties["spec"] = schema_of(Holds::Anything, "What is desired.");
  }
  if (type.status_subresource) {
    properties["status"] = schema_of(Holds::Anything, "What was found to be the case.");
  }
  return {{"description", fmt::format("{} is kept as it was sent; watchlab has no schema for "
                                      "more than is listed here.",
                                      type.kind)},
          {"type", "object"},
          {"properties", properties},
          {"x-kubernetes-group-version-kind", json::array{openapi_kind(type)}}};
}

json::object operation(const ResourceType& type, std::string_view action) {
  json::object made{{"x-kubernetes-action", action},
                    {"x-kubernetes-group-version-kind", openapi_kind(type)},
                    {"responses", json::object{}}};
  if (action == "patch" || action == "put" || action == "post") {
    const auto text_parameter = [](std::string_view name) {
      return json::object{
          {"name", name}, {"in", "query"}, {"schema", json::object{{"type", "string"}}}};
    };
    // Where it is named, kubectl does not check objects itself, and may ask for dry runs.
    made["parameters"] = json::array{text_parameter("dryRun"), text_parameter("fieldManager"),
                                     text_parameter("fieldValidation")};
  }
  return made;
}

std::string base_path(std::string_view group, std::string_view version) {
  return group.empty() ? fmt::format("api/{}", version) : fmt::format("apis/{}/{}", group, version);
}

std::string schema_name(const ResourceType& type) {
  const std::string& group = type.resource.group;
  return fmt::format("watchlab.{}.{}.{}", group.empty() ? "core" : group, type.resource.version,
                     type.kind);
}

}  // namespace

std::string openapi_index(const ResourceTypes& types) {
  json::object paths;
  for (const ServedVersion& each : served_versions(types)) {
    const std::string path = base_path(each.group, each.version);
    // A client keeps a document on disk for as long as this hash stays.
    const std::size_t hash =
        std::hash<std::string>{}(openapi_document(types, each.group, each.version));
    paths[path] =
        json::object{{"serverRelativeURL", fmt::format("/openapi/v3/{}?hash={:016X}", path, hash)}};
  }
  return json::serialize(json::object{{"paths", paths}});
}

std::string openapi_document(const ResourceTypes& types, std::string_view group,
                             std::string_view version) {
  json::object paths;
  json::object schemas;
  for (const ResourceType* type : types_in(types, group, version)) {
    const std::string collection =
        fmt::format("/{}/{}{}", base_path(group, version),
                    type->namespaced ? "namespaces/{namespace}/" : "", type->resource.resource);
    paths[collection] =
        json::object{{"get", operation(*type, "list")}, {"post", operation(*type, "post")}};
    paths[collection + "/{name}"] = json::object{{"get", operation(*type, "get")},
                                                 {"put", operation(*type, "put")},
                                                 {"patch", operation(*type, "patch")},
                                                 {"delete", operation(*type, "delete")}};
    schemas[schema_name(*type)] = object_schema(*type);
  }
  if (schemas.empty()) {
    return {};
  }
  schemas[kMetaSchema] = json::object{{"description", "What objects of all kinds have."},
                                      {"type", "object"},
                                      {"properties", properties_of("")}};
  return json::serialize(
      json::object{{"openapi", "3.0.0"},
                   {"info", json::object{{"title", "watchlab"}, {"version", "v1"}}},
                   {"paths", paths},
                   {"components", json::object{{"schemas", schemas}}}});
}

}  // namespace watchlab::sim
