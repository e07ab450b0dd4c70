#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/thread_runtime.hpp"

namespace boost::asio {
class io_context;
}

namespace watchlab::runtime {

/// Options of a `FiberRuntime`. Fields that `ThreadRuntimeOptions` also has mean the same.
struct FiberRuntimeOptions {
  /// How many OS threads run tasks, at least 1. One is best if handlers wait more than they
  /// compute, as controllers do, because then nothing crosses CPUs.
  std::size_t threads = 1;
  /// Stack size of each task. Only memory that a task has touched counts.
  std::size_t stack_size = std::size_t{256} * 1024;
  std::uint64_t seed = 1;
  bool checks = false;
  std::optional<TimePoint> starts_at = std::nullopt;
  std::function<void(LogLevel, std::string_view)> log;
  std::function<void(const TaskCrash&)> on_crash;
};

/// The runtime for production: a task is a stackful fiber, and a few OS threads run all of them.
/// Switching tasks takes nanoseconds where a hand-off between OS threads takes microseconds, and a
/// task takes a few kB.
///
/// Nothing preempts a task: one that computes, or blocks its OS thread (file access, a name lookup,
/// a standard mutex held for long), occupies a worker; use `blocking` for those. Sockets need no
/// thread: idle workers run `event_loop`. A task may continue on another OS thread after each
/// operation that waits, so it must not keep the address of a thread-local variable (such as
/// `errno`) or a standard mutex across one.
///
/// Any OS thread may use what was made from it, and blocks like a thread. A handler of the event
/// loop may call what does not wait. A task that overflows its stack ends the process with a
/// message that names the task.
///
/// The destructor waits until every task has ended, so stop them first. Do not destroy it from one
/// of its own tasks.
class FiberRuntime final : public RealTimeRuntime {
 public:
  explicit FiberRuntime(FiberRuntimeOptions options = {});
  ~FiberRuntime() override;

  /// Runs `body` in a task, and waits until every task has ended. An exception of the body
  /// propagates at once, without waiting.
  void run(const std::function<void(Runtime&)>& body);
  /// Runs `body` on a thread of a pool while the calling task waits and others run. Exceptions of
  /// the body propagate. `body` must not wait for tasks.
  void blocking(const std::function<void()>& body, Location here = Location::current());
  /// Asio's loop, for sockets. Workers run its handlers when they have nothing else to do.
  [[nodiscard]] boost::asio::io_context& event_loop();

  std::shared_ptr<TaskBackend> spawn(std::string_view name, std::function<void()> body,
                                     Location here) override;
  void yield(Location here) override;
  void sleep_until(TimePoint deadline, Location here) override;

  [[nodiscard]] Owned<MutexBackend> make_mutex(std::string_view name, Location here) override;
  [[nodiscard]] Owned<SharedMutexBackend> make_shared_mutex(std::string_view name,
                                                            Location here) override;
  [[nodiscard]] Owned<CondVarBackend> make_cond_var(std::string_view name, Location here) override;
  [[nodiscard]] Owned<WaitGroupBackend> make_wait_group(std::string_view name,
                                                        Location here) override;
  [[nodiscard]] std::shared_ptr<ChannelBackend> make_channel(std::size_t capacity,
                                                             std::string_view name,
                                                             Location here) override;
  [[nodiscard]] Owned<TimerBackend> make_timer(std::shared_ptr<ChannelBackend> channel,
                                               std::optional<Duration> delay,
                                               std::optional<Duration> period,
                                               Location here) override;
  std::optional<std::size_t> select(std::span<SelectCase> cases, bool blocking,
                                    Location here) override;

 private:
  struct Parts;

  const std::unique_ptr<Parts> parts_;
};

}  // namespace watchlab::runtime
