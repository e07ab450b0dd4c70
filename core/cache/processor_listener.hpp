#pragma once

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/cache/key.hpp"
#include "core/cache/resource_event_handler.hpp"
#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::cache {

namespace synctrack {

/// Says whether everything of a first list has been *handled*, not only queued, where things are
/// handled one after the other. `start` is called for each of them before upstream can report that
/// it has synced. Any task may call any function.
/// Mirrors client-go 0.32 tools/cache/synctrack/synctrack.go, SingleFileTracker.
class SingleFileTracker {
 public:
  SingleFileTracker(runtime::Runtime& runtime, std::function<bool()> upstream_has_synced)
      : upstream_has_synced_(std::move(upstream_has_synced)), waiting_(runtime, 0, "synctrack") {}

  /// One more thing to be handled.
  void start() { waiting_.fetch_add(1); }
  /// One was handled. Panics when there was none left.
  void finished() {
    const std::int64_t before = waiting_.fetch_add(-1);
    if (waiting_in(before) <= 0) {
      throw runtime::Panic("negative counter: more things were finished than started");
    }
    if (before == kObserved + 1) {
      (void)all_finished_.try_send({});
    }
  }
  /// Asks upstream, which may take locks and time.
  [[nodiscard]] bool has_synced() const {
    // The count is read last: read first, it could be that of a moment before upstream had synced.
    return upstream_has_synced_() && waiting_in(waiting_.load()) <= 0;
  }
  /// Waits until everything that was started is finished, or for the stop; whether it is. To be
  /// called once, and not before upstream has synced: nothing is started after that. Mirrors
  /// client-go 0.36 UpstreamHasSynced.
  [[nodiscard]] bool wait_until_finished(runtime::Runtime& runtime,
                                         const runtime::StopToken& stop) {
    all_finished_ = runtime::Channel<runtime::Unit>(runtime, 1, "all_finished");
    // The count says that it is waited for, so only the last one to be finished looks for the
    // channel.
    if (waiting_.fetch_add(kObserved) == 0) {
      return true;
    }
    runtime::Select choice(runtime);
    choice.receive(all_finished_);
    choice.receive(stop.done(runtime));
    return choice.wait() == 0;
  }

 private:
  static constexpr std::int64_t kObserved = std::int64_t{1} << 40;

  /// How many wait, which is less than none where more were finished than started.
  static std::int64_t waiting_in(std::int64_t count) {
    return count > kObserved / 2 ? count - kObserved : count;
  }

  std::function<bool()> upstream_has_synced_;
  runtime::Atomic<std::int64_t> waiting_;  ///< so many, and `kObserved` where they are waited for
  runtime::Channel<runtime::Unit> all_finished_;
};

}  // namespace synctrack

/// First in, first out, without bound: a ring that doubles when it is full and never shrinks. It
/// takes memory when it first holds something, and little at first: most of those that wait for a
/// slow reader never do, and few hold more than some.
/// Not to be shared between tasks. Mirrors k8s.io/utils/buffer, RingGrowing.
template <typename T>
class GrowingRing {
 public:
  /// Room for `capacity` values at first; at least 1.
  explicit GrowingRing(std::size_t capacity) : capacity_(capacity) {
    runtime::ensure(capacity > 0, "a ring needs room for one value");
  }

  void push(T value) {
    if (ring_.full()) {
      capacity_ *= ring_.size() == capacity_ ? 2 : 1;
      ring_.set_capacity(std::min(capacity_, std::max(kFew, ring_.size() * 2)));
    }
    ring_.push_back(std::move(value));
  }
  /// The oldest value; nothing when there is none.
  [[nodiscard]] std::optional<T> pop() {
    if (ring_.empty()) {
      return std::nullopt;
    }
    std::optional<T> value(std::move(ring_.front()));
    ring_.pop_front();
    return value;
  }

