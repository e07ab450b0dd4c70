#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/runtime/interface.hpp"
#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::course {

/// Is notified of calls that tests make, each time while the calling task runs. Calls may be
/// nested.
class CallListener : public runtime::Interface {
 public:
  virtual void begins() = 0;
  /// The call is over but for one last operation, which every call has.
  virtual void closes() = 0;
  virtual void ends() = 0;
};

/// A random walk whose picture of a call does not depend on how many operations the library needs
/// for it, which tests could know libraries by. When a call begins it is drawn after which of its
/// operations its task is left, and how many *things* the other tasks do then: calls, and
/// operations outside of calls. For what a call was too short, its task is left before its last
/// operation. Between things the next task is drawn. What tests draw themselves comes from
/// other numbers, which say nothing of each other and are counted apart from what the library
/// draws; and nothing is drawn alike in two walks of a process.
///
/// What it cannot hide: a task that is left with a lock held stops the tasks that want it.
class UnevenWalk final : public sim::Strategy, public CallListener {
 public:
  /// `secret` separates walks; only the grader and this process know it.
  explicit UnevenWalk(std::uint64_t secret) : secret_(secret), numbers_(secret) {}

  /// How the purpose of a draw ends that tests ask for. No library says so of its own.
  static constexpr std::string_view kOfTests = ", of the tests";

  [[nodiscard]] bool prepare(std::size_t run) override;
  [[nodiscard]] bool varies_seed() const override { return true; }
  void begin(const sim::Scheduler& scheduler) override { scheduler_ = &scheduler; }
  [[nodiscard]] std::uint32_t choose(const sim::Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const sim::Actor& actor) override;
  /// What is played next may be another strategy's run, whose tasks this does not see.
  void end(const sim::RunResult& /*result*/) override { scheduler_ = nullptr; }

  void begins() override;
  void closes() override;
  void ends() override;

 private:
  struct Departure {
    std::uint32_t after;   ///< so many operations of the call
    std::uint64_t things;  ///< of other tasks, until it may continue
  };
  struct Call {
    std::uint32_t began;  ///< how many operations the task had published
    bool closes = false;
    std::vector<Departure> departures;
  };
  struct Progress {
    std::vector<Call> calls;               ///< the innermost comes last
    std::uint64_t things = 0;              ///< that it has done
    std::uint64_t until = 0;               ///< it waits until others have done so many
    std::uint64_t owed = 0;                ///< what it was not left for when it had to be
    std::array<std::uint64_t, 2> draws{};  ///< that the library has met, and that tests have
  };

  /// Tasks by their numbers, timers by their digests. Those of tasks are for tests to choose: names
  /// can be found by which two tasks have the same one.
  using Key = std::pair<bool, std::uint64_t>;
  [[nodiscard]] static Key key_of(const sim::Actor& actor);
  [[nodiscard]] Progress& progress_of(const sim::Actor& actor) { return progress_[key_of(actor)]; }

  [[nodiscard]] std::uint32_t next_actor(const sim::Actor& at);
  [[nodiscard]] std::uint32_t first_of_all_away();
  void leave_if_due(const sim::Actor& at, Progress& progress);
  [[nodiscard]] bool is_away(const Progress& progress) const {
    return things_ - progress.things < progress.until;
  }
  [[nodiscard]] std::uint32_t drawn(const sim::Choice& choice);
  void count_thing(Progress& progress);
  /// Of the task that runs; null where this walk is not what is played.
  [[nodiscard]] const sim::Actor* running() const;

  std::uint64_t secret_;
  std::uint64_t secret_of_draws_ = 0;
  sim::RandomNumbers numbers_;
  const sim::Scheduler* scheduler_ = nullptr;
  std::uint32_t departures_max_ = 0;  ///< of a call in this run
  std::uint64_t things_ = 0;          ///< of all tasks
  std::map<Key, Progress> progress_;
  // Room for the options that are not away.
  std::vector<std::uint32_t> here_;  ///< outside of calls
  std::vector<std::uint32_t> back_;  ///< within one: they come first, so that departures add up
};

}  // namespace watchlab::course
