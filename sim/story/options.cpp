#include "sim/story/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <iterator>
#include <utility>

#include "core/api/json_writer.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/resource_definition.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// The `data` of a sketch as a body; it must have some.
std::string body_of_data(const api::Labels& data) {
  constexpr std::size_t kOfMember = 6;  // quotes, a colon and a comma
  std::size_t size = 10;
  for (const auto& [key, value] : data) {
    size += key.size() + value.size() + kOfMember;
  }
  std::string body;
  body.reserve(size + 1);
  body += "{\"data\":{";
  for (const auto& [key, value] : data) {
    api::append_json_string(body, key);
    body += ':';
    api::append_json_string(body, value);
    body += ',';
  }
  body.back() = '}';
  body += '}';
  return body;
}

}  // namespace

api::Object config_map_from(const ObjectSketch& sketch) {
  static const ResourceType kConfigMaps = *ResourceTypes().find_kind("ConfigMap");
  return object_from(sketch, kConfigMaps);
}

api::Object object_from(const ObjectSketch& sketch, const ResourceType& type) {
  api::Object object;
  object.api_version = api_version_of(type.resource);
  object.kind = type.kind;
  object.metadata.name = sketch.name;
  object.metadata.namespace_ = type.namespaced ? sketch.namespace_ : "";
  if (!sketch.labels.empty()) {
    object.metadata.labels = sketch.labels;
  }
  if (!sketch.annotations.empty()) {
    object.metadata.annotations = sketch.annotations;
  }
  if (!sketch.finalizers.empty()) {
    object.metadata.finalizers = sketch.finalizers;
  }
  if (!sketch.data.empty()) {
    object.body = body_of_data(sketch.data);
  }
  if (!sketch.body.empty()) {
    object.body = body_with(object.body, sketch.body);
  }
  return object;
}

std::string bulk_object_name(std::int64_t number) {
  return fmt::format("{}{:06}", kBulkName, number);
}

bool is_bulk_object(std::string_view name, std::int64_t count) {
  std::int64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto read =
      std::from_chars(name.data() + std::min(kBulkName.size(), name.size()), end, number);
  return read.ec == std::errc() && read.ptr == end && number >= 0 && number < count &&
         name == bulk_object_name(number);
}

std::string body_with(const std::string& body, const std::string& members) {
  if (body.empty() || members.empty()) {
    return body.empty() ? members : body;
  }
  json::object merged = object_in(body);
  for (const auto& [name, value] : object_in(members)) {
    merged[name] = value;
  }
  return json::serialize(merged);
}

std::string body_without(const std::string& body, const std::string& member) {
  if (body.empty()) {
    return body;
  }
  json::object left = object_in(body);
  left.erase(member);
  return left.empty() ? "" : json::serialize(left);
}

std::string definition_of(const StoryResourceOptions& resource) {
  json::array versions;
  if (resource.versions.empty()) {
    json::object subresources;
    if (resource.status) {
      subresources["status"] = json::object();
    }
    if (resource.scale) {
      subresources["scale"] = json::object{{"specReplicasPath", resource.scale->replicas},
                                           {"statusReplicasPath", resource.scale->status},
                                           {"labelSelectorPath", resource.scale->selector}};
    }
    json::object version{{"name", resource.version},
                         {"served", true},
                         {"storage", true},
                         {"subresources", std::move(subresources)}};
    if (!resource.schema.empty()) {
      version["schema"] = json::object{{"openAPIV3Schema", json::parse(resource.schema)}};
    }
    versions.push_back(std::move(version));
  } else {
    versions = json::parse(resource.versions).as_array();
  }
  return json::serialize(
      json::object{{"group", resource.group},
                   {"scope", resource.namespaced ? "Namespaced" : "Cluster"},
                   {"names", json::object{{"kind", resource.kind}, {"plural", resource.plural}}},
                   {"versions", std::move(versions)}});
}

ResourceTypes types_of(const StoryServerOptions& server) {
  std::vector<ResourceType> defined;
  for (const StoryResourceOptions& each : server.resources) {
    std::ranges::move(types_defined_by(json::parse(definition_of(each))),
                      std::back_inserter(defined));
  }
  ResourceTypes types;
  for (const ResourceType& each : defined) {
    if (const ResourceType* const replaced = types.find_kind(each.kind)) {
      types.withdraw(api::GroupVersionResource(replaced->resource));
    }
  }
  if (!defined.empty()) {
    types.define(std::move(defined));
  }
  return types;
}

Trigger trigger_of(const FaultSketch& sketch) {
  Trigger trigger;
  trigger.client = sketch.of;
  trigger.resource = sketch.resource;
  trigger.times = sketch.times;
  trigger.skip = sketch.skip;
  if (sketch.verb) {
    trigger.verbs.push_back(*sketch.verb);
  }
  return trigger;
}

api::Labels data_of(const api::Object& object) {
  api::Labels data;
  if (object.body.empty()) {
    return data;
  }
  const boost::json::object body = object_in(object.body);
  const boost::json::value* found = body.if_contains("data");
  if (found == nullptr || !found->is_object()) {
    return data;
  }
  for (const auto& [key, value] : found->as_object()) {
    data[std::string(key)] =
        value.is_string() ? std::string(value.as_string()) : boost::json::serialize(value);
  }
  return data;
}

}  // namespace watchlab::sim
