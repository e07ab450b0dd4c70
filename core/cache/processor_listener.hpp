#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "core/cache/growing_ring.hpp"
#include "core/cache/notification.hpp"
#include "core/cache/resource_event_handler.hpp"
#include "core/cache/synctrack/single_file_tracker.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/mutex.hpp"

namespace watchlab::cache {

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
};

/// Stands between a shared informer and one handler, so that a slow handler holds up nobody: `pop`
/// takes notifications as they come and keeps them in a ring without bound, `run` calls the
/// handler. Each runs in a task of its own. Mirrors client-go 0.32 tools/cache/shared_informer.go,
/// processorListener.
///
/// A closed listener ends soon: what is still pending then is dropped. A panic of the handler costs
/// that notification, and a second of rest, unless `crash_on_panic` lets it out. A dropped one of
/// the first list keeps `has_synced` false for ever.
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

  /// Whether its resync is due; always no when it has no period.
  [[nodiscard]] bool should_resync(runtime::TimePoint now);
  /// The next resync is due a period from `now`.
  void schedule_next_resync(runtime::TimePoint now);
  void set_resync_period(runtime::Duration period);
  [[nodiscard]] runtime::Duration resync_period() const;
  [[nodiscard]] runtime::Duration requested_resync_period() const {
    return options_.requested_resync_period;
  }

 private:
  void call_handler_until_closed();
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
