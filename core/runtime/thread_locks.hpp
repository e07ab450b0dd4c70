#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>

#include "core/runtime/backend.hpp"
#include "core/runtime/thread_timer.hpp"

namespace watchlab::runtime {

/// The mutex of `ThreadRuntime`. Not a `std::mutex`, because that one must be unlocked by the
/// thread that locked it and does not know whether it is locked; Go's is free of the first and
/// knows the second. Without contention it costs the same: one atomic operation to lock, one to
/// unlock.
class ThreadMutex final : public MutexBackend {
 public:
  void lock(Location here) override;
  [[nodiscard]] bool try_lock(Location here) override;
  /// Panics when the mutex is not locked.
  void unlock(Location here) override;

 private:
  static constexpr int kFree = 0;
  static constexpr int kHeld = 1;
  static constexpr int kContended = 2;  ///< held, and a task may sleep until it is free

  std::atomic<int> state_ = kFree;
};

/// The readers-writer lock of `ThreadRuntime`, with Go's precedence; `std::shared_mutex` lets
/// readers pass a waiting writer. Readers without a writer in sight need one atomic operation to
/// enter and one to leave. Everything else happens under an inner mutex.
///
/// `state_` is twice the number of readers inside, plus one while a writer is inside or waits. In
/// that odd state no reader enters by itself: a leaving writer lets in all waiting readers at once.
class ThreadSharedMutex final : public SharedMutexBackend {
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
  void wait_for_writer_to_leave();

  std::atomic<std::uint64_t> state_ = 0;

  std::mutex inner_;
  std::condition_variable writers_may_enter_;
  std::condition_variable readers_were_let_in_;
  bool writer_inside_ = false;
  std::size_t writers_waiting_ = 0;
  std::size_t readers_waiting_ = 0;
  std::uint64_t rounds_ = 0;  ///< how often waiting readers were let in
};

/// The condition variable of `ThreadRuntime`. Every waiter has its own place in a queue, so that a
/// notification wakes exactly one, no waiter wakes for nothing, and a deadline that passes takes no
/// notification away from others. `notify_one` wakes the longest waiter. Notifying while no task
/// waits costs one load.
class ThreadCondVar final : public CondVarBackend {
 public:
  explicit ThreadCondVar(const ThreadClock& clock) : clock_(clock) {}

  /// The lock must be one of the same runtime. Panics when it is not held.
  bool wait(const HeldLock& held, const std::optional<TimePoint>& deadline, Location here) override;
  void notify_one(Location here) override;
  void notify_all(Location here) override;

 private:
  class Place;

  const ThreadClock& clock_;
  std::atomic<std::size_t> waiting_ = 0;  ///< size of `queue_`, readable without `inner_`
  std::mutex inner_;
  std::list<Place*> queue_;
};

/// The wait group of `ThreadRuntime`. A waiter continues once the counter has been zero, also when
/// it has been counted up again before the waiter ran. May be destroyed as soon as `wait` returns.
class ThreadWaitGroup final : public WaitGroupBackend {
 public:
  /// Panics when the counter would become negative; the counter stays as it was.
  void add(std::ptrdiff_t delta, Location here) override;
  void wait(Location here) override;

 private:
  std::mutex inner_;
  std::condition_variable reached_zero_;
  std::ptrdiff_t count_ = 0;
  std::uint64_t times_at_zero_ = 0;
};

}  // namespace watchlab::runtime
