#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/holder.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// What a task can pass while a condition holds, and where a task may change what the condition
/// depends on: semaphores, latches, barriers and timed mutexes of the standard's kind are gates
/// whose state lies with their owner. Each call is one operation: state is looked at and changed
/// within its step. Which of several waiting tasks passes first is the scheduler's choice.
class SimGate final : public runtime::RetirableBackend, public SimObject {
 public:
  using Change = std::function<void()>;
  using Condition = std::function<bool()>;

  /// The ways through a gate, for exploration: which of these are open. A shared lock has two.
  static constexpr std::uint8_t kAlone = 1;
  static constexpr std::uint8_t kShared = 2;
  /// What opens once and by one operation that every wait follows: the last arrival at a barrier.
  /// That operation calls `opens`.
  static constexpr std::uint8_t kOnce = 4;

  /// How an operation orders memory accesses. The second pair is for readers, which are not ordered
  /// among themselves.
  enum Edges : std::uint8_t {
    None = 0,
    Acquires = 1,
    Releases = 2,
    AcquiresReaders = 4,
    ReleasesReaders = 8,
  };
  /// Whether the task that passes then holds the gate, for reports.
  enum class Holding : std::uint8_t { None, Begins };

  struct PassOptions {
    std::uint8_t way = kAlone;
    int edges = Acquires;
    Holding holding = Holding::None;
    std::optional<runtime::TimePoint> deadline = std::nullopt;
  };

  SimGate(Scheduler& scheduler, Identity&& identity, runtime::Location made)
      : SimObject(scheduler, std::move(identity), made) {}

  /// Which ways are open now; set once, by the owner.
  std::function<std::uint8_t()> opening;

  /// An operation that never waits. Does nothing in a stopping world.
  void change(const Change& change, int edges, runtime::Location here);
  /// The same for one that a loop may repeat: a stopping world kills such a task. Returns whether
  /// the step was taken. With `holding`, the task holds the gate if `attempt` succeeds.
  bool attempt(const Condition& attempt, int edges, Holding holding, runtime::Location here);
  /// Waits until `open` is true and runs `enter` in the same step. Returns false if the deadline
  /// passed first. Throws `TaskKilled` in a stopping world.
  bool pass(const Condition& open, const Change& enter, const PassOptions& options,
            runtime::Location here);
  /// The running step has opened a way permanently, for all who wait.
  void opens() { opened_at_ = scheduler_.steps(); }
  /// The running task holds the gate from now on, for reports. Call it within the step of its pass.
  void hold(runtime::Location here);
  /// The running task no longer holds the gate. Returns false if it did not hold it.
  bool let_go(runtime::Location here);
  /// Who holds it, or who released it last, for the end of a sentence.
  [[nodiscard]] std::string held_because() const;

  /// Whether this task waits here with a deadline, which may have passed.
  [[nodiscard]] bool has_deadline(const SimTask& task) const;

  void retire() noexcept override;
  [[nodiscard]] std::vector<const SimTask*> releasers(const SimTask& task) const override;
  [[nodiscard]] bool is_released_by_holder() const override { return !holders_.empty(); }
  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;

 private:
  struct Waiter {
    SimTask* task;
    const Condition* open;
    std::optional<runtime::TimePoint> deadline;
    std::size_t prompted_at = 0;
  };
  /// Makes waiting tasks ready if their conditions are true; the deadlines of the others keep
  /// running.
  void update_waiters();
  void update(Waiter& waiter);
  void forget(const SimTask& task);
  void order(int edges);

  std::vector<Waiter> waiters_;
  std::vector<Holder> holders_;
  LastOperation let_go_;
  std::size_t opened_at_ = 0;
  SyncPoint sync_;
  SyncPoint readers_;
};

}  // namespace watchlab::sim
