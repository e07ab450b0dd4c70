#include "exercises/toolkit/objects.hpp"

#include <memory>
#include <utility>

namespace watchlab::exercise {

api::ObjectPtr object(std::string_view key, std::string_view resource_version, api::Labels labels) {
  api::Object made{.api_version = "v1", .kind = "ConfigMap"};
  const std::size_t slash = key.find('/');
  made.metadata.name = key.substr(slash == std::string_view::npos ? 0 : slash + 1);
  made.metadata.namespace_ = key.substr(0, slash == std::string_view::npos ? 0 : slash);
  made.metadata.resource_version = resource_version;
  made.metadata.labels = std::move(labels);
  return std::make_shared<const api::Object>(std::move(made));
}

cache::Item tombstone(std::string_view key, api::ObjectPtr last) {
  cache::DeletedFinalStateUnknown gone{.key = std::string(key), .object = std::move(last)};
  return std::make_shared<const cache::DeletedFinalStateUnknown>(std::move(gone));
}

std::string text_of(const api::ObjectPtr& object) {
  return object ? api::key_of(object->metadata) + "@" + object->metadata.resource_version : "null";
}

std::string text_of(const cache::Item& item) {
  std::string text = text_of(cache::object_of(item));
  return cache::is_tombstone(item) ? "gone(" + text + ")" : text;
}

}  // namespace watchlab::exercise
