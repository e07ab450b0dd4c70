#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/runtime/backend.hpp"
#include "core/runtime/fibers/timers.hpp"
#include "core/runtime/fibers/waiting.hpp"

namespace watchlab::runtime {

/// The mutex of `FiberRuntime`. Without contention one atomic operation to lock and one to unlock.
/// A task that leaves it wakes one waiter and may take it again before that one runs, as in Go: to
/// hand it over each time would be a switch of tasks each time. A waiter that came too late twice
/// insists on being handed it.
class FiberMutex final : public MutexBackend {
 public:
  void lock(Location here) override;
  [[nodiscard]] bool try_lock(Location here) override;
  /// Panics when the mutex is not locked.
  void unlock(Location here) override;

 private:
  static constexpr int kFree = 0;
  static constexpr int kHeld = 1;
  static constexpr int kContended = 2;  ///< held, and a task may wait

  void lock_contended(Location here);
  void unlock_contended();

  std::atomic<int> state_ = kFree;
  SpinLock inner_;
  WaitQueue waiting_;  ///< guarded by inner_
};

/// The readers-writer lock of `FiberRuntime`, with Go's precedence. Readers without a writer in
/// sight need one atomic operation to enter and one to leave. Everything else happens under a spin
/// lock, and whoever leaves hands the lock to those that it wakes.
///
/// `state_` is twice the number of readers inside, plus one while a writer is inside or waits. In
/// that odd state no reader enters by itself: a leaving writer lets in all waiting readers at once.
class FiberSharedMutex final : public SharedMutexBackend {
 public:
  void lock(Location here) override;
  /// Panics when no writer holds the lock.
  void unlock(Location here) override;
  void lock_shared(Location here) override;
  /// Panics when no reader holds the lock.
  void unlock_shared(Location here) override;

 private:
  static constexpr std::uint64_t kOneReader = 2;
  static constexpr std::uint64_t kWriterFlag = 1;

  [[nodiscard]] bool enter_without_writer();
  /// The writer that may enter now, taken out; null when there is none. With `inner_` held.
  [[nodiscard]] Waiter* let_writer_in();

  std::atomic<std::uint64_t> state_ = 0;
  SpinLock inner_;
  bool writer_inside_ = false;
  WaitQueue writers_;
  WaitQueue readers_;
  std::size_t readers_waiting_ = 0;
};

/// The condition variable of `FiberRuntime`. `notify_one` wakes the longest waiter; no waiter wakes
/// for nothing, and a deadline that passes takes no notification away from others. Notifying while
/// no task waits costs one load.
class FiberCondVar final : public CondVarBackend {
 public:
  explicit FiberCondVar(FiberTimers& timers) : timers_(timers) {}

  /// Panics when the lock is not held.
  bool wait(const HeldLock& held, const std::optional<TimePoint>& deadline, Location here) override;
  void notify_one(Location here) override;
  void notify_all(Location here) override;

 private:
  void enqueue(Waiter& waiter, const HeldLock& held, Location here);

  FiberTimers& timers_;
  std::atomic<bool> has_waiters_ = false;  ///< of `queue_`, readable without `inner_`
  SpinLock inner_;
  WaitQueue queue_;
};

/// The wait group of `FiberRuntime`. A waiter continues once the counter has been zero, also when
/// it has been counted up again before the waiter ran. May be destroyed as soon as `wait` returns.
class FiberWaitGroup final : public WaitGroupBackend {
 public:
  /// Panics when the counter would become negative; the counter stays as it was.
  void add(std::ptrdiff_t delta, Location here) override;
  void wait(Location here) override;

 private:
  SpinLock inner_;
  std::ptrdiff_t count_ = 0;
  WaitQueue waiting_;
};

}  // namespace watchlab::runtime
