#pragma once

#include <functional>
#include <string>

#include "core/api/result.hpp"
#include "core/cache/item.hpp"

namespace watchlab::cache {

/// Says under which key an item is stored and queued. It must give the same key for every state of
/// the same object. Fails with `ErrorKind::Key`; a failure of another kind is turned into one by
/// `key_error`. Called under the lock of the store or queue that uses it, so it must not call back.
/// Mirrors client-go tools/cache/store.go, KeyFunc.
using KeyFunction = std::function<api::Result<std::string>(const Item& item)>;

/// "namespace/name", or "name" for cluster-wide objects. A tombstone has no metadata, so it is a
/// key error, and so is a null object. Mirrors client-go tools/cache/store.go,
/// MetaNamespaceKeyFunc.
///
/// Differs from client-go: there is no ExplicitKey; whoever knows only a key uses `get_by_key`.
[[nodiscard]] api::Result<std::string> meta_namespace_key(const Item& item);

/// As `meta_namespace_key`, and a tombstone's own key for a tombstone. The key function for whoever
/// handles deletions. Mirrors client-go tools/cache/controller.go,
/// DeletionHandlingMetaNamespaceKeyFunc.
[[nodiscard]] api::Result<std::string> deletion_handling_meta_namespace_key(const Item& item);

/// How an item is called in messages: its key, "the tombstone of …", or "a null object".
[[nodiscard]] std::string describe(const Item& item);

/// Says that `item` has no key, and names it; `cause` says why. A cause that is a key error already
/// comes back as it is. Mirrors client-go tools/cache/store.go, KeyError.
[[nodiscard]] api::Error key_error(const Item& item, const api::Error& cause);

/// The key that `key_function` gives, or the key error that names the item.
[[nodiscard]] api::Result<std::string> key_for(const KeyFunction& key_function, const Item& item);

/// Says that a store of objects was given something that is none, or nothing when it was.
/// Differs from client-go: stores and the plain queue hold objects only. The original's take
/// anything, so that a tombstone can slip into a store whose key function accepts it.
[[nodiscard]] api::Result<void> check_is_object(const Item& item);

}  // namespace watchlab::cache
