#pragma once

#include "scenarios/cli/report.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// What came of a server, or of a story.
struct Served {
  int status = kExitHeld;
  bool is_bad_input = false;   ///< of the story; a command has any status
  bool is_stopped = false;     ///< before its end, by a signal
  bool has_not_begun = false;  ///< a signal came before that
};

/// Serves the story, or none where that is null, until it is over, its command has ended, or a
/// signal comes, and reports what came of it. Throws as `serve` does.
[[nodiscard]] Served serve_with(const ServeArguments& arguments, const Scenario* scenario,
                                Report& report, Console& console);

}  // namespace watchlab::scenarios
