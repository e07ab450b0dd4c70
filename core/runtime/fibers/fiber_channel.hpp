#pragma once

#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/runtime/backend.hpp"
#include "core/runtime/fibers/waiting.hpp"

namespace watchlab::runtime {

class FiberScheduler;

/// The channel of `FiberRuntime`: a buffer and two queues of blocked selects under a spin lock. A
/// value goes from the stack of the one task to that of the other.
class FiberChannel final : public ChannelBackend {
 public:
  explicit FiberChannel(std::size_t capacity) : capacity_(capacity) {}

  /// Wakes all blocked receivers with nothing and all blocked senders with a panic.
  void close(Location here) override;
  [[nodiscard]] std::size_t size(Location here) override;

  /// Sends unless that would block or the channel is closed; the value is lost then. For timers.
  void offer(AnyValue any_value);

 private:
  friend class FiberSelect;

  enum class Outcome : std::uint8_t { Blocked, Done, Panics };

  // All of the following are called with `lock_` held. A counterpart that was got is put into
  // `woken`, to be woken when the lock is free.

  [[nodiscard]] Outcome attempt(SelectCase& arm, Sleeper*& woken);
  [[nodiscard]] Outcome send(AnyValue& any_value, Sleeper*& woken);
  [[nodiscard]] Outcome receive(AnyValue& any_value, Sleeper*& woken);
  void put_into_buffer(AnyValue any_value);
  [[nodiscard]] WaitQueue& waiting(SelectCase::Direction direction);

  const std::size_t capacity_;
  SpinLock lock_;
  bool closed_ = false;
  WaitQueue senders_;
  WaitQueue receivers_;
  boost::circular_buffer<AnyValue> buffer_;  ///< takes memory when it first holds something
};

/// One select of `FiberRuntime`. Looks for a ready arm and else blocks, with all its channels
/// locked, so that no counterpart can come in between.
class FiberSelect {
 public:
  FiberSelect(std::span<SelectCase> cases, FiberScheduler& scheduler, Location here)
      : cases_(cases), scheduler_(scheduler), here_(here) {}

  /// See `Runtime::select`.
  std::optional<std::size_t> run(bool blocking);

 private:
  std::optional<std::size_t> run_one(bool blocking);
  std::optional<std::size_t> run_many(bool blocking);
  std::size_t block(SpinLock* const* locks, std::size_t count);

  std::span<SelectCase> cases_;
  FiberScheduler& scheduler_;
  Location here_;
};

}  // namespace watchlab::runtime
