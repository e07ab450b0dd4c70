#pragma once

#include <string>

namespace watchlab::scenarios {

/// What stands behind --schedule: the schedule itself, or the first line of the file that `@file`
/// names. Throws `sim::InvalidSchedule` when there is no such file.
[[nodiscard]] std::string schedule_text(const std::string& argument);

}  // namespace watchlab::scenarios
