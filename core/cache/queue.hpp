#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/result.hpp"
#include "core/cache/key.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// What happened to an object, as far as the queue knows. Mirrors client-go
/// tools/cache/delta_fifo.go, DeltaType.
enum class DeltaType : std::uint8_t {
  Added,
  Updated,
  Deleted,   ///< with the last state, or a tombstone if that was not seen
  Replaced,  ///< it came in a list: the first one or a relist
  Sync,      ///< nothing happened; a resync repeats what should be known
  // Since 0.36, of a `RealFIFO` with atomic events only, and about no single object:
  ReplacedAll,  ///< a whole list
  SyncAll,      ///< a resync of everything that the consumer has at that time
  Bookmark,     ///< the revision moved on without any change
};

/// "Added" and so on.
[[nodiscard]] std::string_view to_string(DeltaType type);

/// The payload of ReplacedAll: the whole list, with transformed objects. Mirrors client-go 0.36
/// tools/cache/the_real_fifo.go, ReplacedAllInfo.
struct ReplacedAllInfo {
  std::string resource_version;
  std::vector<api::ObjectPtr> objects;
};

/// The payload of SyncAll, which is empty. Mirrors client-go 0.36 tools/cache/the_real_fifo.go,
/// SyncAllInfo.
struct SyncAllInfo {};

/// The payload of Bookmark. Mirrors client-go 0.36 tools/cache/the_real_fifo.go, BookmarkInfo.
struct BookmarkInfo {
  std::string resource_version;
};

/// The payload of a delta that is not about a single object.
using DeltaInfo = std::variant<ReplacedAllInfo, SyncAllInfo, BookmarkInfo>;

/// One change, with the object's state after it, or before it for Deleted. Mirrors client-go
/// tools/cache/delta_fifo.go, Delta.
struct Delta {
  DeltaType type = DeltaType::Added;
  Item object;  ///< a null object if there is an `info`
  /// For ReplacedAll, SyncAll and Bookmark; null for every other type. Such a delta has no key.
  std::shared_ptr<const DeltaInfo> info{};

  bool operator==(const Delta&) const = default;
};

/// The changes to one object since the consumer last looked, oldest first; never empty in a queue.
/// Mirrors client-go tools/cache/delta_fifo.go, Deltas.
using Deltas = std::vector<Delta>;

/// Null if there is none. The pointer is valid until `deltas` changes.
[[nodiscard]] const Delta* oldest(const Deltas& deltas);
[[nodiscard]] const Delta* newest(const Deltas& deltas);

/// The types in order, such as "Added Updated": for notes and messages.
[[nodiscard]] std::string types_of(const Deltas& deltas);

/// Receives a queue's length and processing times. Does nothing unless overridden. Called under the
/// queue's lock by the task that changes the queue, so it must not block or call the queue. Differs
/// from client-go: 0.32 does not measure its queues; since 0.36 it measures a `RealFIFO`.
class QueueDepthMetrics : public runtime::Interface {
 public:
  /// The number of queued keys. Called after each change, and after each pop before the item is
  /// processed.
  virtual void depth_is(std::size_t /*depth*/) {}
  /// How long processing the pop of a `RealFIFO` took, a batch as a whole; not called after a
  /// panic.
  virtual void processed(runtime::Duration /*took*/) {}
};

/// What a queue hands to its consumer: the newest state of an object (`FIFO`), or all of its
/// changes since the last time (`DeltaFIFO`).
using PopItem = std::variant<api::ObjectPtr, Deltas>;

/// A process function returns this to have its item put back into the queue, unless something newer
/// with the same key is queued. `pop` then returns `error`, or success if there is none. Mirrors
/// client-go tools/cache/fifo.go, ErrRequeue (removed in 0.33).
struct ErrRequeue {
  std::optional<api::Error> error;
};

/// The result of a process function: done, failed, or failed and to be retried. A function may
/// return `api::Result<void>` or `api::Error` directly.
class [[nodiscard]] Processed {
 public:
  Processed() = default;
  Processed(api::Result<void> outcome) : outcome_(std::move(outcome)) {}  // NOLINT: implicit
  Processed(api::Error error) : outcome_(std::move(error)) {}             // NOLINT: implicit
  Processed(ErrRequeue again) : requeue_(true) {                          // NOLINT: implicit
    if (again.error) {
      outcome_ = *std::move(again.error);
    }
  }

  [[nodiscard]] bool requeue() const { return requeue_; }
  [[nodiscard]] const api::Result<void>& outcome() const { return outcome_; }

 private:
  api::Result<void> outcome_;
  bool requeue_ = false;
};

/// Handles one item. Called under the queue's lock: it must not call the queue, and no other task
/// gets in while it runs. `is_in_initial_list` means that the item belongs to the first list (or
/// was queued before the list ended). Mirrors client-go tools/cache/controller.go, PopProcessFunc.
using PopProcess = std::function<Processed(const PopItem& item, bool is_in_initial_list)>;

