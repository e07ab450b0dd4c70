#include "sim/http/openapi_schemas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <utility>

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr std::string_view kReference = "#/components/schemas/";
constexpr std::string_view kPreserves = "x-kubernetes-preserve-unknown-fields";

bool says(const json::object& schema, std::string_view word) {
  const json::value* const found = schema.if_contains(word);
  return found != nullptr && found->is_bool() && found->get_bool();
}

json::object described(json::object schema, std::string_view description) {
  schema["description"] = description;
  return schema;
}

json::object reference_to(const std::string& name) {
  return {{"allOf", json::array{json::object{{"$ref", std::string(kReference) + name}}}}};
}

void add_members_of_objects(json::object& schema, const std::string& metadata_name) {
  json::value& properties = schema["properties"];
  json::object& all =
      properties.is_object() ? properties.get_object() : properties.emplace_object();
  all["apiVersion"] =
      described({{"type", "string"}},
                "APIVersion defines the versioned schema of this representation of an object.");
  all["kind"] = described({{"type", "string"}}, "Kind is the type of this object.");
  all["metadata"] = described(reference_to(metadata_name), "Standard object's metadata.");
}

/// Calls `visit` for each schema directly below a schema.
template <typename Visit>
void visit_below(json::object& schema, const Visit& visit) {
  if (json::value* const named = schema.if_contains("properties");
      named != nullptr && named->is_object()) {
    for (auto& [name, value] : named->get_object()) {
      if (json::object* const each = value.if_object()) {
        visit(*each);
      }
    }
  }
  for (const std::string_view part : {"items", "additionalProperties"}) {
    if (json::value* const found = schema.if_contains(part);
        found != nullptr && found->is_object()) {
      visit(found->get_object());
    }
  }
}

void add_embedded(json::object& schema, const std::string& metadata_name) {
  visit_below(schema, [&](json::object& each) {
    add_embedded(each, metadata_name);
    if (says(each, "x-kubernetes-embedded-resource")) {
      add_members_of_objects(each, metadata_name);
    }
  });
}

/// Nullable members are not required: OpenAPI 2 has no null.
void forget_nullable(json::object& schema) {
  json::value* const required = schema.if_contains("required");
  json::value* const named = schema.if_contains("properties");
  if (required == nullptr || !required->is_array() || named == nullptr || !named->is_object()) {
    return;
  }
  json::array left;
  for (const json::value& each : required->get_array()) {
    const json::value* const member =
        each.is_string() ? named->get_object().if_contains(each.get_string()) : nullptr;
    if (member == nullptr || !member->is_object() || !says(member->get_object(), "nullable")) {
      left.push_back(each);
    }
  }
  if (left.empty()) {
    schema.erase("required");
  } else {
    *required = std::move(left);
  }
}

/// A schema that is a reference, converted to OpenAPI 2; empty for other schemas.
json::object reference_in(const json::object& schema) {
  const json::value* const parts = schema.if_contains("allOf");
  const bool is_one = parts != nullptr && parts->is_array() && parts->get_array().size() == 1;
  const json::object* const part = is_one ? parts->get_array()[0].if_object() : nullptr;
  const json::value* const name = part == nullptr ? nullptr : part->if_contains("$ref");
  if (name == nullptr || !name->is_string()) {
    return {};
  }
  json::object made{
      {"$ref", fmt::format("#/definitions/{}",
                           std::string_view(name->get_string()).substr(kReference.size()))}};
  if (const json::value* const description = schema.if_contains("description")) {
    made["description"] = *description;
  }
  return made;
}

}  // namespace

std::string custom_schema_name(const ResourceType& type) {
  std::string name;
  std::string_view group = type.resource.group;
  while (!group.empty()) {
    const std::size_t dot = group.rfind('.');
    name += fmt::format("{}.", group.substr(dot == std::string_view::npos ? 0 : dot + 1));
    group = group.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return name + type.resource.version + "." + type.kind;
}

json::object custom_schema(const ResourceType& type, const std::string& metadata_name) {
  json::object schema =
      type.schema != nullptr ? *type.schema : json::object{{"type", "object"}, {kPreserves, true}};
  add_embedded(schema, metadata_name);
  add_members_of_objects(schema, metadata_name);
  return schema;
}

bool preserves_unknown(const json::object& schema) { return says(schema, kPreserves); }

void describe_metadata(json::object& schema) {
  constexpr std::array kDescriptions{
      std::pair("annotations", "Annotations is a map of texts that tools store with an object."),
      std::pair(
          "creationTimestamp",
          "CreationTimestamp is a timestamp: the server's time when this object was created."),
      std::pair("deletionGracePeriodSeconds",
                "Number of seconds that this object has to terminate once it is being deleted."),
      std::pair("deletionTimestamp",
                "DeletionTimestamp is the time at which this object will be deleted."),
      std::pair("finalizers",
                "Must be empty before the object is removed. Each entry names who has to "
                "remove it."),
      std::pair("generateName",
                "GenerateName is a prefix that the server turns into a unique name."),
      std::pair("generation", "A sequence number of the desired state."),
      std::pair("labels", "Map of texts that organize and select objects."),
      std::pair("managedFields", "ManagedFields says which manager owns which fields."),
      std::pair("name", "Name must be unique within a namespace."),
      std::pair("namespace", "Namespace is the space within which a name must be unique."),
      std::pair("ownerReferences",
                "List of objects that this object depends on. It is deleted once all are gone."),
      std::pair("resourceVersion",
                "A text that identifies this version of the object and changes with each write."),
      std::pair("uid", "UID is unique in time and space."),
  };
  json::value* const properties = schema.if_contains("properties");
  for (const auto& [name, description] : kDescriptions) {
    if (json::value* const found = properties->get_object().if_contains(name)) {
      found->get_object()["description"] = description;
    }
  }
}

void to_openapi_two(json::object& schema) {
  if (json::object reference = reference_in(schema); !reference.empty()) {
    schema = std::move(reference);
    return;
  }
  if (schema.contains("oneOf") && !schema.contains("type")) {
    schema["type"] = "string";  // a quantity, or a number or a string
  }
  for (const std::string_view part : {"allOf", "oneOf", "anyOf", "not"}) {
    schema.erase(part);
  }
  const bool is_nullable = says(schema, "nullable");
  const bool preserves = says(schema, kPreserves);
  if (is_nullable || preserves) {
    schema.erase("items");
    schema.erase("properties");
    schema.erase("nullable");
  }
  const json::value* const type = schema.if_contains("type");
  const bool is_list = type != nullptr && *type == "array" && !schema.contains("items");
  if (is_nullable || is_list || (preserves && type != nullptr && *type == "object")) {
    schema.erase("type");
  }
  forget_nullable(schema);
  visit_below(schema, [](json::object& each) { to_openapi_two(each); });
}

}  // namespace watchlab::sim
