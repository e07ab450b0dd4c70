#include "sim/http/scale_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <utility>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr std::string_view kMergePatch = "application/merge-patch+json";

json::value parsed(const std::string& text) {
  boost::system::error_code failure;
  json::value value = json::parse(text, failure, {}, {.max_depth = kJsonDepthMax});
  return failure ? json::value(json::object()) : value;
}

/// Null when nothing is there.
json::value at(const json::value& value, std::string_view pointer) {
  boost::system::error_code failure;
  const json::value* const found = value.find_pointer(pointer, failure);
  return failure || found == nullptr ? json::value() : *found;
}

api::Error not_a_number(const Target& target) {
  return api::error_from(status_bodies::invalid_object(
      {"autoscaling", "v1", "scales"}, "Scale", target.path[target.path.size() - 2],
      {{"FieldValueInvalid", "Invalid value: must be an integer greater than or equal to 0",
        "spec.replicas"}}));
}

bool is_count(const json::value& value) { return value.is_int64() && value.as_int64() >= 0; }

/// The replicas that a JSON patch sets; null when it does anything else.
json::value set_by_patch(const std::string& body) {
  const json::value patch = parsed(body);
  const json::array* const steps = patch.if_array();
  json::value replicas;
  for (std::size_t i = 0; steps != nullptr && i < steps->size(); ++i) {
    const json::value& step = steps->at(i);
    if (at(step, "/path") != "/spec/replicas" || at(step, "/op") == "remove") {
      return {};
    }
    replicas = at(step, "/value");
  }
  return replicas;
}

}  // namespace

bool has_scale(const api::GroupVersionResource& resource) {
  constexpr std::array<std::string_view, 4> kScaled{"deployments", "replicasets", "statefulsets",
                                                    "replicationcontrollers"};
  return (resource.group.empty() || resource.group == "apps") &&
         std::ranges::find(kScaled, resource.resource) != kScaled.end();
}

bool is_scale(const Target& target) {
  constexpr std::size_t kNamed = 4;  // namespaces/NAMESPACE/RESOURCE/NAME, before "scale"
  const std::size_t prefix = !target.path.empty() && target.path[0] == "api" ? 2 : 3;
  return target.path.size() == prefix + kNamed + 1 && target.path.back() == "scale" &&
         target.path[prefix] == "namespaces" &&
         has_scale({prefix == 2 ? "" : target.path[1], "v1", target.path[prefix + 2]});
}

api::Result<HttpRequest> request_behind_scale(HttpRequest http, const Target& target) {
  std::string path;
  for (std::size_t i = 0; i + 1 < target.path.size(); ++i) {
    path += "/" + escaped(target.path[i]);
  }
  http.target = target_text(path, target.query);
  if (http.method == "GET") {
    return http;
  }
  if (http.method != "PUT" && http.method != "PATCH") {
    return api::error_from(
        api::failure(api::StatusReason::MethodNotAllowed,
                     "the server does not allow this method on the requested resource"));
  }
  const std::string_view type = field_of(http.fields, "Content-Type");
  const bool steps = type.starts_with("application/json-patch+json");
  const json::value body = parsed(http.body);
  json::value replicas = steps ? set_by_patch(http.body) : at(body, "/spec/replicas");
  if (replicas.is_null() && http.method == "PUT") {
    replicas = 0;
  }
  if (!is_count(replicas)) {
    return not_a_number(target);
  }
  json::object change{{"spec", json::object{{"replicas", replicas}}}};
  const json::value revision = steps ? json::value() : at(body, "/metadata/resourceVersion");
  if (revision.is_string() && !revision.as_string().empty()) {
    change["metadata"] = json::object{{"resourceVersion", revision}};
  }
  http.method = "PATCH";
  http.body = json::serialize(change);
  std::erase_if(http.fields,
                [](const HttpField& field) { return !field_of({field}, "Content-Type").empty(); });
  http.fields.push_back({"Content-Type", std::string(kMergePatch)});
  return http;
}

std::string scale_of(const api::Object& object) {
  const json::value body = parsed(object.body);
  const auto count = [&](std::string_view pointer) {
    const json::value found = at(body, pointer);
    return is_count(found) ? found.as_int64() : 0;
  };
  std::string selector;
  const json::value labels = at(body, "/spec/selector/matchLabels");
  if (labels.is_object()) {
    for (const auto& [key, value] : labels.as_object()) {
      selector += fmt::format("{}{}={}", selector.empty() ? "" : ",", std::string_view(key),
                              value.is_string() ? std::string_view(value.as_string()) : "");
    }
  }
  const api::ObjectMeta& metadata = object.metadata;
  return json::serialize(json::object{
      {"kind", "Scale"},
      {"apiVersion", "autoscaling/v1"},
      {"metadata", json::object{{"name", metadata.name},
                                {"namespace", metadata.namespace_},
                                {"uid", metadata.uid},
                                {"resourceVersion", metadata.resource_version},
                                {"creationTimestamp", metadata.creation_timestamp}}},
      {"spec", json::object{{"replicas", count("/spec/replicas")}}},
      {"status", json::object{{"replicas", count("/status/replicas")}, {"selector", selector}}}});
}

}  // namespace watchlab::sim
