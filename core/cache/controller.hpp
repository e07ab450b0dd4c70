#pragma once

#include <memory>
#include <string>

#include "core/cache/queue.hpp"
#include "core/cache/reflector.hpp"
#include "core/cache/sync/done_checker.hpp"
#include "core/runtime/shared_mutex.hpp"

namespace watchlab::cache {

/// Mirrors client-go 0.32 tools/cache/controller.go, Config.
struct ControllerOptions {
  /// Filled by the reflector, emptied by the process loop; closed by the stop. What the queue
  /// refers to must live as long as the queue itself: a resync can outlive the controller.
  std::shared_ptr<Queue> queue;
  std::shared_ptr<ListerWatcher> lister_watcher;
  /// Called with each popped item, by the process loop, under the queue's lock.
  PopProcess process;
  /// Called with several deltas at once, if the queue hands out batches; none processes each by
  /// itself. Since 0.35.
  ProcessBatch process_batch{};
  /// How the reflector is made: name, expected type, resync period and check, watch timeout, watch
  /// error handler and so on.
  ReflectorOptions reflector;
  /// Puts an item whose process function failed back into the queue, unless something newer stands
  /// there: it is then tried again at once. Otherwise the error is lost. Only with a queue that
  /// takes items back. Mirrors RetryOnError, which is gone since 0.33.
  bool retry_on_error = false;
  /// Whether the process loop looks at the stop before each pop, and so leaves what is queued.
  /// Since 0.34.
  bool leaves_at_stop = false;
  /// Whether a panic of the process function leaves `run`, as Go's default is. Otherwise it is
  /// logged, the item is lost, and the loop continues a second later. Mirrors ReallyCrash.
  bool crash_on_panic = true;
};

/// Runs a reflector into a queue and a process function out of it. Mirrors client-go 0.32
/// tools/cache/controller.go, controller.
///
/// The stop closes the queue and ends the reflector; the process loop first handles everything that
/// is queued, however long that takes, unless it `leaves_at_stop`, and `run` comes back when both
/// have ended.
class Controller {
 public:
  Controller(runtime::Runtime& runtime, ControllerOptions options);

  /// Blocks until the token stops and everything has ended. To be called once. A panic of the
  /// process function leaves it at once, without waiting for the reflector.
  void run(const runtime::StopToken& stop);
  /// Whether everything of the first list was popped. Any task may ask; waits while an item is
  /// being processed.
  [[nodiscard]] bool has_synced() const;
  /// Done once everything of the first list was popped. Panics for a queue that is no
  /// `SignalsSync`. Since 0.36.
  [[nodiscard]] DoneChecker has_synced_checker() const;
  /// "" before `run` has begun and until the first list.
  [[nodiscard]] std::string last_sync_resource_version() const;

 private:
  [[nodiscard]] Popped process_next();
  void process_until_closed(const runtime::StopToken& stop);
  void process_once_or_crash(const runtime::StopToken& stop);
  void put_back(const PopItem& item) const;

  runtime::Runtime& runtime_;
  ControllerOptions options_;
  mutable runtime::SharedMutex reflector_mutex_;
  std::shared_ptr<Reflector> reflector_;  ///< guarded by reflector_mutex_; null before run
};

}  // namespace watchlab::cache
