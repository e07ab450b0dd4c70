#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace watchlab::scenarios {

/// Where one job of a search by dfs or dpor stands.
struct JobState {
  std::size_t next_run = 0;
  std::string tree;  ///< the strategy's own state; "" when the job has nothing left to do

  bool operator==(const JobState&) const = default;
};

/// What `read_search_state` reads: a line that says which scenario it belongs to, then one a job.
[[nodiscard]] std::string search_state_text(const std::vector<JobState>& jobs,
                                            std::uint64_t scenario);
/// Throws `std::invalid_argument`, with a sentence, when the file is missing, holds no such state,
/// or another scenario's.
[[nodiscard]] std::vector<JobState> read_search_state(const std::string& path,
                                                      std::uint64_t scenario);

}  // namespace watchlab::scenarios
