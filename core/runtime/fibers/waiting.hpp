#pragma once

#include <atomic>
#include <cstddef>

#include "core/runtime/any_value.hpp"
#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

class FiberTask;

/// Guards a few lines that never block: the queues of a primitive, a heap. A fiber may leave while
/// it holds one only through `Sleeper::sleep`, which has it released behind it.
class SpinLock {
 public:
  void lock() {
    while (held_.exchange(true, std::memory_order_acquire)) {
      wait();
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  /// Returns when the lock looks free. Gives the processor away after a while: the holder may have
  /// lost its own.
  void wait() const;

  std::atomic<bool> held_ = false;
};

/// Holds a spin lock for a scope.
class SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;
  ~SpinGuard() { lock_.unlock(); }

 private:
  SpinLock& lock_;
};

/// One blocked operation: made by the task (or the OS thread that is none) that blocks, on its own
/// stack, put into queues through `Waiter`s, and woken once. The last thing that a counterpart does
/// with it is `wake`.
class Sleeper {
 public:
  /// `arms` is in how many places at once it waits. Fails in a handler of the event loop, which
  /// must not wait.
  explicit Sleeper(Location here, std::size_t arms = 1);
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  /// For counterparts, under the lock of the queue in which they found it: true for one only, which
  /// must complete that arm and `wake` it.
  [[nodiscard]] bool claim(std::size_t arm) {
    if (alone_) {
      arm_.store(arm, std::memory_order_relaxed);
      return true;
    }
    std::size_t none = kNone;
    return arm_.compare_exchange_strong(none, arm, std::memory_order_acq_rel);
  }
  void wake();

  /// For the sleeper: releases the lock once it can be woken, and returns when it was.
  void sleep(SpinLock& held) {
    SpinLock* const locks[] = {&held};
    sleep(locks, 1);
  }
  void sleep(SpinLock* const* held, std::size_t count);
  /// Which arm was completed. After `sleep`.
  [[nodiscard]] std::size_t arm() const { return arm_.load(std::memory_order_relaxed); }

  bool because_closed = false;  ///< set by the counterpart that closed the channel

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  FiberTask* const task_;  ///< null for an OS thread that no fiber runs on
  const bool alone_;
  std::atomic<std::size_t> arm_ = kNone;
  std::atomic<int> woken_ = 0;  ///< for such a thread
};

/// The place of a sleeper in one queue.
struct Waiter {
  Sleeper* sleeper = nullptr;
  std::size_t arm = 0;
  AnyValue* any_value = nullptr;  ///< of channels: to be taken or filled
  bool queued = false;
  bool insists = false;  ///< of mutexes: wants to be handed it, and no longer to compete
  Waiter* next = nullptr;
  Waiter* previous = nullptr;
};

/// Waiters in the order of their coming. It owns nothing and allocates nothing.
class WaitQueue {
 public:
  void push_back(Waiter& waiter) {
    waiter.queued = true;
    waiter.next = nullptr;
    waiter.previous = last_;
    (last_ == nullptr ? first_ : last_->next) = &waiter;
    last_ = &waiter;
  }
  void push_front(Waiter& waiter) {
    waiter.queued = true;
    waiter.previous = nullptr;
    waiter.next = first_;
    (first_ == nullptr ? last_ : first_->previous) = &waiter;
    first_ = &waiter;
  }
  void remove(Waiter& waiter) {
    if (!waiter.queued) {
      return;
    }
    waiter.queued = false;
    (waiter.previous == nullptr ? first_ : waiter.previous->next) = waiter.next;
    (waiter.next == nullptr ? last_ : waiter.next->previous) = waiter.previous;
  }
  /// The first, taken out of the queue; null when there is none.
  [[nodiscard]] Waiter* pop() {
    Waiter* const waiter = first_;
    if (waiter != nullptr) {
      first_ = waiter->next;
      (first_ == nullptr ? last_ : first_->previous) = nullptr;
      waiter->queued = false;
    }
    return waiter;
  }
  /// The first whose sleeper the caller gets, taken out; those that others got are dropped.
  [[nodiscard]] Waiter* claim() {
    Waiter* waiter = pop();
    while (waiter != nullptr && !waiter->sleeper->claim(waiter->arm)) {
      waiter = pop();
    }
    return waiter;
  }
  [[nodiscard]] bool empty() const { return first_ == nullptr; }

 private:
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

/// Wakes all that wait here, which nobody else can see or claim any more. Returns how many.
std::size_t wake_all(WaitQueue queue);

}  // namespace watchlab::runtime
