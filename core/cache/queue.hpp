#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <variant>

#include "core/cache/delta.hpp"
#include "core/cache/reflector_store.hpp"

namespace watchlab::cache {

/// What a queue hands to its consumer: the newest state of an object (`FIFO`), or everything that
/// happened to it since the last time (`DeltaFIFO`).
using PopItem = std::variant<api::ObjectPtr, Deltas>;

/// A process function returns this to have its item put back into the queue, unless something newer
/// with the same key stands there. `pop` then reports `error`, or success when there is none.
/// Mirrors client-go tools/cache/fifo.go, ErrRequeue (removed in 0.33).
struct ErrRequeue {
  std::optional<api::Error> error;
};

/// What a process function says: done, failed, or failed and to be tried again. A function that
/// returns `api::Result<void>` or `api::Error` serves as it is.
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

/// Handles one item. Called under the queue's lock: it must not call the queue, and while it runs
/// nobody else gets in. `is_in_initial_list` says that the item belongs to the first list (or to
/// what was queued before its end). Mirrors client-go tools/cache/controller.go, PopProcessFunc.
using PopProcess = std::function<Processed(const PopItem& item, bool is_in_initial_list)>;

/// What one `pop` did. The item is there also when the process function failed, so that the caller
/// can put it back with `add_if_not_present`.
struct Popped {
  PopItem item;
  /// The process function's error; `ErrorKind::Closed` when nothing was popped.
  api::Result<void> outcome;
};

/// Something that a reflector fills and a controller empties. Any task may call any function.
/// Mirrors client-go tools/cache/fifo.go, Queue, as of 0.32.
class Queue : public ReflectorStore {
 public:
  /// Waits for an item, takes it out and calls `process` on it, under the lock. When the queue is
  /// closed and empty: an outcome of `ErrorKind::Closed`. What `process` throws passes through;
  /// the item is gone then.
  [[nodiscard]] virtual Popped pop(const PopProcess& process) = 0;
  /// Puts an item back that was popped, unless its key is queued already: never in place of
  /// something newer. An item of the other queue's kind is an error.
  virtual api::Result<void> add_if_not_present(const PopItem& item) = 0;
  /// Whether everything of the first `replace` was popped, or something was added before any
  /// `replace`.
  [[nodiscard]] virtual bool has_synced() const = 0;
  /// Wakes everybody who waits in `pop`. What is queued can still be popped; adding goes on to
  /// work. Idempotent.
  virtual void close() = 0;
};

/// The error that `pop` gives on a closed queue. Mirrors client-go tools/cache/fifo.go,
/// ErrFIFOClosed.
[[nodiscard]] api::Error fifo_closed();

}  // namespace watchlab::cache
