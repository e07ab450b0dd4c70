#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/cache/key.hpp"
#include "core/cache/queue.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/shared.hpp"

namespace watchlab::cache {

struct FIFOOptions {
  /// Whether a key of the first list counts as popped before it is processed; else when `pop`
  /// returns, so that one that was removed while it waited, and is the last, leaves the queue
  /// without having synced until something else was popped. True before 0.36.
  bool count_before_processing = true;
};

/// A queue of the newest states of objects: what happens to an object that waits already replaces
/// its state and leaves its place. A consumer sees no history, and a deleted object just never
/// comes out. Mirrors client-go tools/cache/fifo.go, FIFO, as of 0.32.
///
/// Always: every object that can be popped has its key in the queue. Not always: a key in the queue
/// has an object. Removing leaves the key where it is, and `pop` skips it. Any task may call any
/// function; `pop` calls the process function under the lock.
///
/// Faithful to the original in two odd corners: an object that is removed and added again while its
/// key is queued has its key there twice (the second is skipped, unless added again meanwhile), and
/// a second `replace` before the first one's objects are popped leaves the count for `has_synced`
/// as it was.
///
/// Notes: "queue" for each change (key, and "add", "update", "remove" or "replace"), "pop" for each
/// object popped (key, "").
///
/// Differs from client-go: it takes objects only, as every store here; `remove` takes a tombstone
/// when the key function does. Readers take the same lock as writers.
class FIFO final : public RequeuingQueue {
 public:
  explicit FIFO(runtime::Runtime& runtime, KeyFunction key_function = meta_namespace_key,
                FIFOOptions options = {});

  api::Result<void> add(const Item& item) override;
  api::Result<void> update(const Item& item) override;
  api::Result<void> remove(const Item& item) override;
  /// The queue then holds exactly these objects, in no promised order, as a Go map would give them.
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  /// Queues every object whose key is not in the queue. Normally there is none.
  api::Result<void> resync() override;

  [[nodiscard]] Popped pop(const PopProcess& process) override;
  /// Takes an object only.
  api::Result<void> add_if_not_present(const PopItem& item) override;
  [[nodiscard]] bool has_synced() const override;
  void close() override;

  /// Whether `close` was called. Mirrors client-go tools/cache/fifo.go, FIFO.IsClosed.
  [[nodiscard]] bool is_closed() const;
  /// What can be popped, in no promised order.
  [[nodiscard]] std::vector<api::ObjectPtr> list() const;
  [[nodiscard]] std::vector<std::string> list_keys() const;
  /// Null when nothing is queued for the item's key.
  [[nodiscard]] api::Result<api::ObjectPtr> get(const Item& item) const;
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const;

 private:
  using Objects = std::unordered_map<std::string, api::ObjectPtr>;

  /// Guarded by the lock. The map is never walked in an order that gets out.
  struct State {
    Objects items;
    std::deque<std::string> queue;
    bool populated = false;
    std::size_t initial_population = 0;  ///< how many keys of the first list still wait
    /// A pop has begun that may have taken the last of these and has not returned, and nothing has
    /// changed since.
    bool is_counting = false;
    bool closed = false;
  };

  api::Result<void> put(const Item& item, std::string_view verb);
  void put_back(State& state, const std::string& key, const api::ObjectPtr& object);
  /// The keys of the items, sorted, so that no hash order gets out.
  [[nodiscard]] static std::vector<std::string> keys_of(const State& state);
  [[nodiscard]] static bool is_synced(const State& state);
  void check_items_are_queued(const State& state) const;

  runtime::Runtime& runtime_;
  KeyFunction key_function_;
  const FIFOOptions options_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace watchlab::cache
