#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/report/seen_run.hpp"

/// What else could have run: the decisions of a run, and runs that answer one of them otherwise.
namespace watchlab::scenarios {

/// The longest run whose page offers its decisions.
inline constexpr std::size_t kBranchStepsMax = 2'000;

/// A decision of a run, counted from 1, and the alternative to take there, counted from 0.
struct BranchPoint {
  std::size_t decision = 0;
  std::uint32_t alternative = 0;
};

/// "17=2". Throws `std::invalid_argument` for anything else.
[[nodiscard]] BranchPoint branch_point_from(std::string_view text);

/// The schedule of the run that is like this one up to that decision, takes the alternative there,
/// and the default order from then on. Throws `sim::InvalidSchedule`, and `std::invalid_argument`
/// when the run does not follow its schedule, or has no such decision or alternative.
[[nodiscard]] std::string branch_schedule(const Scenario& scenario, const std::string& schedule,
                                          BranchPoint point);

/// The step before which that decision of a run was met.
[[nodiscard]] std::size_t step_before(const SeenRun& seen, std::size_t decision);

/// For the page: of each decision the steps done before it, its kind, what it is about, the
/// alternative taken, and the alternatives: tasks by their numbers, or how many there are. Empty
/// for a run that is too long.
[[nodiscard]] boost::json::array choices_of(const SeenRun& seen);

}  // namespace watchlab::scenarios
