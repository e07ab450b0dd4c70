#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/explore/coverage.hpp"
#include "sim/explore/signature.hpp"
#include "sim/kernel/memory.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::sim {

struct ExploreResult;
struct RunResult;
class Strategy;

/// A run that an exploration has completed.
struct CompletedRun {
  std::size_t number = 0;   ///< see `ExploreOptions::first_run`
  const RunResult& result;  ///< its `schedule` only where it failed
};

struct ExploreOptions {
  std::string strategy = "random";
  /// Makes what takes the place of the strategy of that name, and samples as that does.
  std::function<std::unique_ptr<Strategy>()> instead{};
  std::uint64_t seed = 1;
  std::size_t schedules_max = 1000;
  std::size_t steps_max = 100'000;
  int preemptions_max = -1;  ///< no bound
  int pct_depth = 3;
  /// Jumps of virtual time while tasks are ready. -1 leaves that to the strategy, see
  /// `early_advances_of`.
  int early_advances_max = -1;
  Memory memory = Memory::SequentiallyConsistent;
  std::uint64_t scenario = 0;  ///< the hash that found schedules carry; 0 for a C++ body
  int delays_max = -1;         ///< for dfs, instead of preemptions_max; no bound
  /// Runs of one campaign have numbers from 0 to `schedules_max` - 1. This exploration plays those
  /// from `first_run` on whose number leaves the rest `shard` when divided by `shards`. For the
  /// sampling strategies run i of a seed is the same in every such part, except for feedback. dfs
  /// and dpor have no such parts.
  std::size_t first_run = 0;
  std::size_t shard = 0;
  std::size_t shards = 1;
  bool coverage = false;    ///< whether to count the partial orders that runs show
  bool reduce = true;       ///< whether sampling strategies skip what only one task uses
  bool repeats = true;      ///< whether runs are played twice to see that nothing differs
  double unseen_below = 0;  ///< stop when something new is less probable than that; see Coverage
  /// How much memory tasks may leak that failed runs could not unwind. After that a sampling
  /// strategy continues in children of this process, one after the other, each of which may leak as
  /// much: what the body and `keep_going` keep outside of the world stays in the child. Where there
  /// is `completed`, a strategy that learns from all its runs (feedback), or a process with several
  /// threads, and for dfs and dpor, the exploration stops (`ExploreResult::stopped`).
  std::size_t leak_bytes_max = std::size_t{1} << 30;
  /// Whether to continue after a failure and collect the different ones. A divergence ends it all
  /// the same: what comes after it cannot be compared.
  bool continues = false;
  /// Called after each run that counts as an execution, exactly once, on the exploring thread: not
  /// for runs that were abandoned or that a search has played before.
  std::function<void(const CompletedRun& run)> completed{};
  /// Asked before each run with what came of those so far, `coverage` only every 64 runs; false
  /// ends the exploration. For progress, time limits and interrupts; unset for none.
  std::function<bool(const ExploreResult& so_far)> keep_going{};
};

struct ExploreResult {
  std::size_t executions = 0;  ///< completed runs, sleep-set-blocked ones not counted
  std::size_t blocked = 0;     ///< sleep-set-blocked runs
  /// dfs and dpor: nothing is left to explore. With failures: each run was followed to its end or
  /// to its failure; what a failed run would have done after that is not known.
  bool exhausted = false;
  /// What `exhausted` is relative to, or will be by what the runs so far have shown: a clause each,
  /// without "; " in it. Empty where it holds without reserve. `verdict` puts them into words.
  std::vector<std::string> relative_to;
  std::optional<Failure> failure;  ///< the first one found; exploration stops there by default
  /// All different ones, by their first runs: one at most unless the exploration `continues`.
  std::vector<DistinctFailure> failures;
  std::size_t next_run = 0;   ///< the first number that was not played
  std::size_t decisions = 0;  ///< of all executions, who goes next
  /// Runs begun again because an object was shared after all; and by dpor, the whole search,
  /// because a run used an object that a task of an earlier one had made (see `Guest`), or, in dfs
  /// too, because a loop came to an end after more equal turns than it was let look (see
  /// `Spinning`).
  std::size_t restarts = 0;
  std::size_t lost_tasks = 0;  ///< that failed runs could not unwind, see `RunResult`
  /// Why it stopped early although nothing asked for that: such tasks have leaked `leak_bytes_max`.
  /// A sampling strategy continues in another process, from `next_run` on. "" when it did not.
  std::string stopped{};
  bool interrupted = false;  ///< `keep_going` said no, or `stopped` says why
  bool saturated = false;    ///< the unseen fell below `unseen_below`
  double explored = 0;       ///< of all there is, dfs and dpor: an estimate; else 0
  Coverage coverage;         ///< empty unless asked for
};

/// How often time may pass early in each run: what is asked for, or else twice with dfs and dpor,
/// and never with the others. Programs without deadlines have no time to pass.
[[nodiscard]] int early_advances_of(const ExploreOptions& options);

/// "exhausted", with what that is relative to in brackets: "exhausted (time does not pass while a
/// task can run)"; "not exhausted".
[[nodiscard]] std::string verdict(const ExploreResult& result);
/// Adds a clause, unless it is there.
void add_clause(std::vector<std::string>& clauses, const std::string& clause);

/// Runs `body` as the root task of fresh worlds, under schedules that the strategy picks, until one
/// fails (unless it `continues`) or the bound is reached. The first schedule runs twice and the
/// digests are compared, and so does every thousandth after it and the first of each failure; a
/// difference is a failure of kind divergence. `body` must not keep state between runs. Throws
/// `std::invalid_argument` for an unknown strategy, and for parts of a search by dfs or dpor.
///
/// With WATCHLAB_SCHEDULE in the environment it plays just that schedule instead, unless the body
/// is a scenario, and calls no `completed`; see sim/explore/replay_strategy.hpp.
ExploreResult explore(const ExploreOptions& options,
                      const std::function<void(runtime::Runtime&)>& body);

/// Plays exactly that schedule. Nothing when the run holds; a failure of kind divergence when the
/// program does not fit the schedule. Throws `InvalidSchedule` when the text is no schedule.
std::optional<Failure> replay(std::string_view schedule,
                              const std::function<void(runtime::Runtime&)>& body);

/// The same mistake by the shortest schedule that can be found, replayed strictly twice. Throws
/// `InvalidSchedule` when the failure's schedule is none, and `std::invalid_argument` when it does
/// not fail any more. A divergence comes back as it is: that schedule is of another program.
/// sim/explore/shrink.hpp says more.
Failure shrink(const Failure& failure, const std::function<void(runtime::Runtime&)>& body);

class World;

/// Plays in that world what was just played there once more. A failure of kind divergence, which
/// names the first step that differs, when it went another way.
[[nodiscard]] std::optional<Failure> check_determinism(
    World& world, const RunResult& first, const Schedule& schedule,
    const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
