#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/holder.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A mutex of a simulated world. The first waiting task to be scheduled gets it. The task that
/// unlocks it may hand it over to one that has waited for 1 ms or more, as Go's sync.Mutex does in
/// starvation mode. That is a choice, and a task that tries to lock in between comes too late.
class SimMutex final : public runtime::MutexBackend, public SimObject {
 public:
  using SimObject::SimObject;

  void lock(runtime::Location here) override;
  [[nodiscard]] bool try_lock(runtime::Location here) override;
  void unlock(runtime::Location here) override;
  void unlock_guard(runtime::Location locked) noexcept override;
  void lock_guard(runtime::Location here) override;
  void serve_as_once() override { is_once_ = true; }
  void retire() noexcept override;

  /// Steps of a condition's wait. `release` releases the mutex; `relock` waits for it and takes it
  /// in one scheduling point, with the relock already published.
  void release(runtime::Location here);
  void relock(SimTask& me, runtime::Location here);
  /// Announces that `task`, which is not running, asks for the mutex: it is ready once the mutex is
  /// free.
  void await(SimTask& task);

  [[nodiscard]] const SimTask* owner() const { return owner_; }
  /// The step at which the owner took it.
  [[nodiscard]] std::size_t owned_since_step() const { return owned_since_step_; }
  [[nodiscard]] std::string_view kind_text() const override;
  [[nodiscard]] std::vector<const SimTask*> releasers(const SimTask& task) const override;
  [[nodiscard]] bool is_released_by_holder() const override { return is_standard_ || is_guarded_; }
  /// It behaves like a standard mutex, which only its holder may unlock.
  void set_standard() { is_standard_ = true; }
  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;
  /// Why the running task cannot unlock it, for the end of a sentence: who holds it, or who
  /// unlocked it last.
  [[nodiscard]] std::string not_held_because() const;

 private:
  static constexpr runtime::Duration kStarvation = std::chrono::milliseconds(1);

  [[noreturn, gnu::cold]] void refuse_unlock(runtime::Location here) const;
  [[gnu::cold]] void report_unlocked_guard(runtime::Location locked);
  // Every lock and unlock goes through these, and costs little else. One more call around a task
  // switch is expensive, because its return address is no longer predicted.
  [[gnu::always_inline]] inline void wait_and_take(runtime::Location here);
  [[gnu::always_inline]] inline void let_go(runtime::Location here);
  [[gnu::always_inline]] inline void take(SimTask& me, runtime::Location here);
  [[gnu::noinline]] void put_owner_back();
  void want(SimTask& task);
  [[nodiscard]] bool hand_over();
  [[nodiscard]] std::vector<SimTask*> starving() const;
  void notify_destroyed();

  SimTask* owner_ = nullptr;
  runtime::Location owned_since_;
  std::size_t owned_since_step_ = 0;
  bool locked_ = false;
  bool handed_over_ = false;  ///< the owner has not continued yet
  bool is_once_ = false;
  bool is_standard_ = false;
  bool is_guarded_ = false;  ///< a guard of the owner locked it
  LastOperation unlocked_;
  runtime::TimePoint wanted_since_;  ///< no waiter has come earlier; valid while some wait
  SyncPoint sync_;
  ActorSet waiting_;  ///< tasks that have published that they want the mutex
};

}  // namespace watchlab::sim