/// Handles several deltas with different keys at once, in order. Mirrors client-go 0.35
/// tools/cache/controller.go, ProcessBatchFunc.
using ProcessBatch = std::function<api::Result<void>(const Deltas& batch, bool is_in_initial_list)>;

/// The result of one `pop`. The item is set even if the process function failed, so that the caller
/// can put it back with `add_if_not_present`.
struct Popped {
  PopItem item;
  /// The process function's error; `ErrorKind::Closed` if nothing was popped.
  api::Result<void> outcome;
};

/// A queue that a reflector fills and a controller empties. Any task may call any function. Mirrors
/// client-go 0.33 tools/cache/fifo.go, Queue.
class Queue : public ReflectorStore {
 public:
  /// Waits for an item, takes it out and calls `process` on it, under the lock. Returns an outcome
  /// of `ErrorKind::Closed` if the queue is closed and empty. Exceptions of `process` pass through,
  /// and the item is then lost.
  [[nodiscard]] virtual Popped pop(const PopProcess& process) = 0;
  /// Whether all of the first `replace` has been popped, or something was added before any
  /// `replace`.
  [[nodiscard]] virtual bool has_synced() const = 0;
  /// Wakes every task that waits in `pop`. Queued items can still be popped, and adding still
  /// works. Idempotent.
  virtual void close() = 0;
};

/// A queue that takes back what was popped. Mirrors client-go 0.32 tools/cache/fifo.go, Queue,
/// whose AddIfNotPresent later releases do not have.
class RequeuingQueue : public Queue {
 public:
  /// Puts a popped item back, unless its key is queued: it never replaces something newer. An item
  /// of the other kind of queue is an error.
  virtual api::Result<void> add_if_not_present(const PopItem& item) = 0;
};

/// A queue that can hand out several items at once. Mirrors client-go 0.36 tools/cache/fifo.go,
/// QueueWithBatch. In 0.35 the batch function also gets single items; here, pass a `single` that
/// calls it.
class QueueWithBatch : public Queue {
 public:
  /// Like `pop`, for as many items as can be handled together: `batch` gets two or more, `single`
  /// one. Returns the function's error, or `ErrorKind::Closed`.
  [[nodiscard]] virtual api::Result<void> pop_batch(const ProcessBatch& batch,
                                                    const PopProcess& single) = 0;
};

/// The error of `pop` on a closed queue. Mirrors client-go tools/cache/fifo.go, ErrFIFOClosed.
[[nodiscard]] api::Error fifo_closed();

/// The error of a `replace` or `resync` that failed with `cause` on one of its objects.
[[nodiscard]] api::Error could_not_enqueue(const api::Error& cause);

/// The key function's key for an object; a tombstone's own key. Every queue of deltas uses it.
/// Mirrors client-go tools/cache/delta_fifo.go, DeltaFIFO.KeyOf.
[[nodiscard]] api::Result<std::string> queue_key_of(const KeyFunction& key_function,
                                                    const Item& item);

/// A list that replaces what is queued and known.
struct Replacement {
  std::span<const api::ObjectPtr> items;
  const std::deque<Delta>& queued;
  const KeyListerGetter& known;
  const KeyFunction& key_function;
};

/// Tombstones for what is queued or known but not listed, in the order in which to handle them:
/// first queued objects, in queue order, unless their last delta is a deletion; then objects that
/// are only known. An item without a key, listed or queued, is an error. Mirrors client-go 0.36
/// tools/cache/the_real_fifo.go, reconcileReplacement, for the deletions.
[[nodiscard]] api::Result<std::vector<TombstonePtr>> tombstones_of(runtime::Runtime& runtime,
                                                                   const Replacement& replacement);

/// Logs a process function that holds up a long queue. Mirrors the trace in the original's Pop.
/// Private to the queues, on the stack of their pop; the texts must outlive it.
class SlowPopTrace {
 public:
  static constexpr std::size_t kDepthMin = 10;  ///< with at most this many left, nothing is logged
  static constexpr runtime::Duration kDurationMin = std::chrono::milliseconds(100);

  SlowPopTrace(runtime::Runtime& runtime, const std::string& queue, std::string_view key,
               std::size_t depth)
      : runtime_(runtime), queue_(queue), key_(key), depth_(depth) {
    if (depth_ > kDepthMin) {
      started_ = runtime_.now();
    }
  }

  /// To be called when the process function is back. It may take so long.
  void finish(runtime::Duration allowed = kDurationMin) const;

 private:
  runtime::Runtime& runtime_;
  const std::string& queue_;
  std::string_view key_;
  std::size_t depth_;
  std::optional<runtime::TimePoint> started_;
};

}  // namespace watchlab::cache
