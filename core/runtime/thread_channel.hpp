#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>

#include "core/runtime/backend.hpp"

namespace watchlab::runtime {

class ThreadParking;

/// The channel of `ThreadRuntime`: a buffer and two queues of parked selects under one mutex.
/// Sending and receiving are `ThreadSelect`'s business; it holds the mutexes of all its channels
/// while it looks, parks, or hands over. A task that is parked here keeps the channel alive, so
/// that the receiver of the last value may let go of it at once.
class ThreadChannel final : public ChannelBackend,
                            public std::enable_shared_from_this<ThreadChannel> {
 public:
  /// `number` orders the locking of several channels; no two channels of a runtime share one.
  ThreadChannel(std::size_t capacity, std::uint64_t number)
      : capacity_(capacity), number_(number) {}

  /// Wakes all parked receivers with nothing and all parked senders with a panic.
  void close(Location here) override;
  [[nodiscard]] std::size_t size(Location here) override;

  /// Sends unless that would block or the channel is closed; the value is lost then. For timers.
  void offer(AnyValue any_value);

 private:
  friend class ThreadSelect;
  friend class ThreadChannelLocks;

  /// One arm of a parked select.
  struct Waiting {
    ThreadParking* parking;
    std::size_t arm;
  };

  // All of the following are called with `mutex_` held.

  /// Whether `send` or `receive` may succeed now, or, for a send, panics.
  [[nodiscard]] bool ready(SelectCase::Direction direction) const;
  /// False when a parked receiver was taken by another channel meanwhile and no room is left.
  /// Panics when the channel is closed.
  bool send(AnyValue& any_value);
  /// False when a parked sender was taken by another channel meanwhile and nothing is left.
  bool receive(AnyValue& any_value);
  [[nodiscard]] std::list<Waiting>& waiting(SelectCase::Direction direction);

  const std::size_t capacity_;
  const std::uint64_t number_;
  std::mutex mutex_;
  bool closed_ = false;
  std::deque<AnyValue> buffer_;
  std::list<Waiting> senders_;
  std::list<Waiting> receivers_;
};

}  // namespace watchlab::runtime
