#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/campaign/sealed.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::scenarios {

/// Where one job of a campaign stands, and what it has come to.
struct JobState {
  std::size_t next_run = 0;
  std::string tree;   ///< dfs and dpor: their own state; "" before the first run, and at the end
  bool done = false;  ///< nothing is left to do
  sim::ExploreResult so_far;  ///< its counts, coverage and failures; the rest is not kept
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
/// Throws `std::invalid_argument`, with a sentence, when the file is missing, is damaged, holds no
/// such state, or that of a campaign with other options.
[[nodiscard]] SearchState read_search_state(const std::string& path, const Settings& settings);

/// Adds what a part of an exploration has come to: counts, coverage and failures.
void add_to(sim::ExploreResult& whole, const sim::ExploreResult& part);

}  // namespace watchlab::scenarios
