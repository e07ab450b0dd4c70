#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// A handle to a started task; copies are the same task. Dropping it does not stop the task.
class Task {
 public:
  Task() = default;
  explicit Task(std::shared_ptr<TaskBackend> backend) : backend_(std::move(backend)) {}

  /// Blocks until the task has ended. Any number of tasks may call it, repeatedly.
  void join(Location here = Location::current()) const { backend_->join(here); }
  /// Whether the task has ended. A visible operation.
  [[nodiscard]] bool done(Location here = Location::current()) const {
    return backend_->done(here);
  }
  /// False for a default-constructed handle, on which nothing else may be called.
  [[nodiscard]] bool valid() const { return backend_ != nullptr; }

 private:
  std::shared_ptr<TaskBackend> backend_;
};

/// Starts a task, like Go's go statement. The name appears in reports and schedules; together with
/// the starter's identity and a count it is the task's stable identity.
inline Task spawn(Runtime& runtime, std::string_view name, std::function<void()> body,
                  Location here = Location::current()) {
  return Task(runtime.spawn(name, std::move(body), here));
}

/// Sleeps on the runtime's clock.
inline void sleep_for(Runtime& runtime, Duration delay, Location here = Location::current()) {
  const TimePoint deadline = runtime.now() + delay;
  runtime.sleep_until(deadline, here);
}

}  // namespace watchlab::runtime
