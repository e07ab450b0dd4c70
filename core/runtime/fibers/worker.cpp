#include "core/runtime/fibers/worker.hpp"

#include <thread>
#include <utility>

#include "core/runtime/recover.hpp"

namespace watchlab::runtime {
namespace {

/// Read through `FiberWorker::here` only. Initial-exec, because each operation reads it.
#if defined(__ELF__)
[[gnu::tls_model("initial-exec")]]
#endif
thread_local FiberWorker* worker_of_thread = nullptr;

constexpr int kSearches = 30;

void pause_for_a_moment() {
#if defined(__x86_64__)
  for (int i = 0; i < 20; ++i) {
    __builtin_ia32_pause();
  }
#endif
}

}  // namespace

/// Never inlined: a fiber may come back on another thread, so no caller may keep the address of the
/// variable across a switch.
[[gnu::noinline]] FiberWorker* FiberWorker::here() {
  __asm__ volatile("");
  return worker_of_thread;
}

void FiberWorker::work() {
  worker_of_thread = this;
  exceptions_ = exception_state_of_this_thread();
  const Running running(scheduler_.runtime_);
  while (!scheduler_.stopping_.load(std::memory_order_acquire)) {
    FiberTask* next = find();
    if (next == nullptr) {
      next = search();
    }
    if (next == nullptr) {
      sleep();
    } else {
      switch_to(next, false);
    }
  }
  worker_of_thread = nullptr;
}

void FiberWorker::ready(FiberTask& task) {
  task.state = FiberTask::State::Ready;
  if (FiberTask* const before = std::exchange(run_next_, &task)) {
    push(*before);
  }
}

void FiberWorker::push(FiberTask& task) {
  task.state = FiberTask::State::Ready;
  const std::uint32_t tail = tail_.load(std::memory_order_relaxed);
  if (tail - head_.load(std::memory_order_acquire) == kRing) {
    scheduler_.inject(task);
    return;
  }
  ring_[tail % kRing].store(&task, std::memory_order_relaxed);
  tail_.store(tail + 1, std::memory_order_release);
  // No fence: if an idle worker is missed, this one runs the task itself.
  if (scheduler_.idle_.load(std::memory_order_relaxed) > 0 &&
      scheduler_.searching_.load(std::memory_order_relaxed) == 0) {
    scheduler_.wake_idle();
  }
}

void FiberWorker::leave_waiting(SpinLock* const* locks, std::size_t count) {
  // Copied: once the first of them is released, the task may go on and the array be gone.
  to_release_.assign(locks, locks + count);
  current_->state = FiberTask::State::Waiting;
  switch_to(take(), false);
}

void FiberWorker::leave_yielding() {
  yielding_ = current_;
  switch_to(take(), false);
}

void FiberWorker::leave_for_good() {
  ended_ = current_;
  switch_to(take(), true);
  __builtin_unreachable();
}

/// Continues in `next`, or in the thread's own fiber, and returns when the one that called is come
/// back to, on whichever worker.
void FiberWorker::switch_to(FiberTask* next, bool last) {
  Fiber& from = current_ == nullptr ? base_ : current_->fiber;
  current_ = next;
  if (next != nullptr) {
    next->state = FiberTask::State::Running;
  }
  Fiber& to = next == nullptr ? base_ : next->fiber;
  Fiber::switch_over<Ordering::Always>(from, to, exceptions_, last);
  here()->arrive();
}

void FiberWorker::arrive() {
  if (!to_release_.empty()) {
    for (SpinLock* const lock : to_release_) {
      lock->unlock();
    }
    to_release_.clear();
  } else if (yielding_ != nullptr) {
    push(*std::exchange(yielding_, nullptr));
  } else if (ended_ != nullptr) {
    scheduler_.ended(*this, *std::exchange(ended_, nullptr));
  }
}

/// The next of this worker's own; null when there is none, and when it is time to look around. That
/// takes locks, and whoever leaves may hold them, so it is done on the thread's own fiber.
FiberTask* FiberWorker::take() {
  if (++turns_ % kTurnsToLookAround == 0) [[unlikely]] {
    return nullptr;
  }
  return take_own();
}

FiberTask* FiberWorker::take_own() {
  FiberTask* const next = std::exchange(run_next_, nullptr);
  return next != nullptr ? next : take_from_ring();
}

/// So that two tasks that wake each other for ever do not keep all others from running.
FiberTask* FiberWorker::look_around() {
  ++turns_;
  static_cast<void>(scheduler_.timers_.fire_due());
  if (turns_ / kTurnsToLookAround % kLooksToPoll == 0) {
    poll();
  }
  if (FiberTask* const task = scheduler_.take_injected()) {
    return task;
  }
  return take_from_ring();
}

FiberTask* FiberWorker::take_from_ring() {
  std::uint32_t head = head_.load(std::memory_order_acquire);
  while (head != tail_.load(std::memory_order_relaxed)) {
    FiberTask* const task = ring_[head % kRing].load(std::memory_order_relaxed);
    if (head_.compare_exchange_weak(head, head + 1, std::memory_order_acq_rel)) {
      return task;
    }
  }
  return nullptr;
}

FiberTask* FiberWorker::find() {
  if (turns_ % kTurnsToLookAround == 0) {
    if (FiberTask* const task = look_around()) {
      return task;
    }
  }
  static_cast<void>(scheduler_.timers_.fire_due());
  // Whatever the turn: who finds nothing may sleep, and a timer may just have made one ready.
  if (FiberTask* const task = take_own()) {
    return task;
  }
  if (FiberTask* const task = scheduler_.take_injected()) {
    return task;
  }
  return steal();
}

/// Looks again for a short while: to be woken costs more than that. Only where there are others.
FiberTask* FiberWorker::search() {
  if (scheduler_.workers_.size() == 1) {
    return nullptr;
  }
  scheduler_.searching_.fetch_add(1);
  FiberTask* task = nullptr;
  for (int i = 0; i < kSearches && task == nullptr && !scheduler_.stopping_; ++i) {
    pause_for_a_moment();
    task = find();
  }
  // The last one that searched wakes the next: what was pushed meanwhile woke nobody.
  if (scheduler_.searching_.fetch_sub(1) == 1 && task != nullptr) {
    scheduler_.wake_idle();
  }
  return task;
}

FiberTask* FiberWorker::steal() {
  const std::size_t count = scheduler_.workers_.size();
  const std::size_t first = count == 1 ? 0 : draw(count);
  for (std::size_t i = 0; count > 1 && i < count; ++i) {
    FiberWorker& victim = *scheduler_.workers_[(first + i) % count];
    if (&victim != this) {
      if (FiberTask* const task = steal_from(victim)) {
        return task;
      }
    }
  }
  return nullptr;
}

/// Takes half of what waits there; the first of it is the answer, the rest goes into our own ring,
/// which is empty.
FiberTask* FiberWorker::steal_from(FiberWorker& victim) {
  std::uint32_t head = victim.head_.load(std::memory_order_acquire);
  const std::uint32_t tail = victim.tail_.load(std::memory_order_acquire);
  const std::uint32_t there = tail - head;
  const std::uint32_t count = there - there / 2;
  if (count == 0 || there > kRing) {
    return nullptr;
  }
  std::array<FiberTask*, kRing / 2> taken;
  for (std::uint32_t i = 0; i < count; ++i) {
    taken[i] = victim.ring_[(head + i) % kRing].load(std::memory_order_relaxed);
  }
  if (!victim.head_.compare_exchange_strong(head, head + count, std::memory_order_acq_rel)) {
    return nullptr;
  }
  for (std::uint32_t i = 1; i < count; ++i) {
    push(*taken[i]);
  }
  return taken[0];
}

/// A wake-up that is taken here was for a worker that sleeps.
void FiberWorker::poll() {
  took_wake_up_ = false;
  scheduler_.event_loop_.poll();
  if (took_wake_up_) {
    scheduler_.wake_idle();
  }
}

void FiberWorker::sleep() {
  scheduler_.idle_.fetch_add(1);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // What came before we counted as idle woke nobody.
  if (FiberTask* const task = scheduler_.stopping_ ? nullptr : find()) {
    scheduler_.idle_.fetch_sub(1);
    switch_to(task, false);
    return;
  }
  if (!scheduler_.stopping_) {
    scheduler_.event_loop_.wait(scheduler_.timers_.next());
  }
  scheduler_.idle_.fetch_sub(1);
}

std::size_t FiberWorker::draw(std::size_t bound) {
  // xorshift64*: for choices among few.
  random_ ^= random_ >> 12;
  random_ ^= random_ << 25;
  random_ ^= random_ >> 27;
  return static_cast<std::size_t>((random_ * 0x2545f4914f6cdd1dU) >> 33) % bound;
}

}  // namespace watchlab::runtime
