#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/result.hpp"
#include "core/cache/key.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/order.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// Transforms each object once, before it is queued, for example to drop fields that nobody reads.
/// It makes a new object, because the given one may be shared. It must be idempotent. If it fails,
/// the object is not queued. Mirrors client-go tools/cache/controller.go, TransformFunc.
using TransformFunction = std::function<api::Result<api::ObjectPtr>(const api::ObjectPtr& object)>;

/// Lists the keys that it holds. Mirrors client-go tools/cache/delta_fifo.go, KeyLister.
class KeyLister : public runtime::Interface {
 public:
  /// In unspecified order.
  [[nodiscard]] virtual std::vector<std::string> list_keys() const = 0;
};

/// Finds an object by its key. Mirrors client-go tools/cache/delta_fifo.go, KeyGetter.
///
/// Differs from client-go: a lookup cannot fail, it finds the object or not. No store of the
/// original or here fails in it.
class KeyGetter : public runtime::Interface {
 public:
  /// Null if there is none.
  [[nodiscard]] virtual api::ObjectPtr get_by_key(const std::string& key) const = 0;
};

/// What a `DeltaFIFO` asks about the objects that its consumer has already stored; any `Store` is
/// one. The queue calls it under its own lock. Mirrors client-go tools/cache/delta_fifo.go,
/// KeyListerGetter.
class KeyListerGetter : public KeyLister, public KeyGetter {};

/// Implemented, besides `ReflectorStore`, by a store that wants to know the revision that the
/// reflector has reached, which bookmarks advance without any change of an object. Mirrors
/// client-go tools/cache/reflector.go, ResourceVersionUpdater.
class ResourceVersionUpdater : public runtime::Interface {
 public:
  /// Called by the reflector's task after each event of a watch, including bookmarks.
  virtual void update_resource_version(const std::string& resource_version) = 0;
};

/// What a reflector writes to: a store or a queue. Mirrors client-go tools/cache/reflector.go,
/// ReflectorStore. Any task may call any function.
class ReflectorStore : public runtime::Interface {
 public:
  /// A change to one object from the watch or from another writer. All three fail, and change
  /// nothing, if an item has no key. A store accepts an `add` of an object that it has, and an
  /// `update` of one that it does not have.
  virtual api::Result<void> add(const Item& item) = 0;
  virtual api::Result<void> update(const Item& item) = 0;
  virtual api::Result<void> remove(const Item& item) = 0;
  /// Replaces everything with `items`, the complete state at `resource_version`.
  virtual api::Result<void> replace(std::span<const api::ObjectPtr> items,
                                    const std::string& resource_version) = 0;
  /// Repeats to the consumers what they should already know; does nothing in a plain store.
  virtual api::Result<void> resync() = 0;
};

/// Implemented, besides `ReflectorStore`, by a queue that queues bookmarks. Mirrors client-go 0.36
/// tools/cache/reflector.go, ReflectorBookmarkStore. A `Store` is not one: its `bookmark` is for
/// the consumer of a queue.
class ReflectorBookmarkStore : public runtime::Interface {
 public:
  /// Called by the reflector's task for each bookmark of a watch, in the order of its events.
  virtual api::Result<void> bookmark(const std::string& resource_version) = 0;
};

/// Implemented, besides `ReflectorStore`, by a queue that transforms its input, so that whoever
/// collects a list for it can do the same. Mirrors client-go 0.34 tools/cache/reflector.go,
/// TransformingStore.
class TransformingStore : public runtime::Interface {
 public:
  /// Empty if it does not transform.
  [[nodiscard]] virtual const TransformFunction& transformer() const = 0;
};

/// Objects by key. Any task may call any function; each call sees and leaves one consistent state.
/// Mirrors client-go tools/cache/store.go, Store.
///
/// `add` and `update` are the same: they store the object and replace what was there. Removing
/// something that is not there is not an error. A key that cannot be computed is an error of
/// `ErrorKind::Key`. What a store returns never changes afterwards: lists are copies, and objects
/// are immutable.
class Store : public ReflectorStore, public KeyListerGetter {
 public:
  /// In unspecified order, which the runtime chooses.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> list() const = 0;
  /// The stored object with the same key as `item`; null if there is none.
  [[nodiscard]] virtual api::Result<api::ObjectPtr> get(const Item& item) const = 0;
  /// Records that the store has everything up to this revision. Since 0.36; does nothing in a store
  /// without revisions.
  virtual void bookmark(const std::string& /*resource_version*/) {}
  /// The revision that the store has reached, according to the last change, list or bookmark; it
  /// may go back. "" for a store that does not report one. Since 0.36.
  [[nodiscard]] virtual std::string last_store_sync_resource_version() const { return ""; }
};

/// One of several changes that a store makes together. Mirrors client-go 0.35 tools/cache/store.go,
/// Transaction; Add and Update are the same for a store.
struct Transaction {
  enum class Type : std::uint8_t { Add, Update, Delete };
  Type type = Type::Add;
  Item item;
};

/// What part of a transaction failed. Mirrors client-go 0.35 tools/cache/store.go,
/// TransactionError.
struct TransactionError {
  std::vector<std::size_t> successful;  ///< the indices of those that succeeded, in order
  std::size_t total = 0;
  std::vector<api::Error> errors;  ///< of the others
};

/// A store that makes several changes at once. Mirrors client-go 0.35 tools/cache/store.go,
/// TransactionStore.
class TransactionStore : public runtime::Interface {
 public:
  /// Makes the changes in order, so that no reader sees only some of them. Skips one without a key;
  /// nothing is rolled back. Returns nothing if all were made.
  [[nodiscard]] virtual std::optional<TransactionError> transaction(
      std::span<const Transaction> changes) = 0;
};

/// Receives the revisions of a store. Called under the store's lock, so it must not block or call
/// the store. Mirrors client-go 0.36 tools/cache/informer_metrics.go, storeMetrics.
class StoreMetrics : public runtime::Interface {
 public:
  /// The store has reached this revision, or got it again; "" if it has none.
  virtual void store_reached(const std::string& /*resource_version*/) {}
};

/// The values, in an order that the runtime chooses: for every list from a container that is a map
/// in Go and so has no order. One choice, called `what`.
template <typename T>
[[nodiscard]] std::vector<T> in_visiting_order(runtime::Runtime& runtime, std::vector<T> values,
                                               std::string_view what) {
  if (values.size() > 1) {
    runtime.order(values.size(), what).arrange(values);
  }
  return values;
}

}  // namespace watchlab::cache
