#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>

#include "core/runtime/recover.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::runtime {

/// Waits for a number of things to be done. Mirrors Go sync.WaitGroup; a negative counter panics.
/// Any task may call any function; as in Go, call `add` before `wait`.
class WaitGroup {
 public:
  explicit WaitGroup(Runtime& runtime, std::string_view name = "wait_group",
                     Location here = Location::current())
      : runtime_(runtime), backend_(runtime.make_wait_group(name, here)) {}

  void add(std::ptrdiff_t delta = 1, Location here = Location::current()) {
    backend_->add(delta, here);
  }
  void done(Location here = Location::current()) { backend_->add(-1, here); }
  /// Blocks until the count is zero.
  void wait(Location here = Location::current()) { backend_->wait(here); }

  /// Adds one, starts the task, and subtracts one when the body ends, even by an exception. Mirrors
  /// apimachinery wait.Group.Start. The group must outlive the task.
  Task start(std::string_view name, std::function<void()> body,
             Location here = Location::current()) {
    add(1, here);
    return spawn(
        runtime_, name,
        [this, body = std::move(body), here] { run_then(body, [this, here] { done(here); }); },
        here);
  }

 private:
  Runtime& runtime_;
  Owned<WaitGroupBackend> backend_;
};

}  // namespace watchlab::runtime
