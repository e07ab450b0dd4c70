#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "core/runtime/backend.hpp"

namespace watchlab::runtime {

/// The wait group of `ThreadRuntime`. Who waits goes on once the counter has been zero, also when
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
