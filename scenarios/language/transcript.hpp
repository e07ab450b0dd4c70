#pragma once

#include <optional>
#include <string>

#include "scenarios/language/scenario.hpp"
#include "sim/record/record.hpp"

namespace watchlab::scenarios {

/// What came of playing a scenario for its transcript.
struct Transcript {
  std::string line;     ///< one JSON document, without a line feed
  std::string problem;  ///< why the scenario did not hold; "" when it did
  /// What happened, when the story came to its end.
  std::optional<sim::Record> record;
};

/// Plays a scenario once, undisturbed, and writes down what each client asked, what it was answered
/// and what its handlers were told: everything that another implementation of the client needs to
/// live through the same story. docs/conformance.md says what the document holds.
[[nodiscard]] Transcript transcribe(const Scenario& scenario);
/// Plays it the same way, but with the times of an ordinary run: `line` stays empty.
[[nodiscard]] Transcript play_undisturbed(const Scenario& scenario);

}  // namespace watchlab::scenarios
