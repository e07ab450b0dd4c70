#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <functional>

#include "sim/http/discovery.hpp"
#include "sim/http/kind_rules.hpp"
#include "sim/http/openapi_schemas.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// The name of a message's schema: "io.k8s.api.apps.v1.DeploymentSpec".
std::string schema_name(std::string_view message) {
  std::string name(message);
  std::ranges::replace(name, '/', '.');
  for (const auto& [start, home] :
       {std::pair("meta.", "io.k8s.apimachinery.pkg.apis."),
        std::pair("api.resource.", "io.k8s.apimachinery.pkg."),
        std::pair("util.intstr.", "io.k8s.apimachinery.pkg."),
        std::pair("pkg.runtime.", "io.k8s.apimachinery."),
        std::pair("apiextensions.", "io.k8s.apiextensions-apiserver.pkg.apis."),
        std::pair("apiregistration.", "io.k8s.kube-aggregator.pkg.apis.")}) {
    if (name.starts_with(start)) {
      return home + name;
    }
  }
  return "io.k8s.api." + name;
}

json::array words_between_commas(std::string_view text) {
  json::array words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    words.push_back(json::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// One value of a field, whatever form it has.
json::object value_schema(const KindField& field) {
  switch (field.type) {
    case FieldType::Text:
      return {{"type", "string"}};
    case FieldType::Flag:
      return {{"type", "boolean"}};
    case FieldType::Int32:
      return {{"type", "integer"}, {"format", "int32"}};
    case FieldType::Int64:
      return {{"type", "integer"}, {"format", "int64"}};
    case FieldType::Double:
      return {{"type", "number"}, {"format", "double"}};
    case FieldType::Bytes:
      return {{"type", "string"}, {"format", "byte"}};
    case FieldType::TextItems:
      return {{"type", "array"}, {"items", json::object{{"type", "string"}}}};
    case FieldType::Message:
      break;
  }
  return {{"allOf", json::array{json::object{
                        {"$ref", "#/components/schemas/" + schema_name(field.message->name)}}}}};
}

json::object field_schema(const KindField& field) {
  json::object schema = value_schema(field);
  if (!field.words.empty()) {
    schema["enum"] = words_between_commas(field.words);
  }
  if (field.form == FieldForm::List) {
    schema = {{"type", "array"}, {"items", std::move(schema)}};
    schema["x-kubernetes-list-type"] = !field.list_keys.empty() ? "map"
                                       : field.is_set           ? "set"
                                                                : "atomic";
    if (!field.list_keys.empty()) {
      schema["x-kubernetes-list-map-keys"] = words_between_commas(field.list_keys);
    }
  } else if (field.form == FieldForm::Map) {
    schema = {{"type", "object"}, {"additionalProperties", std::move(schema)}};
  }
  if (field.is_atomic) {
    schema["x-kubernetes-map-type"] = "atomic";
  }
  if (field.merges || field.retains_keys) {
    schema["x-kubernetes-patch-strategy"] = !field.retains_keys ? "merge"
                                            : field.merges      ? "merge,retainKeys"
                                                                : "retainKeys";
  }
  if (!field.merge_key.empty()) {
    schema["x-kubernetes-patch-merge-key"] = field.merge_key;
  }
  return schema;
}

void add_fields_of(const KindMessage& message, json::object& properties, json::array& required) {
  for (const KindField& field : message.fields) {
    if (field.name.empty()) {
      add_fields_of(*field.message, properties, required);
      continue;
    }
    properties[field.name] = field_schema(field);
    if (field.required) {
      required.push_back(json::string(field.name));
    }
  }
}

json::object message_schema(const KindMessage& message) {
  switch (message.value) {
    case ValueKind::Members: {
      json::object properties;
      json::array required;
      add_fields_of(message, properties, required);
      json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
      if (!required.empty()) {
        schema["required"] = std::move(required);
      }
      return schema;
    }
    case ValueKind::Time:
    case ValueKind::MicroTime:
      return {{"type", "string"}, {"format", "date-time"}};
    case ValueKind::Quantity:
    case ValueKind::IntOrString:
      return {{"oneOf",
               json::array{json::object{{"type", "string"}}, json::object{{"type", "integer"}}}}};
    default:
      return {{"x-kubernetes-preserve-unknown-fields", true}};
  }
}

/// Adds the schema of a message and of all that it is made of.
void add_message(const KindMessage& message, json::object& schemas) {
  const std::string name = schema_name(message.name);
  if (schemas.contains(name)) {
    return;
  }
  schemas[name] = message_schema(message);
  for (const KindField& field : message.fields) {
    if (field.message != nullptr) {
      add_message(*field.message, schemas);
    }
  }
}

json::object openapi_kind(const ResourceType& type) {
  return {{"group", type.resource.group}, {"version", type.resource.version}, {"kind", type.kind}};
}

/// Adds the schema of a type: that of a built-in kind is complete, that of a custom one comes from
/// its definition.
void add_object(const ResourceType& type, json::object& schemas) {
  const Kind* const kind = built_in_kind(type);
  const KindMessage& metadata = KindTable::newest().message("meta/v1.ObjectMeta");
  std::string name = custom_schema_name(type);
  if (kind != nullptr) {
    name = schema_name(kind->message->name);
    add_message(*kind->message, schemas);
    json::object& properties = schemas[name].as_object()["properties"].as_object();
    properties["apiVersion"] = json::object{{"type", "string"}};
    properties["kind"] = json::object{{"type", "string"}};
  } else {
    add_message(metadata, schemas);
    schemas[name] = custom_schema(type, schema_name(metadata.name));
  }
  if (json::value* const found = schemas.if_contains(schema_name(metadata.name))) {
    describe_metadata(found->as_object());
  }
  schemas[name].as_object()["x-kubernetes-group-version-kind"] = json::array{openapi_kind(type)};
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

/// Changes when the document does; a client keeps that on disk for as long as it stays.
std::size_t hash_of(const ResourceTypes& types, const ServedVersion& served) {
  std::string text = KindTable::newest().release();
  for (const ResourceType* const type : types_in(types, served.group, served.version)) {
    text += " " + type->resource.resource + "/" + type->kind;
    text += type->schema == nullptr ? "" : json::serialize(*type->schema);
  }
  return std::hash<std::string>{}(text);
}

}  // namespace

std::string openapi_index(const ResourceTypes& types) {
  json::object paths;
  for (const ServedVersion& each : served_versions(types)) {
    const std::string path = base_path(each.group, each.version);
    const std::size_t hash = hash_of(types, each);
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
    add_object(*type, schemas);
  }
  if (schemas.empty()) {
    return {};
  }
  return json::serialize(
      json::object{{"openapi", "3.0.0"},
                   {"info", json::object{{"title", "watchlab"}, {"version", "v1"}}},
                   {"paths", paths},
                   {"components", json::object{{"schemas", schemas}}}});
}

std::string openapi_two(const ResourceTypes& types) {
  json::object definitions;
  for (const auto& [resource, type] : types.all()) {
    add_object(type, definitions);
    if (type.custom && (type.schema == nullptr || preserves_unknown(*type.schema))) {
      definitions[custom_schema_name(type)] = json::object{
          {"type", "object"}, {"x-kubernetes-group-version-kind", json::array{openapi_kind(type)}}};
    }
  }
  for (auto& [name, schema] : definitions) {
    to_openapi_two(schema.as_object());
  }
  return json::serialize(
      json::object{{"swagger", "2.0"},
                   {"info", json::object{{"title", "watchlab"}, {"version", "v1"}}},
                   {"paths", json::object{}},
                   {"definitions", std::move(definitions)}});
}

}  // namespace watchlab::sim
