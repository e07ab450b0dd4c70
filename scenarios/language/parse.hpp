#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/language/problem.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A scenario, or what is wrong with its file. The problems are in the order of the file; a
/// scenario is there only when there are none.
struct Parsed {
  std::optional<Scenario> scenario;
  std::vector<Problem> problems;
};

/// Reads the text of a scenario file. Never throws for bad input, whatever it is.
[[nodiscard]] Parsed parse_scenario(const std::string& text);
/// Reads a scenario file; its name must be the scenario's. Large files are refused unread.
[[nodiscard]] Parsed load_scenario(const std::string& path);

}  // namespace watchlab::scenarios
