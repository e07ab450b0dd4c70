#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "scenarios/language/scenario.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::scenarios {

/// One line of a violation, in parts.
struct BrokenClause {
  std::string clause;  ///< "C4 deletions_arrive"; "" if the line names none
  std::string words;   ///< the rest, starting with who broke it; without a clause, all of it
};

/// The clause and the rest of "story_7:1: C4 deletions_arrive: the store of one holds
/// default/apple", both without the place.
[[nodiscard]] BrokenClause broken_clause_in(const std::string& line);

/// How to play a story of the fuzzer.
struct FuzzRunOptions {
  std::size_t schedules = 3;  ///< random ones, besides the default one
  /// Called before each run; return false to end the story. If empty, there is no limit.
  std::function<bool()> keep_going{};
};

/// What the fuzzer found wrong with a story.
struct FuzzFailure {
  std::string signature;  ///< identifies equal findings; see `fuzz_signature_of`
  sim::Failure failure;
  /// The fix for the known bug of client-go that this shows; "" if it is not known.
  std::string known = {};
};

/// The result of playing a story under several schedules.
struct FuzzRun {
  std::size_t runs = 0;  ///< how many were played, including the failing one
  std::optional<FuzzFailure> found;
  std::optional<sim::Failure> own_refusal;  ///< that ended a run and is not a finding
  bool interrupted = false;                 ///< `keep_going` returned false: later runs might fail
};

/// Whether a run ended because the server refused a write of the story's own script, next to an
/// external program. The program writes too, so under some faults an object that the script wants
/// to delete may not exist. That says nothing about the program.
[[nodiscard]] bool is_own_refusal(const Scenario& scenario, const sim::Failure& failure);

/// Plays a story under the default schedule and under random ones, whose strategy depends on the
/// seed, until one fails. A failure that shows a known bug (`known_fix_of`) is reported only if no
/// other strategy finds a different failure.
[[nodiscard]] FuzzRun fuzz_story(const Scenario& scenario, std::uint64_t seed,
                                 const FuzzRunOptions& options);

/// The broken clause, without who broke it: "violation|C4 deletions_arrive". Without a clause, the
/// kind and the message without places and numbers.
[[nodiscard]] std::string fuzz_signature_of(const sim::Failure& failure);

}  // namespace watchlab::scenarios
