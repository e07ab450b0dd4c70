#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/guest.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

struct WorldOptions {
  std::uint64_t seed = 1;  ///< of every random stream
  std::size_t steps_max = Schedule::kStepsMax;
  int early_advances_max = 0;  ///< jumps of virtual time while tasks are ready
  Memory memory = Memory::SequentiallyConsistent;
  std::uint32_t equal_turns = kEqualTurns;  ///< of a loop, before it lets others run
  bool record = false;                      ///< keep notes and steps in the result
  bool checks = true;                       ///< let objects check their own invariants
  std::uint64_t scenario = 0;               ///< the hash that schedules of this world carry
};

/// The options of the world in which a schedule was recorded.
[[nodiscard]] inline WorldOptions options_of(const Schedule& schedule) {
  return {.seed = schedule.seed,
          .steps_max = schedule.steps_max,
          .early_advances_max = schedule.early_advances_max,
          .memory = schedule.memory,
          .equal_turns = schedule.equal_turns,
          .scenario = schedule.scenario};
}

/// A simulated world: a runtime in which a `Strategy` decides, and the world records, every order
/// of events, every time and every random draw. Tasks are fibers on one OS thread. Time is virtual,
/// and jumps to the next deadline when no task is ready.
///
/// `run` plays one body from start to end. A world can run many bodies, one after the other, and
/// reuses its stacks. Everything that was made from a world during a run must be destroyed when the
/// run ends. Same body + same options + same decisions = same digest, on every platform.
class World final : public runtime::Runtime, private StepListener {
 public:
  explicit World(const WorldOptions& options = {});
  ~World() override;

  /// Plays `body` as the root task, then waits for all other tasks to end. Rethrows an exception
  /// that is not a `std::exception`, such as a test framework's abort.
  RunResult run(Strategy& strategy, const std::function<void(runtime::Runtime&)>& body);

  /// Everything that was decided in the last run.
  [[nodiscard]] Schedule schedule() const;

  /// These apply to the next run.
  void set_seed(std::uint64_t seed) { options_.seed = seed; }
  void set_record(bool record) { options_.record = record; }
  void set_equal_turns(std::uint32_t turns) { options_.equal_turns = turns; }
  [[nodiscard]] const WorldOptions& options() const { return options_; }

  /// The world of the calling task, or null. Only for the drop-in classes of sim/std, which are
  /// used by code that has no runtime. All other code gets its runtime passed in.
  [[nodiscard]] static World* here();
  /// What lives in the current run and may outlive it.
  [[nodiscard]] Guests& guests() { return guests_; }

  /// The engine, for executors and tools that live in this world.
  [[nodiscard]] Scheduler& scheduler() { return scheduler_; }

  std::shared_ptr<runtime::TaskBackend> spawn(std::string_view name, std::function<void()> body,
                                              runtime::Location here) override;
  void yield(runtime::Location here) override;
  [[nodiscard]] runtime::TimePoint now() override { return scheduler_.read_clock(); }
  void sleep_until(runtime::TimePoint deadline, runtime::Location here) override;

  [[nodiscard]] runtime::Owned<runtime::MutexBackend> make_mutex(std::string_view name,
                                                                 runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::SharedMutexBackend> make_shared_mutex(
      std::string_view name, runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::CondVarBackend> make_cond_var(
      std::string_view name, runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::WaitGroupBackend> make_wait_group(
      std::string_view name, runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::CellBackend> make_cell(std::string_view name,
                                                               runtime::Location here) override;
  [[nodiscard]] std::shared_ptr<runtime::ChannelBackend> make_channel(
      std::size_t capacity, std::string_view name, runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::TimerBackend> make_timer(
      std::shared_ptr<runtime::ChannelBackend> channel, std::optional<runtime::Duration> delay,
      std::optional<runtime::Duration> period, runtime::Location here) override;
  std::optional<std::size_t> select(std::span<runtime::SelectCase> cases, bool blocking,
                                    runtime::Location here) override;

  [[nodiscard]] std::uint64_t seed_for(std::string_view purpose) override;
  [[nodiscard]] std::size_t choose(std::size_t options, std::string_view what) override;
  [[nodiscard]] runtime::Order order(std::size_t size, std::string_view what) override;

  void label(std::string_view text) override;
  void note(const runtime::Note& note) override;
  void log(runtime::LogLevel level, std::string_view text) override;
  [[nodiscard]] bool checks() const override { return options_.checks; }

 private:
  void stepped(const Actor& actor, std::size_t step) override;

  WorldOptions options_;
  Scheduler scheduler_;
  Guests guests_;
  std::vector<NoteRecord> notes_;
  std::vector<StepRecord> steps_taken_;
};

}  // namespace watchlab::sim
