#include "core/runtime/fibers/scheduler.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/runtime/fibers/diagnosis.hpp"
#include "core/runtime/fibers/worker.hpp"

namespace watchlab::runtime {
namespace {

constexpr std::size_t kFreePerWorker = 64;

}  // namespace

void FiberHandle::join(Location here) {
  if (done_.load(std::memory_order_acquire)) {
    return;
  }
  lock_.lock();
  if (done_.load(std::memory_order_relaxed)) {
    lock_.unlock();
    return;
  }
  Sleeper sleeper(here);
  Waiter waiter{.sleeper = &sleeper};
  joining_.push_back(waiter);
  sleeper.sleep(lock_);
}

bool FiberHandle::done(Location) { return done_.load(std::memory_order_acquire); }

void FiberHandle::end() {
  lock_.lock();
  done_.store(true, std::memory_order_release);
  const WaitQueue joining = std::exchange(joining_, {});
  lock_.unlock();
  wake_all(joining);
}

FiberScheduler::FiberScheduler(Runtime& runtime, const ThreadClock& clock,
                               FiberSchedulerOptions options)
    : runtime_(runtime),
      options_(std::move(options)),
      timers_(*this, clock),
      event_loop_(options_.threads,
                  [this] {
                    idle_.fetch_add(1);
                    FiberWorker::here()->took_wake_up_ = true;
                  }),
      random_(options_.seed),
      stacks_({.stack_size = options_.stack_size, .in_slabs = true}) {
  report_stack_overflows();
  for (std::size_t i = 0; i < options_.threads; ++i) {
    workers_.push_back(std::make_unique<FiberWorker>(*this, options_.seed + i));
  }
  for (const std::unique_ptr<FiberWorker>& worker : workers_) {
    threads_.emplace_back([&worker] {
      const SignalStack signal_stack;
      worker->work();
    });
  }
}

FiberScheduler::~FiberScheduler() {
  stopping_ = true;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    event_loop_.wake();
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

std::shared_ptr<FiberHandle> FiberScheduler::spawn(std::string_view name,
                                                   std::function<void()> body) {
  FiberWorker* const here = FiberWorker::here();
  FiberWorker* const worker = here != nullptr && &here->scheduler_ == this ? here : nullptr;
  auto handle = std::make_shared<FiberHandle>();
  FiberTask& task = take_free(worker);
  task.name = name;
  task.body = std::move(body);
  task.handle = handle;
  task.fiber.prepare(task.stack, &FiberScheduler::enter, &task);
  alive_.fetch_add(1, std::memory_order_relaxed);
  if (worker != nullptr) {
    worker->push(task);
  } else {
    task.state = FiberTask::State::Ready;
    inject(task);
  }
  return handle;
}

void FiberScheduler::enter(void* argument) {
  FiberWorker::here()->arrive();
  FiberTask& task = *static_cast<FiberTask*>(argument);
  task.scheduler->options_.run_body(task);
  // What the body captured may still use the runtime, so it goes before the task counts as ended.
  task.body = nullptr;
  std::exchange(task.handle, nullptr)->end();
  FiberWorker::here()->leave_for_good();
}

/// On the fiber behind the ended one, or on that of the thread.
void FiberScheduler::ended(FiberWorker& worker, FiberTask& task) {
  recycle(worker, task);
  if (alive_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    const std::lock_guard lock(ended_mutex_);
    all_ended_.notify_all();
  }
}

void FiberScheduler::wait_for_all() {
  std::unique_lock lock(ended_mutex_);
  all_ended_.wait(lock, [this] { return alive_.load(std::memory_order_acquire) == 0; });
}

FiberTask& FiberScheduler::take_free(FiberWorker* worker) {
  if (worker != nullptr && worker->free_ != nullptr) {
    --worker->free_count_;
    return *std::exchange(worker->free_, worker->free_->next);
  }
  const SpinGuard guard(pool_lock_);
  if (free_ != nullptr) {
    return *std::exchange(free_, free_->next);
  }
  auto task = std::make_unique<FiberTask>();
  task->scheduler = this;
  task->stack = stacks_.take();
  tasks_.push_back(std::move(task));
  return *tasks_.back();
}

void FiberScheduler::recycle(FiberWorker& worker, FiberTask& task) {
  if (!StackPool::is_intact(task.stack)) {
    fmt::print(stderr, "fiber '{}' overflowed its stack of {} KiB\n", task.name, task.stack_kib());
    std::abort();
  }
  task.state = FiberTask::State::Free;
  if (worker.free_count_ < kFreePerWorker) {
    ++worker.free_count_;
    task.next = std::exchange(worker.free_, &task);
    return;
  }
  const SpinGuard guard(pool_lock_);
  task.next = std::exchange(free_, &task);
}

void FiberScheduler::ready(FiberTask& task) {
  FiberWorker* const worker = FiberWorker::here();
  if (worker != nullptr && &worker->scheduler_ == this) {
    worker->ready(task);
  } else {
    task.state = FiberTask::State::Ready;
    inject(task);
  }
}

void FiberScheduler::inject(FiberTask& task) {
  {
    const SpinGuard guard(global_lock_);
    global_.push(task);
    global_size_.fetch_add(1, std::memory_order_relaxed);
  }
  // Pairs with the one of a worker that falls asleep: it sees the task, or we see it idle.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  wake_idle();
}

FiberTask* FiberScheduler::take_injected() {
  if (global_size_.load(std::memory_order_relaxed) == 0) {
    return nullptr;
  }
  const SpinGuard guard(global_lock_);
  FiberTask* const task = global_.pop();
  if (task != nullptr) {
    global_size_.fetch_sub(1, std::memory_order_relaxed);
  }
  return task;
}

void FiberScheduler::wake_idle() {
  int idle = idle_.load();
  while (idle > 0) {
    if (idle_.compare_exchange_weak(idle, idle - 1)) {
      event_loop_.wake();
      return;
    }
  }
}

void FiberScheduler::park(SpinLock* const* locks, std::size_t count) {
  FiberWorker::here()->leave_waiting(locks, count);
}

void FiberScheduler::yield() {
  if (FiberWorker* const worker = FiberWorker::here()) {
    worker->leave_yielding();
  } else {
    std::this_thread::yield();
  }
}

FiberTask* FiberScheduler::current() {
  const FiberWorker* const worker = FiberWorker::here();
  return worker == nullptr ? nullptr : worker->current();
}

bool FiberScheduler::on_worker() { return FiberWorker::here() != nullptr; }

std::size_t FiberScheduler::draw(std::size_t bound) {
  if (FiberWorker* const worker = FiberWorker::here()) {
    return worker->draw(bound);
  }
  return random_.below(bound);
}

}  // namespace watchlab::runtime
