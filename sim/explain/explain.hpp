#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/explain/critical_pair.hpp"
#include "sim/explain/data_race.hpp"
#include "sim/explain/likelihood.hpp"
#include "sim/explain/lost_wakeup.hpp"
#include "sim/explain/witness.hpp"

namespace watchlab::sim {

struct ExplainOptions {
  std::size_t pair_runs_max = 2'000;  ///< for the search for what makes the difference
  LikelihoodOptions likelihood;       ///< with no endings: no curve
  std::size_t rows_max = 40;          ///< of the table of steps
  std::size_t lane_width = 36;        ///< of its columns
  std::size_t last_step = 0;          ///< the last one of that table; 0 for that of the run
  std::string story;                  ///< what happened, in place of that table; "" for none
  /// Called before each run of the searches. Return false to end them with what is known by then;
  /// may be empty.
  std::function<bool()> keep_going{};
};

/// Why a run failed: what it came to, and the smallest change that would have saved it.
struct Explanation {
  Witness witness;
  std::optional<LostWakeup> lost_wakeup;
  std::optional<RaceExplanation> race;
  std::optional<CriticalPair> pair;
  std::vector<LikelihoodPoint> likelihood;  ///< empty when none was wanted
  bool interrupted = false;                 ///< `keep_going` returned false: there may be more

  /// All of it, in sections, for a reader who does not know the code.
  [[nodiscard]] std::string to_string(const ExplainOptions& options = {}) const;
  /// Only what makes the difference, and the accesses of a data race, in a few lines; "" when there
  /// is neither.
  [[nodiscard]] std::string in_short() const;
};

/// Replays a failing schedule and finds out why it fails. Explanations are shortest of shrunk
/// schedules. Nothing when the run holds. Throws `InvalidSchedule` when the text is no schedule,
/// and `std::invalid_argument` when the body does not follow it.
[[nodiscard]] std::optional<Explanation> explain(std::string_view schedule,
                                                 const std::function<void(runtime::Runtime&)>& body,
                                                 const ExplainOptions& options = {});

/// How many runs `explain_in_short` may take, so that it comes at once.
inline constexpr std::size_t kQuickRuns = 200;

/// What `Explanation::in_short` says about a failing schedule, found with few runs, to stand below
/// a report of the failure; "" also when the run holds or does not follow the schedule.
[[nodiscard]] std::string explain_in_short(std::string_view schedule,
                                           const std::function<void(runtime::Runtime&)>& body);

}  // namespace watchlab::sim
