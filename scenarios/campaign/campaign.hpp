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

/// The progress and results of one job of a campaign.
struct JobState {
  std::size_t next_run = 0;
  sim::ExploreResult
      so_far;  ///< its counts, coverage, failures and `relative_to`; nothing else is kept
};

/// The progress of a campaign.
struct SearchState {
  std::size_t from = 0;  ///< the number of its first run
  double seconds = 0;    ///< that it has taken so far
  std::vector<JobState> jobs;
};

/// One sealed line for `read_search_state`. `settings` are the options of the campaign.
[[nodiscard]] std::string search_state_text(const SearchState& state, const Settings& settings);
/// Throws `std::invalid_argument`, with a message, if the file is missing or damaged, contains no
/// such state, or belongs to a campaign with other options.
[[nodiscard]] SearchState read_search_state(const std::string& path, const Settings& settings);

/// Adds the results of a part of an exploration: counts, coverage, failures and `relative_to`.
void add_to(sim::ExploreResult& whole, const sim::ExploreResult& part);

/// One exploration on several cores.
struct CampaignOptions {
  sim::ExploreOptions explore;   ///< for the whole; its `keep_going` and `completed` are not used
  std::size_t jobs = 1;          ///< at least 1; dfs, dpor and fifo always use one
  std::vector<JobState> states;  ///< where an earlier part of it has stopped, one a job; not for
                                 ///< dfs and dpor
  /// Called before each run, from any job's thread, one call at a time; return false to end the
  /// campaign.
  std::function<bool()> keep_going;
  /// Receives the results of all jobs so far, a few times a second, one call at a time.
  std::function<void(const sim::ExploreResult& so_far)> progress;
  /// Receives the campaign's progress, so that it can be continued: when `save_due` says so, and
  /// after each run that has found something new, before its job starts another. One call at a
  /// time.
  std::function<void(const std::vector<JobState>& states)> save;
  /// Whether it is time to save; called before each run, one call at a time. If empty, never.
  std::function<bool()> save_due;
};

/// The result of a campaign.
struct CampaignResult {
  /// Of all jobs together, and of earlier parts; `failure` is the one with the lowest run number.
  sim::ExploreResult whole;
  std::size_t failing_run = 0;   ///< its number, for the sampling strategies
  std::vector<JobState> states;  ///< to continue from, one per job
};

/// Whether the strategy walks a tree: all of it in one process, from the start.
[[nodiscard]] bool is_tree_search(const std::string& strategy);

/// Explores. Each job plays its own runs in its own worlds; `make_body` is called once per job. For
/// sampling strategies the failure and its number do not depend on the number of jobs, and if the
/// campaign is interrupted, exactly the runs below `whole.next_run` have been played. With several
/// jobs `unseen_below` is evaluated over all runs together, a few times a second, so the number of
/// runs may vary. A campaign that continues from states plays the remaining runs, and its result is
/// that of the whole, as if it had never stopped; only what a strategy learned from all runs is
/// lost (feedback). Throws `std::invalid_argument` as `sim::explore` does, and if there is not one
/// state per job.
[[nodiscard]] CampaignResult run_campaign(
    const CampaignOptions& options,
    const std::function<std::function<void(runtime::Runtime&)>()>& make_body);

/// "2/4" as shard 2 of 4, counted from 0; "" is the whole. Nothing if the text is not a shard.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> shard_of(const std::string& text);
/// "0.5%" or "0.005" as a fraction. Nothing if the text is not one between 0 and 1.
[[nodiscard]] std::optional<double> part_of(const std::string& text);
/// "12 s", "3 min", "2.5 h", "40 days".
[[nodiscard]] std::string duration_text(double seconds);

/// The progress of an exploration that has run for this long: what sampling has covered and how
/// likely the next run shows something new, or how much of a tree is done and how long the rest
/// will take. One line, for people.
[[nodiscard]] std::string progress_text(const sim::ExploreResult& so_far, double seconds);

}  // namespace watchlab::scenarios
