#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/language/scenario.hpp"
#include "sim/record/record.hpp"

namespace watchlab::scenarios {

/// The result of playing a scenario for its transcript.
struct Transcript {
  std::string line;     ///< one JSON document, without a newline
  std::string problem;  ///< why the scenario failed; "" if it passed
  /// What happened, if the story reached its end.
  std::optional<sim::Record> record;
};

/// Who gets an unlocked mutex after others have waited for a millisecond or more: whoever asks
/// first, as in the default order, or whoever has waited longest. A mutex in Go may do either.
enum class Locks : std::uint8_t { Free, HandedOver };

/// Plays a scenario once, in the default order, and writes down what each client requested, how it
/// was answered, and what its handlers received: everything that another implementation of the
/// client needs to play the same story. docs/conformance.md describes the document.
[[nodiscard]] Transcript transcribe(const Scenario& scenario, Locks locks = Locks::Free);
/// Plays it in the same way, but with the times of a default run; `line` stays empty.
[[nodiscard]] Transcript play_undisturbed(const Scenario& scenario);

/// Why a transcript of this scenario cannot be played to the original with this release profile; ""
/// if it can.
[[nodiscard]] std::string why_left_out(const Scenario& scenario,
                                       std::string_view machine = "classic");

/// The line for a scenario that is left out: why, in a few words that others share.
[[nodiscard]] std::string transcript_text_of_none(const Scenario& scenario, const std::string& why);

/// The record as one JSON document on one line: one member of `clients` for each client, because
/// clients do not know of each other. Objects are complete, as a server writes them. Times are in
/// nanoseconds since the start of the story or, for parts of a request, since it was sent. The
/// record must contain answers.
[[nodiscard]] std::string transcript_text(const Scenario& scenario, const sim::Record& record);

}  // namespace watchlab::scenarios
