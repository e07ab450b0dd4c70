#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>

#include "core/runtime/backend.hpp"
#include "core/runtime/thread_clock.hpp"

namespace watchlab::runtime {

/// The condition variable of `ThreadRuntime`. Every waiter has its own place in a queue, so that a
/// notification wakes exactly one, no waiter wakes for nothing, and a deadline that passes takes no
/// notification away from others. `notify_one` wakes who waits longest. Notifying while nobody
/// waits costs one load.
class ThreadCondVar final : public CondVarBackend {
 public:
  explicit ThreadCondVar(const ThreadClock& clock) : clock_(clock) {}

  /// The mutex must be a `ThreadMutex` of the same runtime. Panics when it is not locked.
  bool wait(MutexBackend& mutex, std::optional<TimePoint> deadline, Location here) override;
  void notify_one(Location here) override;
  void notify_all(Location here) override;

 private:
  class Place;

  const ThreadClock& clock_;
  std::atomic<std::size_t> waiting_ = 0;  ///< size of `queue_`, readable without `inner_`
  std::mutex inner_;
  std::list<Place*> queue_;
};

}  // namespace watchlab::runtime
