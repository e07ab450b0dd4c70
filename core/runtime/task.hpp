#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// A handle on a started task; copies are the same task. Letting go of it does not stop the task.
class Task {
 public:
  Task() = default;
  explicit Task(std::shared_ptr<TaskBackend> backend) : backend_(std::move(backend)) {}

  /// Blocks until the task has ended. May be called by many, and again.
  void join(Location here = Location::current()) const { backend_->join(here); }
  /// Whether the task has ended already. A visible operation.
  [[nodiscard]] bool done(Location here = Location::current()) const {
    return backend_->done(here);
  }
  /// False for a default-constructed handle, which may not be asked for anything else.
  [[nodiscard]] bool valid() const { return backend_ != nullptr; }

 private:
  std::shared_ptr<TaskBackend> backend_;
};

/// Starts a task, as the go statement does. The name appears in reports and schedules; together
/// with the starter's identity and a count it is the task's stable identity.
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
