#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/cache/key.hpp"

namespace watchlab::tests {

/// A ConfigMap with that key ("name" or "namespace/name") and resource version.
inline api::ObjectPtr object(std::string_view key, std::string resource_version = "1",
                             api::Labels labels = {}) {
  api::Object made;
  made.api_version = "v1";
  made.kind = "ConfigMap";
  const std::size_t slash = key.find('/');
  if (slash != std::string_view::npos) {
    made.metadata.namespace_ = std::string(key.substr(0, slash));
    key.remove_prefix(slash + 1);
  }
  made.metadata.name = std::string(key);
  made.metadata.resource_version = std::move(resource_version);
  made.metadata.labels = std::move(labels);
  return std::make_shared<const api::Object>(std::move(made));
}

/// A tombstone for that key around that state, which may be null.
inline cache::Item tombstone(std::string key, api::ObjectPtr last = nullptr) {
  return std::make_shared<const cache::DeletedFinalStateUnknown>(
      cache::DeletedFinalStateUnknown{.key = std::move(key), .object = std::move(last)});
}

/// "name@version", or "null".
inline std::string text_of(const api::ObjectPtr& object) {
  return object == nullptr
             ? "null"
             : api::key_of(object->metadata) + "@" + object->metadata.resource_version;
}

/// An object as above; a tombstone as "gone(name@version)", or as "gone(key: name@version)" where
/// its key is not that of its object.
inline std::string text_of(const cache::Item& item) {
  const api::ObjectPtr state = cache::object_of(item);
  if (!cache::is_tombstone(item)) {
    return text_of(state);
  }
  const std::string& key = std::get<cache::TombstonePtr>(item)->key;
  const bool is_other = state != nullptr && key != api::key_of(state->metadata);
  return "gone(" + (is_other ? key + ": " : "") + text_of(state) + ")";
}

}  // namespace watchlab::tests
