#pragma once

#include <optional>
#include <string>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// The last failure of a story that `explore` has found here, so that other commands need no
/// schedule. It is in a file of the state folder (see resume_file.hpp), one for each story, by its
/// path, and for each variant of core.
struct LastFailure {
  std::string path;      ///< of the file, whose first line is the schedule
  std::string schedule;  ///< of the story as it is now
};

/// Keeps it in place of an earlier one; the file is whole at any time. Returns its path, "" when it
/// cannot be written.
[[nodiscard]] std::string keep_last_failure(const Scenario& scenario, const std::string& schedule);

/// Nothing when none is known, or the story has changed since.
[[nodiscard]] std::optional<LastFailure> last_failure(const Scenario& scenario);

}  // namespace watchlab::scenarios
