#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/cache/key.hpp"
#include "core/cache/queue.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/shared.hpp"

namespace watchlab::cache {

/// Mirrors client-go tools/cache/delta_fifo.go, DeltaFIFOOptions.
struct DeltaFIFOOptions {
  KeyFunction key_function = meta_namespace_key;  ///< for objects; a tombstone brings its own key
  /// What the consumer has stored already; needed to notice deletions that a watch missed, and for
  /// resync. Null: the queue only knows what is queued. Must outlive the queue. It is read under
  /// the queue's lock, and the consumer writes it under the same lock, so the two never disagree.
  const KeyListerGetter* known_objects = nullptr;
  /// Whether `replace` queues Replaced deltas; Sync deltas otherwise, as before 0.18.
  bool emit_replaced = false;
  TransformFunction transformer;   ///< none: objects are queued as they come
  std::string name = "DeltaFIFO";  ///< for log lines and reports
  std::shared_ptr<QueueDepthMetrics> metrics;
};

/// A queue of what happened, grouped by object: an object's place is where its first delta came,
/// and its consumer gets all its deltas at once, in order. Nothing is lost or merged, save a
/// deletion right behind a deletion. Mirrors client-go tools/cache/delta_fifo.go, DeltaFIFO, as of
/// 0.32.
///
/// Always: the queue holds each key exactly once, and just those keys that have deltas; deltas are
/// never empty. Any task may call any function; `pop` calls the process function under the lock, so
/// a slow consumer holds up the producer.
///
/// Notes: "delta" for each delta queued (key, type), "dedup" for each merged deletion, "pop" for
/// each pop (key, the types in order).
///
/// Differs from client-go: readers take the same lock as writers (the original: a RWMutex, with the
/// condition on its write side); it makes no difference that a caller could see.
class DeltaFIFO final : public RequeuingQueue, public TransformingStore {
 public:
  explicit DeltaFIFO(runtime::Runtime& runtime, DeltaFIFOOptions options = {});

  api::Result<void> add(const Item& item) override;
  api::Result<void> update(const Item& item) override;
  /// Queues nothing for an object that is neither queued nor known.
  api::Result<void> remove(const Item& item) override;
  /// Queues a delta for each item, and a Deleted tombstone for everything that is queued or known
  /// and not among the items. An item without a key, or one that the transformer refuses, ends it
  /// with an error; what was queued before that one stays queued.
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  /// Queues a Sync delta for every known object that has nothing queued; what is queued is newer.
  api::Result<void> resync() override;

  [[nodiscard]] Popped pop(const PopProcess& process) override;
  /// Takes `Deltas` only.
  api::Result<void> add_if_not_present(const PopItem& item) override;
  [[nodiscard]] bool has_synced() const override;
  void close() override;
  [[nodiscard]] const TransformFunction& transformer() const override {
    return options_.transformer;
  }

  /// The newest state of everything that is queued, in no promised order.
  [[nodiscard]] std::vector<Item> list() const;
  /// The queued keys, in the order in which they will be popped.
  [[nodiscard]] std::vector<std::string> list_keys() const;
  /// A copy of what is queued for the item's key; empty when there is nothing.
  [[nodiscard]] api::Result<Deltas> get(const Item& item) const;
  [[nodiscard]] Deltas get_by_key(const std::string& key) const;

  /// An object's key by the key function, a tombstone's own one.
  [[nodiscard]] api::Result<std::string> key_of(const Item& item) const;
  /// The key of the newest delta's object; a key error when there is none.
  [[nodiscard]] api::Result<std::string> key_of(const Deltas& deltas) const;

 private:
  /// Guarded by the lock. The map is never walked; the order of the queue is the only order.
  struct State {
    std::unordered_map<std::string, Deltas> items;
    std::deque<std::string> queue;
    bool populated = false;              ///< something was added or replaced
    std::size_t initial_population = 0;  ///< how much of the first list still waits
    bool closed = false;
  };
  /// Whether a delta's object still has to be transformed: what was stored already has been.
  enum class Origin : std::uint8_t { Server, Store };

  api::Result<void> enqueue(State& state, DeltaType type, const Item& item, Origin origin);
  void append(State& state, const std::string& key, Delta delta);
  /// Queues deltas unless something newer with that key is queued.
  void put_back(State& state, const std::string& key, const Deltas& deltas);
  [[nodiscard]] api::Result<Item> transformed(const Item& item, Origin origin) const;
  /// Queues tombstones for what a list with these keys does not have; returns how many.
  std::size_t enqueue_missing(State& state, const std::unordered_set<std::string>& listed);
  [[nodiscard]] static bool is_synced(const State& state);
  /// To be called after every change of the queue.
  void changed(const State& state) const;
  void check_queue_and_items(const State& state) const;

  runtime::Runtime& runtime_;
  DeltaFIFOOptions options_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace watchlab::cache
