#include "core/runtime/fibers/fiber_runtime.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "core/runtime/fibers/blocking_pool.hpp"
#include "core/runtime/fibers/fiber_channel.hpp"
#include "core/runtime/fibers/locks.hpp"
#include "core/runtime/fibers/scheduler.hpp"
#include "core/runtime/real_time.hpp"
#include "core/runtime/recover.hpp"

namespace watchlab::runtime {

/// Destroyed from the last member up: the workers end before what they use.
struct FiberRuntime::Parts {
  Parts(FiberRuntime& runtime, const FiberRuntimeOptions& options)
      : scheduler(runtime, runtime.common().clock,
                  {.threads = options.threads,
                   .stack_size = options.stack_size,
                   .seed = options.seed,
                   .run_body = [&runtime](FiberTask& task) {
                     if (const std::optional<Recovered> panic = recover(task.body)) {
                       runtime.crash({task.name, panic->message, panic->exception});
                     }
                   }}) {}

  FiberScheduler scheduler;
  BlockingPool pool;
};

FiberRuntime::FiberRuntime(FiberRuntimeOptions options)
    : RealTimeRuntime({.seed = options.seed,
                       .checks = options.checks,
                       .starts_at = options.starts_at,
                       .log = std::move(options.log),
                       .on_crash = std::move(options.on_crash)}),
      parts_(std::make_unique<Parts>(*this, options)) {
  ensure(options.threads >= 1, "a fiber runtime has at least one thread");
}

FiberRuntime::~FiberRuntime() { parts_->scheduler.wait_for_all(); }

void FiberRuntime::run(const std::function<void(Runtime&)>& body) {
  std::optional<Recovered> panic;
  parts_->scheduler.spawn("main", [&] { panic = recover([&] { body(*this); }); })
      ->join(Location::current());
  if (panic) {
    std::rethrow_exception(panic->exception);
  }
  parts_->scheduler.wait_for_all();
}

void FiberRuntime::blocking(const std::function<void()>& body, Location here) {
  if (FiberScheduler::current() == nullptr) {
    body();
    return;
  }
  std::optional<Recovered> panic;
  Sleeper sleeper(here);
  SpinLock lock;
  lock.lock();
  parts_->pool.run([&] {
    panic = recover(body);
    lock.lock();  // the task sleeps by now
    lock.unlock();
    sleeper.wake();
  });
  sleeper.sleep(lock);
  if (panic) {
    std::rethrow_exception(panic->exception);
  }
}

boost::asio::io_context& FiberRuntime::event_loop() {
  return parts_->scheduler.event_loop().context();
}

std::shared_ptr<TaskBackend> FiberRuntime::spawn(std::string_view name, std::function<void()> body,
                                                 Location) {
  return parts_->scheduler.spawn(name, std::move(body));
}

void FiberRuntime::yield(Location) { FiberScheduler::yield(); }

void FiberRuntime::sleep_until(TimePoint deadline, Location here) {
  if (deadline <= common().clock.now()) {
    return;
  }
  if (FiberScheduler::current() == nullptr) {
    std::this_thread::sleep_until(common().clock.steady(deadline));
    return;
  }
  Sleeper sleeper(here);
  Waiter waiter{.sleeper = &sleeper};
  TimerNode node{.waiter = &waiter};
  sleeper.sleep(parts_->scheduler.timers().arm_and_keep_locked(node, deadline));
}

Owned<MutexBackend> FiberRuntime::make_mutex(std::string_view, Location) {
  return Owned<MutexBackend>(new FiberMutex);
}

Owned<SharedMutexBackend> FiberRuntime::make_shared_mutex(std::string_view, Location) {
  return Owned<SharedMutexBackend>(new FiberSharedMutex);
}

Owned<CondVarBackend> FiberRuntime::make_cond_var(std::string_view, Location) {
  return Owned<CondVarBackend>(new FiberCondVar(parts_->scheduler.timers()));
}

Owned<WaitGroupBackend> FiberRuntime::make_wait_group(std::string_view, Location) {
  return Owned<WaitGroupBackend>(new FiberWaitGroup);
}

std::shared_ptr<ChannelBackend> FiberRuntime::make_channel(std::size_t capacity, std::string_view,
                                                           Location) {
  return std::make_shared<FiberChannel>(capacity);
}

Owned<TimerBackend> FiberRuntime::make_timer(std::shared_ptr<ChannelBackend> channel,
                                             std::optional<Duration> delay,
                                             std::optional<Duration> period, Location here) {
  Owned<TimerBackend> timer(new FiberTimer(parts_->scheduler.timers(), std::move(channel), period));
  if (delay) {
    timer->reset(*delay, here);
  }
  return timer;
}

std::optional<std::size_t> FiberRuntime::select(std::span<SelectCase> cases, bool blocking,
                                                Location here) {
  return FiberSelect(cases, parts_->scheduler, here).run(blocking);
}

}  // namespace watchlab::runtime
