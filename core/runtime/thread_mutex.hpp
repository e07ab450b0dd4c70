#pragma once

#include <atomic>

#include "core/runtime/backend.hpp"

namespace watchlab::runtime {

/// The mutex of `ThreadRuntime`. Not a `std::mutex`, because that one must be unlocked by the
/// thread that locked it and does not know whether it is locked; Go's is free of the first and
/// tells the second. Without contention it costs the same: one atomic operation to lock, one to
/// unlock.
class ThreadMutex final : public MutexBackend {
 public:
  void lock(Location here) override;
  [[nodiscard]] bool try_lock(Location here) override;
  /// Panics when the mutex is not locked.
  void unlock(Location here) override;

 private:
  static constexpr int free = 0;
  static constexpr int held = 1;
  static constexpr int contended = 2;  ///< held, and somebody may sleep until it is free

  std::atomic<int> state_ = free;
};

}  // namespace watchlab::runtime
