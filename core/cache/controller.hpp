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
  /// Filled by the reflector, emptied by the process loop, closed by the stop. Whatever the queue
  /// refers to must live as long as the queue: a resync can outlive the controller.
  std::shared_ptr<Queue> queue;
  std::shared_ptr<ListerWatcher> lister_watcher;
  /// Called by the process loop with each popped item, under the queue's lock.
  PopProcess process;
  /// Called with several deltas at once, if the queue hands out batches. If empty, each delta is
  /// processed by itself. Since 0.35.
  ProcessBatch process_batch{};
  /// Options of the reflector: name, expected type, resync period and check, watch timeout, watch
  /// error handler and so on.
  ReflectorOptions reflector;
  /// Whether an item whose process function failed goes back into the queue, unless something newer
  /// is queued, and is retried at once. Otherwise the error is dropped. Only for a queue that takes
  /// items back. Mirrors RetryOnError, which 0.33 removed.
  bool retry_on_error = false;
  /// Whether the process loop checks the stop before each pop, and so leaves items in the queue.
  /// Since 0.34.
  bool leaves_at_stop = false;
  /// Whether a panic of the process function leaves `run`, as is Go's default. Otherwise it is
  /// logged, the item is lost, and the loop goes on after a second. Mirrors ReallyCrash.
  bool crash_on_panic = true;
};

/// Runs a reflector that fills a queue, and a loop that processes it. Mirrors client-go 0.32
/// tools/cache/controller.go, controller.
///
/// A stop closes the queue and ends the reflector. The process loop first handles everything that
/// is queued, however long that takes, unless `leaves_at_stop` is set. `run` returns when both have
/// ended.
class Controller {
 public:
  Controller(runtime::Runtime& runtime, ControllerOptions options);

  /// Blocks until the token stops and everything has ended. Call it once. A panic of the process
  /// function leaves it at once, without waiting for the reflector.
  void run(const runtime::StopToken& stop);
  /// Whether all of the first list has been popped. Any task may call it; blocks while an item is
  /// being processed.
  [[nodiscard]] bool has_synced() const;
  /// Done once all of the first list has been popped. Panics if the queue is not a `SignalsSync`.
  /// Since 0.36.
  [[nodiscard]] DoneChecker has_synced_checker() const;
  /// "" before `run` and until the first list.
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
