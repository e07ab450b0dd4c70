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
#include "core/runtime/order.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/thread_random.hpp"

namespace watchlab::runtime {
namespace {

/// Nothing to do for accesses to memory: TSan sees them. One cell serves all.
class FiberCell final : public CellBackend {
 public:
  void atomic_access(AccessKind, Location) override {}
  void plain_access(AccessKind, Location) override {}
  void retire() noexcept override {}
};

}  // namespace

/// Destroyed from the last member up: the workers end before what they use.
struct FiberRuntime::Parts {
  Parts(FiberRuntime& runtime, const FiberRuntimeOptions& options)
      : clock(options.starts_at),
        random(options.seed),
        streams(options.seed),
        scheduler(runtime, clock,
                  {.threads = options.threads,
                   .stack_size = options.stack_size,
                   .seed = options.seed,
                   .run_body = [&runtime](FiberTask& task) {
                     if (const std::optional<Recovered> panic = recover(task.body)) {
                       runtime.crash({task.name, panic->message, panic->exception});
                     }
                   }}) {}

  ThreadClock clock;
  ThreadRandom random;
  SeedStreams streams;
  FiberCell cell;
  FiberScheduler scheduler;
  BlockingPool pool;
};

FiberRuntime::FiberRuntime(FiberRuntimeOptions options)
    : options_(std::move(options)), parts_(std::make_unique<Parts>(*this, options_)) {
  ensure(options_.threads >= 1, "a fiber runtime has at least one thread");
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

void FiberRuntime::crash(const TaskCrash& crash) const noexcept {
  if (options_.on_crash) {
    options_.on_crash(crash);
    return;
  }
  fmt::print(stderr, "panic in task {}: {}\n", crash.task, crash.message);
  std::abort();
}

void FiberRuntime::yield(Location) { FiberScheduler::yield(); }

TimePoint FiberRuntime::now() { return parts_->clock.now(); }

void FiberRuntime::sleep_until(TimePoint deadline, Location here) {
  if (deadline <= parts_->clock.now()) {
    return;
  }
  if (FiberScheduler::current() == nullptr) {
    std::this_thread::sleep_until(parts_->clock.steady(deadline));
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

Owned<CellBackend> FiberRuntime::make_cell(std::string_view, Location) {
  return Owned<CellBackend>(&parts_->cell);
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

std::uint64_t FiberRuntime::seed_for(std::string_view purpose) {
  return parts_->streams.seed_for(purpose);
}

std::size_t FiberRuntime::choose(std::size_t, std::string_view) { return 0; }

Order FiberRuntime::order(std::size_t size, std::string_view) {
  return size == 0 ? Order(0) : Order::turned(size, parts_->random.below(size));
}

void FiberRuntime::label(std::string_view) {}

void FiberRuntime::note(const Note&) {}

void FiberRuntime::log(LogLevel level, std::string_view text) {
  if (options_.log) {
    options_.log(level, text);
  }
}

bool FiberRuntime::checks() const { return options_.checks; }

}  // namespace watchlab::runtime
