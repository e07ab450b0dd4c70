#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// A task that was killed by an exception.
struct TaskCrash {
  std::string task;              ///< the name under which it was started
  std::string message;           ///< the exception's message
  std::exception_ptr exception;  ///< the exception itself
};

/// How a `ThreadRuntime` reports to its program.
struct ThreadRuntimeOptions {
  /// For `seed_for`, `order` and the choice among ready select cases. Everything else is up to the
  /// operating system, so a seed does not make a run repeatable.
  std::uint64_t seed = 1;
  /// Whether objects check their own invariants after each change.
  bool checks = false;
  /// The start of its clock, for a program that needs calendar time; by default some time far from
  /// the zero time.
  std::optional<TimePoint> starts_at = std::nullopt;
  /// Receives every log line; several tasks may call it at once. If empty, lines are dropped.
  std::function<void(LogLevel, std::string_view)> log;
  /// Receives every exception that leaves a task, on that task's thread. If empty, such an
  /// exception ends the process with a message, like a panic in Go.
  std::function<void(const TaskCrash&)> on_crash;
};

/// What the runtimes on the machine's steady clock, `ThreadRuntime` and `FiberRuntime`, have in
/// common. Labels and notes are dropped.
class RealTimeRuntime : public Runtime {
 public:
  [[nodiscard]] TimePoint now() final;
  [[nodiscard]] Owned<CellBackend> make_cell(std::string_view name, Location here) final;
  [[nodiscard]] std::uint64_t seed_for(std::string_view purpose) final;
  /// Always 0, the default alternative.
  [[nodiscard]] std::size_t choose(std::size_t options, std::string_view what) final;
  /// Rotated by a seeded number of places, because Go iterates over a map from a random place on.
  [[nodiscard]] Order order(std::size_t size, std::string_view what) final;
  void label(std::string_view text) final;
  void note(const Note& note) final;
  void log(LogLevel level, std::string_view text) final;
  [[nodiscard]] bool checks() const final;

 protected:
  struct Common;

  explicit RealTimeRuntime(ThreadRuntimeOptions options);
  ~RealTimeRuntime() override;

  [[nodiscard]] Common& common() { return *common_; }
  void crash(const TaskCrash& crash) const noexcept;

 private:
  const ThreadRuntimeOptions options_;
  const std::unique_ptr<Common> common_;
};

/// The runtime for real use: a task is an OS thread, time is the machine's steady clock, and the
/// operating system decides who runs when. Locks and channels keep Go's semantics, which the
/// standard library does not have (see the `thread_…` files next to this one).
///
/// The destructor waits until every task has ended, so stop them first. Do not destroy it from one
/// of its own tasks.
class ThreadRuntime final : public RealTimeRuntime {
 public:
  explicit ThreadRuntime(ThreadRuntimeOptions options = {});
  ~ThreadRuntime() override;

  /// Runs `body` on the calling thread, like `main` in Go, and waits until every task has ended. An
  /// exception of the body propagates at once, without waiting.
  void run(const std::function<void(Runtime&)>& body);

  /// Keeps threads for `tasks` tasks at a time and for the timers: while no more run, `spawn`
  /// cannot fail. Throws `std::system_error` or `std::bad_alloc` when the system refuses that many.
  void reserve(std::size_t tasks);
  /// Gives back what was reserved, once what it was for is over. Not to be called by a task.
  void release();

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
