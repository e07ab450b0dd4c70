#pragma once

#include <string>

#include "scenarios/language/scenario.hpp"
#include "sim/story/record.hpp"

namespace watchlab::scenarios {

/// The record as one JSON document on one line: a member of `clients` for each client, since
/// clients do not know of each other. Times are nanoseconds, from the beginning of the story or,
/// for what belongs to a request, from the moment it was sent. The record must hold answers.
[[nodiscard]] std::string transcript_text(const Scenario& scenario, const sim::Record& record);

}  // namespace watchlab::scenarios
