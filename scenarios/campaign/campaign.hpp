#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "scenarios/campaign/search_state.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::scenarios {

/// One exploration on several cores.
struct CampaignOptions {
  sim::ExploreOptions
      explore;           ///< of the whole; its `keep_going`, `completed` and `state` are not used
  std::size_t jobs = 1;  ///< at least 1; dpor and fifo take one whatever stands here
  std::vector<JobState> states;  ///< where an earlier part of it has stopped, one a job
  /// Asked before each run, from any job's thread, one at a time; false ends the campaign.
  std::function<bool()> keep_going;
  /// Told what came of all jobs so far, a few times a second, one at a time.
  std::function<void(const sim::ExploreResult& so_far)> progress;
  /// Told where the campaign stands, so that it can go on from there: when `save_due` says so, and
  /// after each run that has found something new, before its job begins another. One at a time.
  std::function<void(const std::vector<JobState>& states)> save;
  /// Whether it is time to save; asked before each run, one at a time. Unset for never.
  std::function<bool()> save_due;
};

/// What came of it.
struct CampaignResult {
  /// Of all jobs together, and of the parts before; `failure` is the first by number.
  sim::ExploreResult whole;
  std::size_t failing_run = 0;   ///< its number, for the sampling strategies
  std::vector<JobState> states;  ///< to go on with, one a job
};

/// Whether the strategy walks a tree, so that it goes on from a state instead of a number.
[[nodiscard]] bool is_tree_search(const std::string& strategy);

/// Explores. Each job plays its own runs in worlds of its own; `make_body` is called once a job.
/// For sampling strategies the failure and its number do not depend on the number of jobs, and when
/// the campaign is interrupted, exactly the runs below `whole.next_run` were played. For dfs it may
/// be another failure with another number of jobs. With several jobs `unseen_below` is judged on
/// all runs together, a few times a second, so how many runs that takes may differ each time.
/// A campaign that goes on from states plays what was left to play, and its result is that of the
/// whole, as if it had never stopped; what a strategy had learned from all runs is lost (feedback).
/// Throws `std::invalid_argument` as `sim::explore` does, and when there is not one state for each
/// job.
[[nodiscard]] CampaignResult run_campaign(
    const CampaignOptions& options,
    const std::function<std::function<void(runtime::Runtime&)>()>& make_body);

}  // namespace watchlab::scenarios
