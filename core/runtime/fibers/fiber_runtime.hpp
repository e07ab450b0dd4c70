#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/runtime.hpp"
#include "core/runtime/thread_runtime.hpp"

namespace boost::asio {
class io_context;
}

namespace watchlab::runtime {

/// What a `FiberRuntime` does with what is not its own business. Fields that `ThreadRuntimeOptions`
/// has too mean the same.
struct FiberRuntimeOptions {
  /// How many OS threads run tasks. One is best where handlers wait more than they compute, as
  /// controllers do: nothing crosses a processor then. At least 1.
  std::size_t threads = 1;
  /// Of each task. Only what a task has touched takes memory.
  std::size_t stack_size = std::size_t{256} * 1024;
  std::uint64_t seed = 1;
  bool checks = false;
  std::optional<TimePoint> starts_at = std::nullopt;
  std::function<void(LogLevel, std::string_view)> log;
  std::function<void(const TaskCrash&)> on_crash;
};

/// The runtime for production: a task is a stackful fiber, and a few OS threads run all of them. A
/// switch between tasks costs nanoseconds where a hand-off between OS threads costs microseconds,
/// and a task costs a few kB. Time is the machine's steady clock. Labels and notes are dropped.
///
/// Nothing preempts a task: one that computes, or blocks its OS thread (a file, a name look-up, a
/// lock of the standard library held long), keeps a worker; `blocking` is for those. Sockets need
/// no thread: idle workers run `event_loop`. A task may continue on another OS thread after each
/// operation that waits, so it keeps no address of a thread-local variable (`errno` is one) and no
/// lock of the standard library across one.
///
/// Any OS thread may use what was made from it, and waits as a thread does. A handler of the event
/// loop may do what does not wait. A task that runs into the end of its stack ends the process with
/// a message that names it.
///
/// Destroying it waits until every task has ended, so stop them first. Not from a task of its own.
class FiberRuntime final : public Runtime {
 public:
  explicit FiberRuntime(FiberRuntimeOptions options = {});
  ~FiberRuntime() override;

  /// Runs `body` in a task, and waits until every task has ended. What the body throws comes out at
  /// once, without waiting.
  void run(const std::function<void(Runtime&)>& body);
  /// Runs `body` on a thread of a pool while the calling task waits and others run. What the body
  /// throws comes out. Inside of `body` nothing waits for tasks.
  void blocking(const std::function<void()>& body, Location here = Location::current());
  /// Asio's loop, for sockets. Its handlers run on workers when these have nothing else to do.
  [[nodiscard]] boost::asio::io_context& event_loop();

  std::shared_ptr<TaskBackend> spawn(std::string_view name, std::function<void()> body,
                                     Location here) override;
  void yield(Location here) override;
  [[nodiscard]] TimePoint now() override;
  void sleep_until(TimePoint deadline, Location here) override;

  [[nodiscard]] Owned<MutexBackend> make_mutex(std::string_view name, Location here) override;
  [[nodiscard]] Owned<SharedMutexBackend> make_shared_mutex(std::string_view name,
                                                            Location here) override;
  [[nodiscard]] Owned<CondVarBackend> make_cond_var(std::string_view name, Location here) override;
  [[nodiscard]] Owned<WaitGroupBackend> make_wait_group(std::string_view name,
                                                        Location here) override;
  [[nodiscard]] Owned<CellBackend> make_cell(std::string_view name, Location here) override;
  [[nodiscard]] std::shared_ptr<ChannelBackend> make_channel(std::size_t capacity,
                                                             std::string_view name,
                                                             Location here) override;
  [[nodiscard]] Owned<TimerBackend> make_timer(std::shared_ptr<ChannelBackend> channel,
                                               std::optional<Duration> delay,
                                               std::optional<Duration> period,
                                               Location here) override;
  std::optional<std::size_t> select(std::span<SelectCase> cases, bool blocking,
                                    Location here) override;

  [[nodiscard]] std::uint64_t seed_for(std::string_view purpose) override;
  /// Always 0, the default alternative.
  [[nodiscard]] std::size_t choose(std::size_t options, std::string_view what) override;
  /// Turned by a seeded number of places, because Go visits a map from a random place on.
  [[nodiscard]] Order order(std::size_t size, std::string_view what) override;

  void label(std::string_view text) override;
  void note(const Note& note) override;
  void log(LogLevel level, std::string_view text) override;
  [[nodiscard]] bool checks() const override;

 private:
  struct Parts;

  void crash(const TaskCrash& crash) const noexcept;

  const FiberRuntimeOptions options_;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace watchlab::runtime
