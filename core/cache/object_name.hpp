#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "core/api/object.hpp"
#include "core/api/result.hpp"
#include "core/cache/item.hpp"

namespace watchlab::cache {

/// A key in two parts. Names an object of one resource; which resource, the context knows.
/// Mirrors client-go tools/cache/object-names.go, ObjectName.
struct ObjectName {
  std::string namespace_;  ///< "" for cluster-wide objects
  std::string name;

  /// The form that `meta_namespace_key` gives: "namespace/name", or "name".
  [[nodiscard]] std::string text() const;

  auto operator<=>(const ObjectName&) const = default;
};

/// The inverse of `ObjectName::text`. More than one slash is an error of `ErrorKind::Key`. Mirrors
/// client-go tools/cache/object-names.go, ParseObjectName.
[[nodiscard]] api::Result<ObjectName> parse_object_name(std::string_view key);

/// The same under its older name. Mirrors client-go tools/cache/store.go, SplitMetaNamespaceKey.
[[nodiscard]] api::Result<ObjectName> split_meta_namespace_key(std::string_view key);

/// The name in an object's metadata. Mirrors client-go tools/cache/store.go, MetaObjectToName.
[[nodiscard]] ObjectName meta_object_to_name(const api::Object& object);

/// As `meta_namespace_key`, in two parts. Mirrors client-go tools/cache/store.go, ObjectToName.
[[nodiscard]] api::Result<ObjectName> object_to_name(const Item& item);

/// As `object_to_name`, and a tombstone's own key, split. Mirrors client-go
/// tools/cache/controller.go, DeletionHandlingObjectToName.
[[nodiscard]] api::Result<ObjectName> deletion_handling_object_to_name(const Item& item);

}  // namespace watchlab::cache
