#pragma once

#include <string>

#include "scenarios/language/scenario.hpp"
#include "sim/record/record.hpp"

namespace watchlab::scenarios {

/// Why no transcript of a scenario can be played; "" when it can.
[[nodiscard]] std::string why_left_out(const Scenario& scenario);

/// The line of a scenario that is left out: it says why, in a few words that others share.
[[nodiscard]] std::string transcript_text_of_none(const Scenario& scenario, const std::string& why);

/// The record as one JSON document on one line: a member of `clients` for each client, since
/// clients do not know of each other. Objects are whole, as a server writes them. Times are
/// nanoseconds, from the beginning of the story or, for what belongs to a request, from the moment
/// it was sent. The record must hold answers.
[[nodiscard]] std::string transcript_text(const Scenario& scenario, const sim::Record& record);

}  // namespace watchlab::scenarios
