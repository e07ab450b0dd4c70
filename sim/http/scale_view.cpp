#include "sim/http/scale_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/http/kind_rules.hpp"

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

/// "/spec/replicas" of ".spec.replicas".
std::string pointer_of(std::string path) {
  std::ranges::replace(path, '.', '/');
  return path;
}

/// An object with nothing but that.
json::object with_value_at(std::string_view path, json::value value) {
  json::object made;
  const std::size_t dot = path.rfind('.');
  made[path.substr(dot == std::string_view::npos ? 0 : dot + 1)] = std::move(value);
  return dot == 0 || dot == std::string_view::npos ? made
                                                   : with_value_at(path.substr(0, dot), made);
}

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

std::optional<ScalePaths> scale_paths(const Target& target, const ResourceTypes& types) {
  constexpr std::size_t kNamed = 4;  // namespaces/NAMESPACE/RESOURCE/NAME, before "scale"
  const std::vector<std::string>& path = target.path;
  const std::size_t prefix = !path.empty() && path[0] == "api" ? 2 : 3;
  const bool is_namespaced =
      path.size() == prefix + kNamed + 1 && path[prefix] == "namespaces" && path.back() == "scale";
  const bool is_cluster_wide = path.size() == prefix + 3 && path.back() == "scale";
  if (!is_namespaced && !is_cluster_wide) {
    return std::nullopt;
  }
  const ResourceType* const type =
      types.find({prefix == 2 ? "" : path[1], path[prefix - 1], path[path.size() - 3]});
  if (type == nullptr || type->namespaced != is_namespaced) {
    return std::nullopt;
  }
  const Kind* const kind = built_in_kind(*type);
  const bool has_scale =
      kind != nullptr && std::ranges::find(kind->subresources, "scale", &KindSubresource::name) !=
                             kind->subresources.end();
  return has_scale ? std::optional(ScalePaths()) : type->scale;
}

api::Result<HttpRequest> request_behind_scale(HttpRequest http, const Target& target,
                                              const ScalePaths& paths) {
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
  const std::string type = media_type_of(http.fields);
  const bool steps = type == "application/json-patch+json";
  const json::value body = parsed(http.body);
  json::value replicas = steps ? set_by_patch(http.body) : at(body, "/spec/replicas");
  if (replicas.is_null() && http.method == "PUT") {
    replicas = 0;
  }
  if (!is_count(replicas)) {
    return not_a_number(target);
  }
  if (type.starts_with("application/apply-patch")) {  // its manager writes; conflicts do not count
    Query query = target.query;
    std::erase_if(query, [](const auto& each) { return each.first == "force"; });
    http.target = target_text(path, query);
  }
  json::object change = with_value_at(paths.replicas, replicas);
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

std::string scale_of(const api::Object& object, const ScalePaths& paths) {
  const json::value body = parsed(object.body);
  const auto count = [&](std::string_view pointer) {
    const json::value found = at(body, pointer);
    return is_count(found) ? found.as_int64() : 0;
  };
  std::string selector;
  const json::value labels = at(body, "/spec/selector/matchLabels");
  if (!paths.selector.empty()) {
    const json::value text = at(body, pointer_of(paths.selector));
    selector = text.is_string() ? std::string(text.get_string()) : "";
  } else if (labels.is_object()) {
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
      {"spec", json::object{{"replicas", count(pointer_of(paths.replicas))}}},
      {"status",
       json::object{{"replicas", count(pointer_of(paths.status))}, {"selector", selector}}}});
}

}  // namespace watchlab::sim
