#pragma once

#include <string>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A scenario as the text of a file, from which `parse_scenario` reads the same one again. For
/// programs that make scenarios: the text has one line a step. What they do not make is left out:
/// expectations, and conditions of steps. `comment` goes before everything else, a `#` before each
/// of its lines; "" for none.
[[nodiscard]] std::string scenario_text(const Scenario& scenario, const std::string& comment = "");

}  // namespace watchlab::scenarios
