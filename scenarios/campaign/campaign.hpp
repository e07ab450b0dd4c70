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
  std::vector<JobState> states;  ///< of an earlier campaign with dfs or dpor, one a job
  /// Asked before each run, from any job's thread, one at a time; false ends the campaign.
  std::function<bool()> keep_going;
  /// Told what came of all jobs so far, a few times a second, one at a time.
  std::function<void(const sim::ExploreResult& so_far)> progress;
};

/// What came of it.
struct CampaignResult {
  sim::ExploreResult whole;      ///< of all jobs together; `failure` is the first by number
  std::size_t failing_run = 0;   ///< its number, for the sampling strategies
  std::vector<JobState> states;  ///< dfs and dpor: to go on with, one a job
};

/// Whether the strategy walks a tree, so that it goes on from a state instead of a number.
[[nodiscard]] bool is_tree_search(const std::string& strategy);

/// Explores. Each job plays its own runs in worlds of its own; `make_body` is called once a job.
/// For sampling strategies the failure and its number do not depend on the number of jobs, and when
/// the campaign is interrupted, exactly the runs below `whole.next_run` were played. For dfs it may
/// be another failure with another number of jobs. With several jobs `unseen_below` is judged on
/// all runs together, a few times a second, so how many runs that takes may differ each time.
/// Throws `std::invalid_argument` as `sim::explore` does, and when there is not one state for each
/// job.
[[nodiscard]] CampaignResult run_campaign(
    const CampaignOptions& options,
    const std::function<std::function<void(runtime::Runtime&)>()>& make_body);

}  // namespace watchlab::scenarios
