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
  const RunResult& result;  ///< its `schedule` is set only if it failed
};

struct ExploreOptions {
  std::string strategy = "random";
  /// Makes the strategy to use instead of the named one; it must sample in the same way.
  std::function<std::unique_ptr<Strategy>()> instead{};
  std::uint64_t seed = 1;
  std::size_t schedules_max = 1000;
  std::size_t steps_max = 100'000;
  int preemptions_max = -1;  ///< -1: no bound
  int pct_depth = 3;
  /// How often virtual time may jump while tasks are ready. -1 leaves that to the strategy, see
  /// `early_advances_of`.
  int early_advances_max = -1;
  Memory memory = Memory::SequentiallyConsistent;
  std::uint64_t scenario = 0;  ///< the hash that goes into the schedules it finds; 0 for a C++ body
  int delays_max = -1;         ///< for dfs, instead of preemptions_max; -1: no bound
  /// The runs of one campaign are numbered from 0 to `schedules_max` - 1. This exploration plays
  /// those from `first_run` on whose number modulo `shards` is `shard`. For the sampling strategies
  /// except feedback, run i of a seed is the same in every shard. dfs and dpor cannot be split.
  std::size_t first_run = 0;
  std::size_t shard = 0;
  std::size_t shards = 1;
  bool coverage = false;  ///< count the partial orders that runs show
  bool reduce = true;     ///< let sampling strategies skip decisions about what only one task uses
  bool repeats = true;    ///< play some runs twice and check that nothing differs
  double unseen_below = 0;  ///< stop once something new is less probable than this; see Coverage
  /// How much memory may leak in tasks that failed runs could not unwind. Beyond that, a sampling
  /// strategy continues in child processes, one after the other, each of which may leak as much.
  /// What the body and `keep_going` keep outside the world stays in the child. The exploration
  /// stops instead (`ExploreResult::stopped`) with dfs and dpor, with a strategy that learns from
  /// all of its runs (feedback), if `completed` is set, or if the process has several threads.
  std::size_t leak_bytes_max = std::size_t{1} << 30;
  /// Whether to go on after a failure and collect the distinct ones. A divergence always ends the
  /// exploration, because nothing after it can be compared.
  bool continues = false;
  /// Called on the exploring thread, exactly once after each run that counts as an execution. Not
  /// called for runs that were abandoned or that a search replays.
  std::function<void(const CompletedRun& run)> completed{};
  /// Called before each run with the result so far (`coverage` is updated only every 64 runs).
  /// Return false to end the exploration. For progress, time limits and interrupts; may be empty.
  std::function<bool(const ExploreResult& so_far)> keep_going{};
};

struct ExploreResult {
  std::size_t executions = 0;  ///< completed runs, without sleep-set-blocked ones
  std::size_t blocked = 0;     ///< sleep-set-blocked runs
  /// Of the digests of all executions by their numbers, in whatever order they were played.
  std::uint64_t digest = 0;
  /// dfs and dpor: nothing is left to explore. If there were failures, each run was followed to its
  /// end or to its failure; what a failed run would have done afterwards is not known.
  bool exhausted = false;
  /// The limits within which `exhausted` is (or will be) true, judging by the runs so far: one
  /// clause each, without "; ". Empty if there are none. `verdict` puts them into words.
  std::vector<std::string> relative_to;
  std::optional<Failure> failure;  ///< the first one found; by default the exploration stops there
  /// All distinct failures, in the order of their first runs: at most one unless the exploration
  /// `continues`.
  std::vector<DistinctFailure> failures;
  std::size_t next_run = 0;   ///< the first number that was not played
  std::size_t decisions = 0;  ///< of all executions: choices of who goes next
  /// Runs that were started over because an object turned out to be shared. For dpor also restarts
  /// of the whole search: because a run used an object that a task of an earlier run had made (see
  /// `Guest`), or (dfs too) because a loop ended after more equal turns than it was allowed to look
  /// (see `Spinning`).
  std::size_t restarts = 0;
  std::size_t lost_tasks = 0;  ///< tasks that failed runs could not unwind, see `RunResult`
  /// Why it stopped early without being asked to: tasks that could not be unwound have leaked
  /// `leak_bytes_max`. A sampling strategy can continue in another process, from `next_run` on. ""
  /// if it did not stop for that.
  std::string stopped{};
  bool interrupted = false;  ///< `keep_going` returned false, or `stopped` says why
  bool saturated = false;    ///< the probability of something new fell below `unseen_below`
  double explored = 0;       ///< dfs and dpor: estimate of the explored fraction; 0 otherwise
  Coverage coverage;         ///< empty unless requested
};

/// How often time may advance early in each run: what the options say, or by default twice with dfs
/// and dpor and never with the other strategies. Only programs with deadlines are affected.
[[nodiscard]] int early_advances_of(const ExploreOptions& options);

/// "exhausted", with its limits in brackets: "exhausted (time does not pass while a task can run)";
/// or "not exhausted".
[[nodiscard]] std::string verdict(const ExploreResult& result);
/// Adds a clause unless it is already there.
void add_clause(std::vector<std::string>& clauses, const std::string& clause);

/// Runs `body` as the root task of fresh worlds, under schedules that the strategy picks, until one
/// fails (unless it `continues`) or the bound is reached. The first schedule, every thousandth one
/// and the first of each failure run twice, and the digests are compared; a difference is a failure
/// of kind divergence. `body` must not keep state between runs. Throws `std::invalid_argument` for
/// an unknown strategy, and for shards of dfs or dpor.
///
/// If WATCHLAB_SCHEDULE is set, plays just that schedule instead, unless the body is a scenario,
/// and does not call `completed`; see sim/explore/replay_strategy.hpp.
ExploreResult explore(const ExploreOptions& options,
                      const std::function<void(runtime::Runtime&)>& body);

/// Plays exactly this schedule. Returns nothing if the run passes, and a failure of kind divergence
/// if the program does not fit the schedule. Throws `InvalidSchedule` if the text is not a
/// schedule.
std::optional<Failure> replay(std::string_view schedule,
                              const std::function<void(runtime::Runtime&)>& body);

/// Shrinks: returns the same failure with the shortest schedule that was found, replayed strictly
/// twice. Throws `InvalidSchedule` if the failure's schedule is not one, and
/// `std::invalid_argument` if it no longer fails. A divergence is returned unchanged, because its
/// schedule belongs to another program. See sim/explore/shrink.hpp.
Failure shrink(const Failure& failure, const std::function<void(runtime::Runtime&)>& body);

class World;

/// Plays in `world` again what it just played. If the run differs, returns a failure of kind
/// divergence that names the first differing step.
[[nodiscard]] std::optional<Failure> check_determinism(
    World& world, const RunResult& first, const Schedule& schedule,
    const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
