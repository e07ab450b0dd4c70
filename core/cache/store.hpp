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

/// Changes each object once, before it is queued, for instance to drop unread fields. It makes
/// a new object; the given one may be shared. It must give the same for its own result. A failure
/// keeps the object out of the queue. Mirrors client-go tools/cache/controller.go, TransformFunc.
using TransformFunction = std::function<api::Result<api::ObjectPtr>(const api::ObjectPtr& object)>;

/// Something that knows which keys it holds. Mirrors client-go tools/cache/delta_fifo.go,
/// KeyLister.
class KeyLister : public runtime::Interface {
 public:
  /// In no promised order.
  [[nodiscard]] virtual std::vector<std::string> list_keys() const = 0;
};

/// Something that finds an object by its key. Mirrors client-go tools/cache/delta_fifo.go,
/// KeyGetter.
///
/// Differs from client-go: a lookup cannot fail, it finds or does not find. No store of the
/// original's or of ours fails here.
class KeyGetter : public runtime::Interface {
 public:
  /// Null when there is none.
  [[nodiscard]] virtual api::ObjectPtr get_by_key(const std::string& key) const = 0;
};

/// What a `DeltaFIFO` asks about the objects that its consumer has stored already; any `Store` is
/// one. The queue calls it under its own lock. Mirrors client-go tools/cache/delta_fifo.go,
/// KeyListerGetter.
class KeyListerGetter : public KeyLister, public KeyGetter {};

/// What a store implements besides `ReflectorStore` when it wants to know the revision the
/// reflector has reached, which bookmarks advance without any change of an object. Mirrors
/// client-go tools/cache/reflector.go, ResourceVersionUpdater.
class ResourceVersionUpdater : public runtime::Interface {
 public:
  /// Called by the reflector's task after each event of a watch, bookmarks included.
  virtual void update_resource_version(const std::string& resource_version) = 0;
};

/// What a reflector writes into: a store or a queue. Mirrors client-go tools/cache/reflector.go,
/// ReflectorStore. Any task may call any function.
class ReflectorStore : public runtime::Interface {
 public:
  /// What the watch, or another writer, says of one object. All three fail where an item has no key
  /// and change nothing then; a store takes an `add` of what it has and an `update` of what it has
  /// not alike.
  virtual api::Result<void> add(const Item& item) = 0;
  virtual api::Result<void> update(const Item& item) = 0;
  virtual api::Result<void> remove(const Item& item) = 0;
  /// Takes `items` as the whole truth at `resource_version`.
  virtual api::Result<void> replace(std::span<const api::ObjectPtr> items,
                                    const std::string& resource_version) = 0;
  /// Repeats to the consumers what they should know already; nothing to do for a plain store.
  virtual api::Result<void> resync() = 0;
};

/// What a queue implements besides `ReflectorStore` when it queues bookmarks. Mirrors client-go
/// 0.36 tools/cache/reflector.go, ReflectorBookmarkStore. A `Store` is none: its `bookmark` is for
/// the consumer of a queue.
class ReflectorBookmarkStore : public runtime::Interface {
 public:
  /// Called by the reflector's task for each bookmark of a watch, in the order of its events.
  virtual api::Result<void> bookmark(const std::string& resource_version) = 0;
};

/// What a queue implements besides `ReflectorStore` when it transforms what it is given: whoever
/// collects a list for it transforms alike. Mirrors client-go 0.34 tools/cache/reflector.go,
/// TransformingStore.
class TransformingStore : public runtime::Interface {
 public:
  /// An empty function when it transforms nothing.
  [[nodiscard]] virtual const TransformFunction& transformer() const = 0;
};

/// Objects by key. Any task may call any function; each sees and makes one consistent state.
/// Mirrors client-go tools/cache/store.go, Store.
///
/// `add` and `update` are the same: they put the object in place of what was there. Removing what
/// is not there is no error. A key that cannot be computed is an error of `ErrorKind::Key`. What a
/// store hands out never changes afterwards: lists are copies and objects are immutable.
class Store : public ReflectorStore, public KeyListerGetter {
 public:
  /// In no promised order: the outside decides.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> list() const = 0;
  /// The stored object with the same key as `item`; null when there is none.
  [[nodiscard]] virtual api::Result<api::ObjectPtr> get(const Item& item) const = 0;
  /// Takes note that the store has everything up to that revision. Since 0.36; does nothing in a
  /// store without revisions.
  virtual void bookmark(const std::string& /*resource_version*/) {}
  /// The revision that the store has come to, as the last change, list or bookmark has said it; it
  /// may go back. "" for a store that does not tell. Since 0.36.
  [[nodiscard]] virtual std::string last_store_sync_resource_version() const { return ""; }
};

/// One change of several that a store makes together. Mirrors client-go 0.35 tools/cache/store.go,
/// Transaction; Add and Update are the same to a store.
struct Transaction {
  enum class Type : std::uint8_t { Add, Update, Delete };
  Type type = Type::Add;
  Item item;
};

/// What of a transaction was not done. Mirrors client-go 0.35 tools/cache/store.go,
/// TransactionError.
struct TransactionError {
  std::vector<std::size_t> successful;  ///< the places of those that were done, in order
  std::size_t total = 0;
  std::vector<api::Error> errors;  ///< of the others
};

/// A store that makes several changes at once. Mirrors client-go 0.35 tools/cache/store.go,
/// TransactionStore.
class TransactionStore : public runtime::Interface {
 public:
  /// Makes the changes in their order, so that no reader sees some of them only. One without a key
  /// is left out; nothing is taken back. Nothing is returned when all were made.
  [[nodiscard]] virtual std::optional<TransactionError> transaction(
      std::span<const Transaction> changes) = 0;
};

/// What a store reports of its revision. Called under the store's lock, so it must not block or
/// call the store. Mirrors client-go 0.36 tools/cache/informer_metrics.go, storeMetrics.
class StoreMetrics : public runtime::Interface {
 public:
  /// The store has come to this revision, or was told of it again; "" when it has none.
  virtual void store_reached(const std::string& /*resource_version*/) {}
};

/// The values, in an order that the outside decides: for every list that comes out of a container
/// where the original has a Go map and so promises no order. One choice, named `what`.
template <typename T>
[[nodiscard]] std::vector<T> in_visiting_order(runtime::Runtime& runtime, std::vector<T> values,
                                               std::string_view what) {
  if (values.size() > 1) {
    runtime.order(values.size(), what).arrange(values);
  }
  return values;
}

}  // namespace watchlab::cache
