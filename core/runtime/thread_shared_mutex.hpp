#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "core/runtime/backend.hpp"

namespace watchlab::runtime {

/// The readers-writer lock of `ThreadRuntime`, with Go's precedence; `std::shared_mutex` lets
/// readers pass a waiting writer. Readers without a writer in sight need one atomic operation to
/// enter and one to leave. Everything else happens under an inner mutex.
///
/// `state_` is twice the number of readers inside, plus one while a writer is inside or waits. In
/// that odd state no reader enters by itself: a leaving writer lets in all who wait, at once.
class ThreadSharedMutex final : public SharedMutexBackend {
 public:
  void lock(Location here) override;
  /// Panics when no writer holds the lock.
  void unlock(Location here) override;
  void lock_shared(Location here) override;
  /// Panics when no reader holds the lock.
  void unlock_shared(Location here) override;

 private:
  static constexpr std::uint64_t one_reader = 2;
  static constexpr std::uint64_t writer_flag = 1;

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

}  // namespace watchlab::runtime
