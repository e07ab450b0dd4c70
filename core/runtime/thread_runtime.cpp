#include "core/runtime/thread_runtime.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "core/runtime/order.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/thread_channel.hpp"
#include "core/runtime/thread_locks.hpp"
#include "core/runtime/thread_random.hpp"
#include "core/runtime/thread_select.hpp"
#include "core/runtime/thread_tasks.hpp"
#include "core/runtime/thread_timer.hpp"

namespace watchlab::runtime {
namespace {

/// OS threads need no word about accesses to memory: TSan sees them. One cell serves all.
class ThreadCell final : public CellBackend {
 public:
  void atomic_access(AccessKind, Location) override {}
  void plain_access(AccessKind, Location) override {}
  void retire() noexcept override {}
};

}  // namespace

/// Destroyed from the last member up: the timer thread ends before what it uses.
struct ThreadRuntime::Parts {
  explicit Parts(const ThreadRuntimeOptions& options)
      : clock(options.starts_at), random(options.seed), streams(options.seed) {}

  ThreadClock clock;
  ThreadRandom random;
  SeedStreams streams;
  ThreadCell cell;
  std::atomic<std::uint64_t> channels = 0;
  ThreadTimers timers{clock};
  ThreadTasks tasks;
};

ThreadRuntime::ThreadRuntime(ThreadRuntimeOptions options)
    : options_(std::move(options)), parts_(std::make_unique<Parts>(options_)) {}

ThreadRuntime::~ThreadRuntime() { parts_->tasks.wait_for_all(); }

void ThreadRuntime::run(const std::function<void(Runtime&)>& body) {
  const Running running(*this);
  body(*this);
  parts_->tasks.wait_for_all();
}

void ThreadRuntime::reserve(std::size_t tasks) {
  parts_->timers.begin();
  parts_->tasks.reserve(tasks);
}

void ThreadRuntime::release() { parts_->tasks.release(); }

std::shared_ptr<TaskBackend> ThreadRuntime::spawn(std::string_view name, std::function<void()> body,
                                                  Location) {
  return parts_->tasks.start([this, name = std::string(name), body = std::move(body)] {
    const Running running(*this);
    if (const std::optional<Recovered> panic = recover(body)) {
      crash({name, panic->message, panic->exception});
    }
  });
}

void ThreadRuntime::crash(const TaskCrash& crash) const noexcept {
  if (options_.on_crash) {
    options_.on_crash(crash);
    return;
  }
  fmt::print(stderr, "panic in task {}: {}\n", crash.task, crash.message);
  std::abort();
}

void ThreadRuntime::yield(Location) { std::this_thread::yield(); }

TimePoint ThreadRuntime::now() { return parts_->clock.now(); }

void ThreadRuntime::sleep_until(TimePoint deadline, Location) {
  std::this_thread::sleep_until(parts_->clock.steady(deadline));
}

Owned<MutexBackend> ThreadRuntime::make_mutex(std::string_view, Location) {
  return Owned<MutexBackend>(new ThreadMutex);
}

Owned<SharedMutexBackend> ThreadRuntime::make_shared_mutex(std::string_view, Location) {
  return Owned<SharedMutexBackend>(new ThreadSharedMutex);
}

Owned<CondVarBackend> ThreadRuntime::make_cond_var(std::string_view, Location) {
  return Owned<CondVarBackend>(new ThreadCondVar(parts_->clock));
}

Owned<WaitGroupBackend> ThreadRuntime::make_wait_group(std::string_view, Location) {
  return Owned<WaitGroupBackend>(new ThreadWaitGroup);
}

Owned<CellBackend> ThreadRuntime::make_cell(std::string_view, Location) {
  return Owned<CellBackend>(&parts_->cell);
}

std::shared_ptr<ChannelBackend> ThreadRuntime::make_channel(std::size_t capacity, std::string_view,
                                                            Location) {
  return std::make_shared<ThreadChannel>(capacity, ++parts_->channels);
}

Owned<TimerBackend> ThreadRuntime::make_timer(std::shared_ptr<ChannelBackend> channel,
                                              std::optional<Duration> delay,
                                              std::optional<Duration> period, Location here) {
  Owned<TimerBackend> timer(new ThreadTimer(parts_->timers, std::move(channel), period));
  if (delay) {
    timer->reset(*delay, here);
  }
  return timer;
}

std::optional<std::size_t> ThreadRuntime::select(std::span<SelectCase> cases, bool blocking,
                                                 Location) {
  return ThreadSelect(cases, parts_->random).run(blocking);
}

std::uint64_t ThreadRuntime::seed_for(std::string_view purpose) {
  return parts_->streams.seed_for(purpose);
}

std::size_t ThreadRuntime::choose(std::size_t, std::string_view) { return 0; }

Order ThreadRuntime::order(std::size_t size, std::string_view) {
  return size == 0 ? Order(0) : Order::turned(size, parts_->random.below(size));
}

void ThreadRuntime::label(std::string_view) {}

void ThreadRuntime::note(const Note&) {}

void ThreadRuntime::log(LogLevel level, std::string_view text) {
  if (options_.log) {
    options_.log(level, text);
  }
}

bool ThreadRuntime::checks() const { return options_.checks; }

}  // namespace watchlab::runtime
