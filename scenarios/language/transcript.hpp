#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

/// Who gets a mutex that is unlocked while others have waited for a millisecond or more: whoever
/// runs into it, as in the undisturbed run, or who has waited longest. A mutex of Go does either.
enum class Locks : std::uint8_t { Free, HandedOver };

/// Plays a scenario once, undisturbed, and writes down what each client asked, what it was answered
/// and what its handlers received: everything that another implementation of the client needs to
/// live through the same story. docs/conformance.md says what the document holds.
[[nodiscard]] Transcript transcribe(const Scenario& scenario, Locks locks = Locks::Free);
/// Plays it the same way, but with the times of a default run: `line` stays empty.
[[nodiscard]] Transcript play_undisturbed(const Scenario& scenario);

/// Why no transcript of a scenario can be played to the original of that machine; "" when it can.
[[nodiscard]] std::string why_left_out(const Scenario& scenario,
                                       std::string_view machine = "classic");

/// The line of a scenario that is left out: it says why, in a few words that others share.
[[nodiscard]] std::string transcript_text_of_none(const Scenario& scenario, const std::string& why);

/// The record as one JSON document on one line: a member of `clients` for each client, since
/// clients do not know of each other. Objects are whole, as a server writes them. Times are
/// nanoseconds, from the beginning of the story or, for what belongs to a request, from the moment
/// it was sent. The record must hold answers.
[[nodiscard]] std::string transcript_text(const Scenario& scenario, const sim::Record& record);

}  // namespace watchlab::scenarios
