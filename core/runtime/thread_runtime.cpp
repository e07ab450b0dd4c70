#include "core/runtime/thread_runtime.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "core/runtime/order.hpp"
#include "core/runtime/real_time.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/thread_channel.hpp"
#include "core/runtime/thread_locks.hpp"
#include "core/runtime/thread_select.hpp"
#include "core/runtime/thread_tasks.hpp"

namespace watchlab::runtime {

RealTimeRuntime::RealTimeRuntime(ThreadRuntimeOptions options)
    : options_(std::move(options)), common_(std::make_unique<Common>(options_)) {}

RealTimeRuntime::~RealTimeRuntime() = default;

void RealTimeRuntime::crash(const TaskCrash& crash) const noexcept {
  if (options_.on_crash) {
    options_.on_crash(crash);
    return;
  }
  fmt::print(stderr, "panic in task {}: {}\n", crash.task, crash.message);
  std::abort();
}

TimePoint RealTimeRuntime::now() { return common_->clock.now(); }

Owned<CellBackend> RealTimeRuntime::make_cell(std::string_view, Location) {
  return Owned<CellBackend>(&common_->cell);
}

std::uint64_t RealTimeRuntime::seed_for(std::string_view purpose) {
  return common_->streams.seed_for(purpose);
}

std::size_t RealTimeRuntime::choose(std::size_t, std::string_view) { return 0; }

Order RealTimeRuntime::order(std::size_t size, std::string_view) {
  return size == 0 ? Order(0) : Order::turned(size, common_->random.below(size));
}

void RealTimeRuntime::label(std::string_view) {}

void RealTimeRuntime::note(const Note&) {}

void RealTimeRuntime::log(LogLevel level, std::string_view text) {
  if (options_.log) {
    options_.log(level, text);
  }
}

bool RealTimeRuntime::checks() const { return options_.checks; }

/// Destroyed from the last member up: the timer thread ends before what it uses.
struct ThreadRuntime::Parts {
  explicit Parts(const ThreadClock& clock) : timers(clock) {}

  std::atomic<std::uint64_t> channels = 0;
  ThreadTimers timers;
  ThreadTasks tasks;
};

ThreadRuntime::ThreadRuntime(ThreadRuntimeOptions options)
    : RealTimeRuntime(std::move(options)), parts_(std::make_unique<Parts>(common().clock)) {}

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

void ThreadRuntime::yield(Location) { std::this_thread::yield(); }

void ThreadRuntime::sleep_until(TimePoint deadline, Location) {
  std::this_thread::sleep_until(common().clock.steady(deadline));
}

Owned<MutexBackend> ThreadRuntime::make_mutex(std::string_view, Location) {
  return Owned<MutexBackend>(new ThreadMutex);
}

Owned<SharedMutexBackend> ThreadRuntime::make_shared_mutex(std::string_view, Location) {
  return Owned<SharedMutexBackend>(new ThreadSharedMutex);
}

Owned<CondVarBackend> ThreadRuntime::make_cond_var(std::string_view, Location) {
  return Owned<CondVarBackend>(new ThreadCondVar(common().clock));
}

Owned<WaitGroupBackend> ThreadRuntime::make_wait_group(std::string_view, Location) {
  return Owned<WaitGroupBackend>(new ThreadWaitGroup);
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
  return ThreadSelect(cases, common().random).run(blocking);
}

}  // namespace watchlab::runtime
