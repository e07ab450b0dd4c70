#include "core/cache/object_name.hpp"

#include "core/cache/key.hpp"

namespace watchlab::cache {

std::string ObjectName::text() const { return namespace_.empty() ? name : namespace_ + "/" + name; }

api::Result<ObjectName> parse_object_name(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) {
    return ObjectName{.namespace_ = "", .name = std::string(key)};
  }
  if (key.find('/', slash + 1) != std::string_view::npos) {
    return api::Error{.kind = api::ErrorKind::Key,
                      .message = "unexpected key format: \"" + std::string(key) + "\""};
  }
  return ObjectName{.namespace_ = std::string(key.substr(0, slash)),
                    .name = std::string(key.substr(slash + 1))};
}

api::Result<ObjectName> split_meta_namespace_key(std::string_view key) {
  return parse_object_name(key);
}

ObjectName meta_object_to_name(const api::Object& object) {
  return {.namespace_ = object.metadata.namespace_, .name = object.metadata.name};
}

api::Result<ObjectName> object_to_name(const Item& item) {
  // Reading the metadata, not splitting the key: a name with a slash in it stays in one piece.
  const api::Result<std::string> key = meta_namespace_key(item);
  if (!key) {
    return key.error();
  }
  return meta_object_to_name(*std::get<api::ObjectPtr>(item));
}

api::Result<ObjectName> deletion_handling_object_to_name(const Item& item) {
  const auto* tombstone = std::get_if<TombstonePtr>(&item);
  if (tombstone != nullptr && *tombstone != nullptr) {
    return parse_object_name((*tombstone)->key);
  }
  return object_to_name(item);
}

}  // namespace watchlab::cache
