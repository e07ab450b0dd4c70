#pragma once

#include <array>
#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>

#include "core/runtime/fibers/scheduler.hpp"

namespace watchlab::runtime {

/// One OS thread of a `FiberScheduler`. All but `steal_from` is for that thread alone, on whichever
/// fiber it is.
class FiberWorker {
 public:
  FiberWorker(FiberScheduler& scheduler, std::uint64_t seed)
      : scheduler_(scheduler), random_(ThreadRandom::scramble(seed) | 1) {}
  FiberWorker(const FiberWorker&) = delete;
  FiberWorker& operator=(const FiberWorker&) = delete;

  /// The worker whose thread calls; null on other threads. A fiber continues on any thread, so the
  /// answer holds until the next switch.
  [[nodiscard]] static FiberWorker* here();

  /// The body of its thread.
  void work();

  /// Puts a woken task first in line; the one that was goes into the ring.
  void ready(FiberTask& task);
  /// Puts a task last in line.
  void push(FiberTask& task);
  /// Leaves the running fiber for the next one in line.
  void leave_waiting(SpinLock* const* locks, std::size_t count);
  void leave_yielding();
  [[noreturn]] void leave_for_good();
  /// The first thing that a fiber does when it is entered: what the one before left to be done.
  void arrive();

  [[nodiscard]] std::size_t draw(std::size_t bound);

  FiberScheduler& scheduler() { return scheduler_; }
  [[nodiscard]] FiberTask* current() const { return current_; }

 private:
  friend class FiberScheduler;

  static constexpr std::uint32_t kRing = 256;
  static constexpr std::uint32_t kTurnsToLookAround = 61;
  static constexpr std::uint32_t kLooksToPoll = 16;

  void switch_to(FiberTask* next, bool last);
  [[nodiscard]] FiberTask* take();
  [[nodiscard]] FiberTask* take_own();
  [[nodiscard]] FiberTask* take_from_ring();
  [[nodiscard]] FiberTask* look_around();
  [[nodiscard]] FiberTask* find();
  [[nodiscard]] FiberTask* search();
  [[nodiscard]] FiberTask* steal();
  [[nodiscard]] FiberTask* steal_from(FiberWorker& victim);
  void poll();
  void sleep();

  FiberScheduler& scheduler_;
  Fiber base_;  ///< the thread's own
  FiberTask* current_ = nullptr;
  FiberTask* run_next_ = nullptr;
  ExceptionState* exceptions_ = nullptr;
  std::uint32_t turns_ = 0;
  std::uint64_t random_;
  bool took_wake_up_ = false;
  FiberTask* free_ = nullptr;
  std::size_t free_count_ = 0;

  // Left to be done by the fiber that is entered next.
  FiberTask* yielding_ = nullptr;
  FiberTask* ended_ = nullptr;
  boost::container::small_vector<SpinLock*, 8> to_release_;

  alignas(64) std::atomic<std::uint32_t> head_ = 0;
  std::atomic<std::uint32_t> tail_ = 0;
  std::array<std::atomic<FiberTask*>, kRing> ring_{};
};

}  // namespace watchlab::runtime
