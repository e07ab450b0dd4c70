#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/runtime.hpp"

namespace watchlab::runtime {

/// A task that died of an exception.
struct TaskCrash {
  std::string task;              ///< the name it was started with
  std::string message;           ///< what the exception said
  std::exception_ptr exception;  ///< the exception itself
};

/// What a `ThreadRuntime` does with what is not its own business.
struct ThreadRuntimeOptions {
  /// Of `seed_for`, of `order` and of the choice among ready select cases. Everything else is up to
  /// the operating system, so a seed does not make a run repeatable.
  std::uint64_t seed = 1;
  /// Whether objects check their own invariants after each change.
  bool checks = false;
  /// What its clock shows at the start, for a program whose moments are those of the calendar; some
  /// moment far from the zero time if left out.
  std::optional<TimePoint> starts_at = std::nullopt;
  /// Gets every log line; called by several tasks at once. Without it lines are dropped.
  std::function<void(LogLevel, std::string_view)> log;
  /// Gets every exception that leaves a task, on that task's thread. Without it such an exception
  /// ends the process with a message, as a panic does in Go.
  std::function<void(const TaskCrash&)> on_crash;
};

/// The runtime on which the machinery works in earnest: a task is an OS thread, time is the
/// machine's steady clock, and the operating system decides who runs when. Locks and channels keep
/// the semantics of Go, which the standard library has not (see the `thread_…` files beside this
/// one). Labels and notes are dropped.
///
/// Destroying it waits until every task has ended, so stop them first. Not from a task of its own.
class ThreadRuntime final : public Runtime {
 public:
  explicit ThreadRuntime(ThreadRuntimeOptions options = {});
  ~ThreadRuntime() override;

  /// Runs `body` on the calling thread, as `main` runs in Go, and waits until every task has ended.
  /// What the body throws comes out at once, without waiting.
  void run(const std::function<void(Runtime&)>& body);

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

  const ThreadRuntimeOptions options_;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace watchlab::runtime
