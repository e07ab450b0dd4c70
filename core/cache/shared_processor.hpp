#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "core/cache/processor_listener.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/wait_group.hpp"

namespace watchlab::cache {

/// The period a handler gets: none if it asked for none or if nothing is ever checked; otherwise
/// what it asked for, but no less than the time between two checks. Mirrors client-go
/// tools/cache/shared_informer.go, determineResyncPeriod.
[[nodiscard]] runtime::Duration effective_resync_period(runtime::Duration requested,
                                                        runtime::Duration check_period);

/// The listeners of a shared informer. Any task may call any function, except that `distribute`
/// must never run at the same time as `remove_listener` or twice: the informer's lock sees to that.
/// Mirrors client-go 0.32 tools/cache/shared_informer.go, sharedProcessor.
///
/// `distribute` holds the readers' lock while it hands over, and a listener takes over only once it
/// runs: with a writer waiting between (`should_resync`) a `run` that has not begun yet can no
/// longer begin. That deadlock is the original's; see docs/known_live.md. With
/// `waits_for_listeners` it cannot come: `distribute` then waits for `run` without the lock, as
/// since 0.36.
///
/// Must be owned by a shared_ptr: the listeners' tasks keep it alive.
class SharedProcessor : public std::enable_shared_from_this<SharedProcessor> {
 public:
  explicit SharedProcessor(runtime::Runtime& runtime, bool waits_for_listeners = false);

  /// Starts the listener if the processor runs; otherwise `run` will.
  void add_listener(const std::shared_ptr<ProcessorListener>& listener);
  /// The listener ends soon after; its handler may still be in a call, or be called once more. Does
  /// nothing for a listener that is not there.
  void remove_listener(const std::shared_ptr<ProcessorListener>& listener);
  /// Waits until the handler of a listener that was removed is called no more. Comes back at once
  /// for one that was never started.
  void wait_for_end(const std::shared_ptr<ProcessorListener>& listener);
  /// Hands a notification to all listeners, or, when it only syncs, to those whose resync is due.
  /// In no promised order. Waits for listeners that do not run yet.
  void distribute(const NotificationPtr& notification, bool is_sync);

  /// Starts the listeners, waits for the stop, closes them all and waits until they have ended: a
  /// handler that never returns holds it up indefinitely.
  void run(const runtime::StopToken& stop);

  /// Finds out whose resync is due, for the Sync notifications that follow, and whether any is.
  [[nodiscard]] bool should_resync();
  /// Recomputes every listener's period; when its next resync is due stays as it was.
  void resync_check_period_changed(runtime::Duration check_period);

 private:
  struct Entry {
    std::shared_ptr<ProcessorListener> listener;
    bool is_syncing = true;
  };
  using Entries = boost::container::small_vector<const Entry*, 4>;

  void start(const std::shared_ptr<ProcessorListener>& listener);
  void start_all();
  /// False when the listeners have to be started first.
  [[nodiscard]] bool hand_over(const NotificationPtr& notification, bool is_sync);
  /// The entries in an order that the outside decides: a Go map has none.
  [[nodiscard]] Entries visiting_order() const;

  runtime::Runtime& runtime_;
  runtime::SharedMutex listeners_mutex_;
  std::vector<Entry> listeners_;    ///< guarded by listeners_mutex_
  bool listeners_started_ = false;  ///< guarded by listeners_mutex_
  runtime::WaitGroup running_;
  /// Closed when the listeners were started; only where `distribute` waits for that.
  std::optional<runtime::Channel<runtime::Unit>> started_;
};

}  // namespace watchlab::cache
