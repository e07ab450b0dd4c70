#pragma once

#include <string>

namespace watchlab::course {

/// Says that this process is loaded, waits for the grader, and returns in a new copy of this
/// process for each settings that it sends, with these; never in the process that waits, which ends
/// when the grader does. The copy is the grader's child and has a session of its own. No other
/// process may look into it.
///
/// To be called when the libraries are loaded and nothing of the student has run: what runs before
/// is shared by all copies.
[[nodiscard]] std::string settings_of_this_copy();

}  // namespace watchlab::course
