#pragma once

#include <cstddef>
#include <string>

#include "scenarios/report/seen_run.hpp"
#include "sim/explain/explain.hpp"

namespace watchlab::scenarios {

/// Sees a run with the steps at which its broken invariants first show in the record.
[[nodiscard]] SeenRun see_clauses(const Scenario& scenario, const std::string& schedule,
                                  Scope scope);

/// What happened in a run around where it failed, at the level of its story: writes, messages,
/// deltas, changes of caches and calls, a row each, at most so many, of which those about objects
/// and faults go first. Where the failure names objects, rows about others are left out; so is how
/// clients come to their end, unless that is what failed. The steps that decide it stand between,
/// where an explanation of that run is given. "" for a run without a story or a
/// schedule that it does not follow, and for one that is too long to be seen twice.
[[nodiscard]] std::string narrate(const Scenario& scenario, const sim::RunResult& failed,
                                  std::size_t rows_max, const sim::Explanation* found = nullptr);

/// The last step that matters to a failure: of a violation, which is found when all is over, where
/// it first shows; of all others, and where that is not known, the last one of the run.
[[nodiscard]] std::size_t failure_step(const Scenario& scenario, const sim::RunResult& failed);

/// What went wrong: of several things the first that is to be seen.
struct FailureMark {
  std::size_t step = 0;  ///< where the record first shows it, or where the run ended
  std::string text;      ///< one line; "" when nothing went wrong
};
[[nodiscard]] FailureMark failure_mark(const Scenario& scenario, const SeenRun& seen);

}  // namespace watchlab::scenarios
