#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "scenarios/language/scenario.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::scenarios {

/// A line of what a violation says, in its parts.
struct BrokenClause {
  std::string clause;  ///< "C4 deletions_arrive"; "" when the line names none
  std::string words;   ///< the rest, which begins with who broke it; without a clause all of it
};

/// Of "story_7:1: C4 deletions_arrive: the store of one holds default/apple" the clause and the
/// rest; the place is in neither.
[[nodiscard]] BrokenClause broken_clause_in(const std::string& line);

/// How a story of the fuzzer is played.
struct FuzzRunOptions {
  std::size_t schedules = 3;  ///< random ones, beside the undisturbed one
  /// Asked before each run; false ends the story there. Unset for no limit.
  std::function<bool()> keep_going{};
};

/// What the fuzzer found wrong with a story.
struct FuzzFailure {
  std::string signature;  ///< what makes two findings the same; see `fuzz_signature_of`
  sim::Failure failure;
  /// The fix of the behaviour of the original that this shows; "" for what is not known.
  std::string known = {};
};

/// What came of playing a story under several schedules.
struct FuzzRun {
  std::size_t runs = 0;  ///< how many were played, the failing one included
  std::optional<FuzzFailure> found;
  std::optional<sim::Failure> own_refusal;  ///< that ended a run and is no finding
  bool interrupted = false;  ///< `keep_going` said no: the runs after that might fail
};

/// Whether a run ended because the server refused what its own script wrote, beside a program from
/// outside. That writes too, so that what the script wants to delete may not be there in some
/// weather: it says nothing of the program.
[[nodiscard]] bool is_own_refusal(const Scenario& scenario, const sim::Failure& failure);

/// Plays a story under the undisturbed schedule and under random ones, whose strategy depends on
/// the seed, until one fails. A failure that shows a known behaviour (`known_fix_of`) is what was
/// found only when no other strategy's failure is of another kind.
[[nodiscard]] FuzzRun fuzz_story(const Scenario& scenario, std::uint64_t seed,
                                 const FuzzRunOptions& options);

/// The clause that was broken and nothing of who broke it: "violation|C4 deletions_arrive". Without
/// a clause the kind and the message, without places and numbers.
[[nodiscard]] std::string fuzz_signature_of(const sim::Failure& failure);

}  // namespace watchlab::scenarios
