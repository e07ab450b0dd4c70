#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/command_line/command_line.hpp"

/// What shells want to know of a program, made from the rows of its commands: a new command or
/// option is on these pages without an edit.
namespace watchlab::scenarios {

/// "bash", "zsh" and "fish".
[[nodiscard]] std::vector<std::string> shells();

/// A script that makes that shell complete the program's commands, options, the words that an
/// option may be, files where one may stand, and names of scenarios and of pieces of the museum
/// where an argument takes one. It asks `PROGRAM list` or `museum list` for those when they are
/// wanted. `shell` is one of `shells()`.
[[nodiscard]] std::string completion_script(std::string_view shell,
                                            const std::vector<Command>& commands,
                                            const ProgramWords& words = {});

}  // namespace watchlab::scenarios
