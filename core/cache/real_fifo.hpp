#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cache/key.hpp"
#include "core/cache/queue.hpp"
#include "core/cache/store.hpp"
#include "core/cache/sync/done_checker.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"

namespace watchlab::cache {

/// Mirrors client-go 0.37 tools/cache/the_real_fifo.go, RealFIFOOptions. The releases differ only
/// in these values: 0.33 and 0.35 have neither atomic events nor what builds on them, and count
/// before processing; 0.36 and 0.37 can have all three.
struct RealFIFOOptions {
  KeyFunction key_function = meta_namespace_key;  ///< for objects; a tombstone brings its own key
  /// What the consumer has already stored. Required without atomic events. Forbidden with them,
  /// because then the consumer itself compares a list with its store. Must outlive the queue.
  const KeyListerGetter* known_objects = nullptr;
  TransformFunction transformer;  ///< if empty, objects are queued unchanged
  /// Whether a list and a resync are queued as one delta each.
  bool atomic_events = false;
  /// Whether the lock is released while an item is processed, unless the queue is very long. Only
  /// with atomic events, and for a single consumer.
  bool unlock_while_processing = false;
  /// Whether bookmarks are queued. Only with atomic events.
  bool emit_delta_type_bookmark = false;
  /// Whether an item of the first list counts as popped before it is processed, as before 0.36.
  bool count_before_processing = false;
  /// The largest batch. Differs from client-go: an option here; the original's tests set an
  /// internal field.
  std::size_t batch_size = 1000;
  std::string name = "RealFIFO";  ///< for log lines and reports
  std::shared_ptr<QueueDepthMetrics> metrics;
};

/// A queue of all changes in the order in which they arrived: nothing is merged, dropped or grouped
/// by object. Mirrors client-go 0.33 to 0.37 tools/cache/the_real_fifo.go, RealFIFO.
///
/// Invariants: items are popped in the order in which they were queued. Once synced, populated or
/// closed, it stays so. Any task may call any function; with `unlock_while_processing` only one may
/// pop.
///
/// Notes: "delta" for each queued delta, "pop" for each popped one (key, type); the key is "*" for
/// a delta that is not about a single object.
///
/// Differs from client-go: contradictory options panic there and here; readers take the same lock
/// as writers in both; the error of a failed resync keeps its cause, as since 0.38.
class RealFIFO final : public QueueWithBatch,
                       public ReflectorBookmarkStore,
                       public TransformingStore,
                       public SignalsSync {
 public:
  explicit RealFIFO(runtime::Runtime& runtime, RealFIFOOptions options);

  /// All three queue one delta. An item without a key, or one that the transformer refuses, is an
  /// error, and nothing is queued. Even then the queue counts as populated, and so as synced if no
  /// list came before.
  api::Result<void> add(const Item& item) override;
  api::Result<void> update(const Item& item) override;
  /// Also for a key that is neither queued nor known.
  api::Result<void> remove(const Item& item) override;
  /// Atomic: queues one ReplacedAll delta without computing keys; queues nothing if the transformer
  /// refuses an object. Not atomic: queues a Deleted tombstone for everything that is queued or
  /// known but not among the items, then a Replaced delta for each item. An item without a key is
  /// an error, and nothing is queued; if the transformer refuses one, what was queued before it
  /// stays.
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  /// Atomic: one SyncAll delta. Not atomic: a Sync delta for every known object that has nothing
  /// queued.
  api::Result<void> resync() override;
  /// Queues that the revision has advanced; does nothing unless `emit_delta_type_bookmark`. Mirrors
  /// client-go 0.36 tools/cache/reflector.go, ReflectorBookmarkStore.
  api::Result<void> bookmark(const std::string& resource_version) override;
  [[nodiscard]] const TransformFunction& transformer() const override {
    return options_.transformer;
  }

  /// Returns one delta, as a list of one. It is never put back: only the error in an `ErrRequeue`
  /// counts here.
  [[nodiscard]] Popped pop(const PopProcess& process) override;
  /// A batch holds deltas with different keys, and does not mix the first list with later deltas. A
  /// delta that is not about a single object comes alone; one whose object has no key ends its
  /// batch.
  [[nodiscard]] api::Result<void> pop_batch(const ProcessBatch& batch,
                                            const PopProcess& single) override;
  [[nodiscard]] bool has_synced() const override;
  /// Done when `has_synced` becomes true, in the same step.
  [[nodiscard]] DoneChecker has_synced_checker() override;
  void close() override;

  /// The key function's key for an object; a tombstone's own key.
  [[nodiscard]] api::Result<std::string> key_of(const Item& item) const;
  /// The key of its object; a key error for a delta that is not about a single object.
  [[nodiscard]] api::Result<std::string> key_of(const Delta& delta) const;

 private:
  /// Guarded by the lock.
  struct State {
    std::deque<Delta> items;
    bool populated = false;              ///< something was added or replaced
    std::size_t initial_population = 0;  ///< how much of the first list is left
    LatchedSignal synced;                ///< set once populated with nothing to wait for
    bool closed = false;
  };
  /// What one pop took out.
  struct Taken {
    Deltas deltas;
    bool is_in_initial_list = false;
    std::size_t left = 0;  ///< still queued then
  };
  /// Whether a delta's object still has to be transformed; stored objects have been.
  enum class Origin : std::uint8_t { Server, Store };

  api::Result<void> change(DeltaType type, const Item& item);
  api::Result<void> enqueue(State& state, DeltaType type, const Item& item, Origin origin);
  api::Result<void> enqueue_each(State& state, std::span<const api::ObjectPtr> items);
  api::Result<void> enqueue_all(State& state, std::span<const api::ObjectPtr> items,
                                const std::string& resource_version);
  void append(State& state, Delta delta);
  void append_info(State& state, DeltaType type, DeltaInfo info);
  [[nodiscard]] bool wait_for_item(runtime::Lock& lock);
  [[nodiscard]] std::size_t batch_length(const State& state) const;
  [[nodiscard]] Taken take(State& state, std::size_t count);
  [[nodiscard]] api::Result<void> process_taken(runtime::Lock& lock, const Taken& taken,
                                                const std::function<api::Result<void>()>& process);
  void count_popped(State& state, std::size_t count) const;
  static void check_synced(State& state);
  void report_depth(const State& state) const {
    if (options_.metrics) {
      options_.metrics->depth_is(state.items.size());
    }
  }
  [[nodiscard]] std::string text_of_key(const Delta& delta) const;
  void check_state(const State& state) const;

  runtime::Runtime& runtime_;
  RealFIFOOptions options_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace watchlab::cache
