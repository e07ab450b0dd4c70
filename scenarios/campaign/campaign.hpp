#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "scenarios/campaign/sealed.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::scenarios {

/// Where one job of a campaign stands, and what it has come to.
struct JobState {
  std::size_t next_run = 0;
  sim::ExploreResult
      so_far;  ///< its counts, coverage, failures and `relative_to`; the rest is not kept
};

/// Where a campaign stands.
struct SearchState {
  std::size_t from = 0;  ///< the number of its first run
  double seconds = 0;    ///< that it has taken
  std::vector<JobState> jobs;
};

/// What `read_search_state` reads: one line, which is sealed. `settings` are the options that the
/// campaign belongs to.
[[nodiscard]] std::string search_state_text(const SearchState& state, const Settings& settings);
/// Throws `std::invalid_argument`, with a message, when the file is missing, is damaged, holds no
/// such state, or that of a campaign with other options.
[[nodiscard]] SearchState read_search_state(const std::string& path, const Settings& settings);

/// Adds what a part of an exploration has come to: counts, coverage, failures and `relative_to`.
void add_to(sim::ExploreResult& whole, const sim::ExploreResult& part);

/// One exploration on several cores.
struct CampaignOptions {
  sim::ExploreOptions explore;   ///< of the whole; its `keep_going` and `completed` are not used
  std::size_t jobs = 1;          ///< at least 1; dfs, dpor and fifo take one whatever stands here
  std::vector<JobState> states;  ///< where an earlier part of it has stopped, one a job; not for
                                 ///< dfs and dpor
  /// Asked before each run, from any job's thread, one at a time; false ends the campaign.
  std::function<bool()> keep_going;
  /// Receives what came of all jobs so far, a few times a second, one at a time.
  std::function<void(const sim::ExploreResult& so_far)> progress;
  /// Receives where the campaign stands, so that it can continue from there: when `save_due` says
  /// so, and after each run that has found something new, before its job begins another. One at a
  /// time.
  std::function<void(const std::vector<JobState>& states)> save;
  /// Whether it is time to save; asked before each run, one at a time. Unset for never.
  std::function<bool()> save_due;
};

/// What came of it.
struct CampaignResult {
  /// Of all jobs together, and of the parts before; `failure` is the first by number.
  sim::ExploreResult whole;
  std::size_t failing_run = 0;   ///< its number, for the sampling strategies
  std::vector<JobState> states;  ///< to continue from, one a job
};

/// Whether the strategy walks a tree: all of it in one process, from its beginning.
[[nodiscard]] bool is_tree_search(const std::string& strategy);

/// Explores. Each job plays its own runs in worlds of its own; `make_body` is called once a job.
/// For sampling strategies the failure and its number do not depend on the number of jobs, and when
/// the campaign is interrupted, exactly the runs below `whole.next_run` were played. With several
/// jobs `unseen_below` is evaluated on all runs together, a few times a second, so how many runs
/// that takes may differ each time.
/// A campaign that continues from states plays what was left to play, and its result is that of the
/// whole, as if it had never stopped; what a strategy had learned from all runs is lost (feedback).
/// Throws `std::invalid_argument` as `sim::explore` does, and when there is not one state for each
/// job.
[[nodiscard]] CampaignResult run_campaign(
    const CampaignOptions& options,
    const std::function<std::function<void(runtime::Runtime&)>()>& make_body);

/// "2/4" as shard 2 of 4, counted from 0; "" is the whole. Nothing for what is no shard.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> shard_of(const std::string& text);
/// "0.5%" or "0.005" as a part of 1. Nothing for what is none, or not between 0 and 1.
[[nodiscard]] std::optional<double> part_of(const std::string& text);
/// "12 s", "3 min", "2.5 h", "40 days".
[[nodiscard]] std::string duration_text(double seconds);

/// How far an exploration is that continues for that long: what sampling has covered and how likely
/// the next run shows something new, or which part of a tree lies behind and how long the rest will
/// take. A line for people.
[[nodiscard]] std::string progress_text(const sim::ExploreResult& so_far, double seconds);

}  // namespace watchlab::scenarios