  [[nodiscard]] std::size_t size() const { return ring_.size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t kFew = 16;

  std::size_t capacity_;
  boost::circular_buffer<T> ring_;
};

/// One call of a handler, on its way from the shared informer to that handler.
/// Mirrors client-go tools/cache/shared_informer.go, addNotification and its siblings.
struct AddNotification {
  api::ObjectPtr object;  ///< never null
  bool is_in_initial_list = false;
};

/// The states before and after; the same one twice after a resync.
struct UpdateNotification {
  api::ObjectPtr old_object;
  api::ObjectPtr new_object;
};

/// The last state, or a tombstone where that was not seen.
struct DeleteNotification {
  Item item;
};

/// What a handler receives: exactly one call.
using Notification = std::variant<AddNotification, UpdateNotification, DeleteNotification>;

/// One notification is shared by all handlers that get it.
using NotificationPtr = std::shared_ptr<const Notification>;

/// What a listener is made for. Private to the shared informer, as the listener is.
struct ProcessorListenerOptions {
  std::shared_ptr<ResourceEventHandler> handler;
  /// What the handler asked for; zero for no resync.
  runtime::Duration requested_resync_period{};
  /// What it gets; see `effective_resync_period`.
  runtime::Duration resync_period{};
  std::size_t buffer_size = 1024;  ///< room for pending notifications at first
  std::function<bool()> upstream_has_synced;
  bool crash_on_panic = true;
  /// When the second of rest after a panic comes: right before the next notification, as since
  /// 0.33, or right after the panic.
  bool rests_before_next = false;
};

/// Stands between a shared informer and one handler, so that a slow handler delays no other: `pop`
/// takes notifications as they come and keeps them in a ring without bound, `run` calls the
/// handler. Each runs in a task of its own. Mirrors client-go 0.32 tools/cache/shared_informer.go,
/// processorListener.
///
/// A closed listener ends soon: what is still pending then is dropped. A panic of the handler costs
/// that notification, and a second of rest, unless `crash_on_panic` lets it out. A dropped one of
/// the first list keeps `has_synced` false.
class ProcessorListener {
 public:
  ProcessorListener(runtime::Runtime& runtime, ProcessorListenerOptions options);

  /// Hands over a notification; waits until `pop` takes it. Panics after `close`.
  void add(NotificationPtr notification);
  /// Ends `pop`, which ends `run`. To be called once.
  void close();

  /// The body of the task that takes notifications. Ends after `close`.
  void pop();
  /// The body of the task that calls the handler. Ends after `pop`.
  void run();

  /// Whether upstream has synced and the handler has come back from every add of the first list.
  [[nodiscard]] bool has_synced() const { return tracker_.has_synced(); }
  /// Of the first list; to be called once, and not before upstream has synced.
  [[nodiscard]] bool wait_until_handled(const runtime::StopToken& stop) {
    return tracker_.wait_until_finished(runtime_, stop);
  }

  /// Whether its resync is due; always no when it has no period.
  [[nodiscard]] bool should_resync(runtime::TimePoint now);
  /// The next resync is due a period from `now`.
  void schedule_next_resync(runtime::TimePoint now);
  void set_resync_period(runtime::Duration period);
  [[nodiscard]] runtime::Duration resync_period() const;
  [[nodiscard]] runtime::Duration requested_resync_period() const {
    return options_.requested_resync_period;
  }
  [[nodiscard]] std::string handler_name() const { return options_.handler->name(); }

  /// The task in `run`, once it was started. Guarded by the lock of the processor, which starts it.
  runtime::Task calling;

 private:
  void run_with_rests_before_next();
  void call_handler_until_closed();
  void log_panic(const std::string& message) const;
  void call_handler(const Notification& notification);

  runtime::Runtime& runtime_;
  ProcessorListenerOptions options_;
  runtime::Channel<NotificationPtr> incoming_;
  runtime::Channel<NotificationPtr> outgoing_;
  GrowingRing<NotificationPtr> pending_;  ///< of the task in `pop`
  synctrack::SingleFileTracker tracker_;
  mutable runtime::Mutex resync_mutex_;
  runtime::Duration resync_period_;  ///< guarded by resync_mutex_
  runtime::TimePoint next_resync_;   ///< guarded by resync_mutex_
};

}  // namespace watchlab::cache
