#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/held_lock.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A condition variable of a simulated world. Beginning to wait is one visible operation (the lock
/// is released in it), taking the lock again after the wake-up another. It remembers the last
/// notification that found no waiter, because that is what a lost wake-up is made of.
class SimCondVar final : public runtime::CondVarBackend, public SimObject {
 public:
  using SimObject::SimObject;

  bool wait(const runtime::HeldLock& held, const std::optional<runtime::TimePoint>& deadline,
            runtime::Location here) override;
  void notify_one(runtime::Location here) override;
  void notify_all(runtime::Location here) override;
  void retire() noexcept override;

  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;

 private:
  struct Waiter {
    SimTask* task;
    SimHeldLock held;
    std::size_t since_step;
    std::size_t looked_since;  ///< the step at which it took the lock before
  };
  struct EmptyNotify {
    const SimTask* task = nullptr;  ///< pinned
    std::size_t step = 0;
    runtime::Location here;
  };

  [[nodiscard]] std::size_t choose_waiter();
  void wake(std::size_t index);
  bool give_up(SimTask& me);
  void remember_empty(runtime::Location here);

  std::vector<Waiter> waiters_;  ///< in the order of arrival
  /// The last one, and the last one of another task than that, in one order or the other.
  std::array<EmptyNotify, 2> empty_;
  std::size_t last_empty_ = 0;  ///< which of them is the last one
};

}  // namespace watchlab::sim
