#include "sim/story/options.hpp"

#include <boost/json.hpp>

#include "core/api/json_writer.hpp"

namespace watchlab::sim {

api::Object config_map_from(const ObjectSketch& sketch) {
  api::Object object{.api_version = "v1",
                     .kind = "ConfigMap",
                     .metadata = {.name = sketch.name, .namespace_ = sketch.namespace_}};
  if (!sketch.labels.empty()) {
    object.metadata.labels = sketch.labels;
  }
  if (!sketch.annotations.empty()) {
    object.metadata.annotations = sketch.annotations;
  }
  if (!sketch.data.empty()) {
    constexpr std::size_t kOfMember = 6;  // quotes, a colon and a comma
    std::size_t size = 10;
    for (const auto& [key, value] : sketch.data) {
      size += key.size() + value.size() + kOfMember;
    }
    object.body.reserve(size + 1);
    object.body += "{\"data\":{";
    for (const auto& [key, value] : sketch.data) {
      api::append_json_string(object.body, key);
      object.body += ':';
      api::append_json_string(object.body, value);
      object.body += ',';
    }
    object.body.back() = '}';
    object.body += '}';
  }
  return object;
}

api::Labels data_of(const api::Object& object) {
  api::Labels data;
  if (object.body.empty()) {
    return data;
  }
  const boost::json::value body = boost::json::parse(object.body);
  const boost::json::value* found = body.as_object().if_contains("data");
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
