#pragma once

#include <functional>
#include <string_view>

#include "core/runtime/mutex.hpp"

namespace watchlab::runtime {

/// Runs a body at most once. A task that calls it meanwhile waits until the body ends. Mirrors Go
/// sync.Once: a body that panics counts as done, and one that calls the same `Once` deadlocks.
class Once {
 public:
  explicit Once(Runtime& runtime, std::string_view name = "once",
                Location here = Location::current())
      : mutex_(runtime, name, here) {
    mutex_.backend().serve_as_once();
  }

  /// Runs the body, or waits for the end of the first call, or does nothing.
  void call(const std::function<void()>& body, Location here = Location::current()) {
    const Lock lock(mutex_, here);
    if (!done_) {
      done_ = true;
      body();
    }
  }

 private:
  Mutex mutex_;
  bool done_ = false;
};

}  // namespace watchlab::runtime
