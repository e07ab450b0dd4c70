#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/runtime/channel.hpp"
#include "core/runtime/time.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {

/// Counts work that a `WorldContext` still has to do: handlers that are queued or running, timers
/// that are armed. Counting is no visible operation.
class PendingWork {
 public:
  explicit PendingWork(World& world) : world_(world), idle_(world, 1, "idle") {}

  void add() { ++count_; }
  void done();
  /// Blocks the running task until there is none.
  void wait(runtime::Location here);

 private:
  World& world_;
  std::size_t count_ = 0;
  runtime::Channel<runtime::Unit> idle_;
  SyncPoint done_;
};

/// The part of an Asio timer that knows nothing of Asio: calls back once, with true when the moment
/// came and false when it was cancelled before. While it is armed it keeps the run going.
class AsioTimerCore {
 public:
  AsioTimerCore(World& world, PendingWork& work);
  AsioTimerCore(const AsioTimerCore&) = delete;
  AsioTimerCore& operator=(const AsioTimerCore&) = delete;
  ~AsioTimerCore();

  /// No wait may be under way.
  void wait(runtime::TimePoint deadline, std::function<void(bool expired)> callback);
  void cancel();

 private:
  class Alarm;

  void complete(bool expired);

  World& world_;
  PendingWork& work_;
  std::unique_ptr<Alarm> alarm_;
};

}  // namespace watchlab::sim
