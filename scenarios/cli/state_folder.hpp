#pragma once

#include <string>

namespace watchlab::scenarios {

/// The path of a file that a later call of this program needs, for a file of that name: in
/// $XDG_STATE_HOME/watchlab, else in ~/.local/state/watchlab, else among temporary files. Makes the
/// folder; whether that worked is seen when the file is written.
[[nodiscard]] std::string state_file(const std::string& name);

}  // namespace watchlab::scenarios
