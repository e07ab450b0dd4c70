#pragma once

#include <string>

namespace watchlab::course {

/// Reports that this process is loaded and waits for the grader. For each settings that the grader
/// sends, it returns them in a new copy of this process. It never returns in the waiting process,
/// which ends with the grader. The copy is the grader's child and has a session of its own. No
/// other process may look into it.
///
/// Call it when the libraries are loaded and before any code of the student has run: the effects of
/// earlier code are shared by all copies.
[[nodiscard]] std::string settings_of_this_copy();

}  // namespace watchlab::course
