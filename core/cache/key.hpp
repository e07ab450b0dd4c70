#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/api/object.hpp"
#include "core/api/result.hpp"

namespace watchlab::cache {

/// A tombstone: an object is known to be deleted, but its last state was not seen. The object may
/// be stale, or null if not even an old state is known. Mirrors client-go
/// tools/cache/delta_fifo.go, DeletedFinalStateUnknown.
struct DeletedFinalStateUnknown {
  std::string key;
  api::ObjectPtr object;

  bool operator==(const DeletedFinalStateUnknown&) const = default;
};

using TombstonePtr = std::shared_ptr<const DeletedFinalStateUnknown>;

/// What travels through queues: an object, or a tombstone. In the original this is an
/// `interface{}`.
using Item = std::variant<api::ObjectPtr, TombstonePtr>;

/// Whether the object is deleted and its last state may be stale.
[[nodiscard]] inline bool is_tombstone(const Item& item) {
  return std::holds_alternative<TombstonePtr>(item);
}

/// The object itself, or the tombstone's last known one, which may be null.
[[nodiscard]] inline api::ObjectPtr object_of(const Item& item) {
  const auto* tombstone = std::get_if<TombstonePtr>(&item);
  return tombstone != nullptr ? (*tombstone)->object : std::get<api::ObjectPtr>(item);
}

/// Computes the key under which an item is stored and queued. It must return the same key for every
/// state of an object. Fails with `ErrorKind::Key`; `key_error` converts other errors to it. Called
/// under the lock of the store or queue that uses it, so it must not call back. Mirrors client-go
/// tools/cache/store.go, KeyFunc.
using KeyFunction = std::function<api::Result<std::string>(const Item& item)>;

/// "namespace/name", or "name" for cluster-wide objects. A tombstone or a null object is a key
/// error, because it has no metadata. Mirrors client-go tools/cache/store.go, MetaNamespaceKeyFunc.
///
/// Differs from client-go: there is no ExplicitKey; a caller that knows only a key uses
/// `get_by_key`.
[[nodiscard]] api::Result<std::string> meta_namespace_key(const Item& item);

/// Like `meta_namespace_key`, but returns a tombstone's own key. Use it in code that handles
/// deletions. Mirrors client-go tools/cache/controller.go, DeletionHandlingMetaNamespaceKeyFunc.
[[nodiscard]] api::Result<std::string> deletion_handling_meta_namespace_key(const Item& item);

/// What messages call an item: its key, "the tombstone of …", or "a null object".
[[nodiscard]] std::string describe(const Item& item);

/// A key error that names `item`; `cause` says why it has no key. A cause that is already a key
/// error is returned unchanged. Mirrors client-go tools/cache/store.go, KeyError.
[[nodiscard]] api::Error key_error(const Item& item, const api::Error& cause);

/// The key from `key_function`, or a key error that names the item.
[[nodiscard]] api::Result<std::string> key_for(const KeyFunction& key_function, const Item& item);

/// An error if a store of objects was given something else; nothing if it is an object. Differs
/// from client-go: stores and the plain queue hold only objects. The original's take anything, so a
/// tombstone can slip into a store whose key function accepts it.
[[nodiscard]] api::Result<void> check_is_object(const Item& item);

/// Like `key_for`, for functions that accept only objects: also fails as `check_is_object` does.
[[nodiscard]] api::Result<std::string> key_for_object(const KeyFunction& key_function,
                                                      const Item& item);

/// A key in two parts. It names an object of one resource, which the context determines. Mirrors
/// client-go tools/cache/object-names.go, ObjectName.
struct ObjectName {
  std::string namespace_;  ///< "" for cluster-wide objects
  std::string name;

  /// The form of `meta_namespace_key`: "namespace/name", or "name".
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

/// Like `meta_namespace_key`, in two parts. Mirrors client-go tools/cache/store.go, ObjectToName.
[[nodiscard]] api::Result<ObjectName> object_to_name(const Item& item);

/// Like `object_to_name`, but splits a tombstone's own key. Mirrors client-go
/// tools/cache/controller.go, DeletionHandlingObjectToName.
[[nodiscard]] api::Result<ObjectName> deletion_handling_object_to_name(const Item& item);

}  // namespace watchlab::cache
