#pragma once

#include <string>

#include "scenarios/command_line/command_line.hpp"

namespace watchlab::scenarios {

/// Why an output of the command cannot be written, found before the work that it is for; "" when
/// all can.
[[nodiscard]] std::string unwritable_output(const Command& command);

}  // namespace watchlab::scenarios
