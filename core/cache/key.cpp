#include "core/cache/key.hpp"

#include <utility>

namespace watchlab::cache {

std::string describe(const Item& item) {
  if (const auto* tombstone = std::get_if<TombstonePtr>(&item)) {
    return *tombstone ? "the tombstone of " + (*tombstone)->key : "a null tombstone";
  }
  const auto& object = std::get<api::ObjectPtr>(item);
  return object ? "object " + api::key_of(object->metadata) : "a null object";
}

api::Error key_error(const Item& item, const api::Error& cause) {
  if (cause.kind == api::ErrorKind::Key) {
    return cause;
  }
  return {.kind = api::ErrorKind::Key,
          .message = "no key for " + describe(item) + ": " + cause.message};
}

api::Result<std::string> meta_namespace_key(const Item& item) {
  const auto* object = std::get_if<api::ObjectPtr>(&item);
  if (object == nullptr || *object == nullptr) {
    return key_error(item, {.message = "it has no metadata"});
  }
  return api::key_of((*object)->metadata);
}

api::Result<std::string> deletion_handling_meta_namespace_key(const Item& item) {
  const auto* tombstone = std::get_if<TombstonePtr>(&item);
  if (tombstone != nullptr && *tombstone != nullptr) {
    return (*tombstone)->key;
  }
  return meta_namespace_key(item);
}

api::Result<std::string> key_for(const KeyFunction& key_function, const Item& item) {
  api::Result<std::string> key = key_function(item);
  if (!key) {
    key = key_error(item, key.error());
  }
  return key;
}

api::Result<void> check_is_object(const Item& item) {
  const auto* object = std::get_if<api::ObjectPtr>(&item);
  if (object == nullptr || *object == nullptr) {
    return api::Error{.message = "only objects can be stored, and this is " + describe(item)};
  }
  return {};
}

api::Result<std::string> key_for_object(const KeyFunction& key_function, const Item& item) {
  api::Result<std::string> key = key_for(key_function, item);
  if (const api::Result<void> is_object = check_is_object(item); key && !is_object) {
    key = is_object.error();
  }
  return key;
}

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
