#pragma once

#include <string>

#include "scenarios/cli/junit.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/language/scenario.hpp"
#include "scenarios/serve/served_story.hpp"

namespace watchlab::scenarios {

/// How a command ended that was to go on, or that failed.
struct CommandEnd {
  std::string sentence;    ///< "" when there is nothing to say of it
  std::string last_lines;  ///< that it printed; "" for none

  /// What the sentence of an entry begins with.
  [[nodiscard]] std::string text() const {
    return sentence.empty() || last_lines.empty() ? sentence : sentence + "\n" + last_lines;
  }
};

/// The line that serves the story again, with the options that decide what a client meets, and its
/// command.
[[nodiscard]] std::string line_to_serve(const ServeArguments& arguments, const Scenario& scenario);

/// What a story's failure says, with what the server has seen and the line that plays it again.
/// `refusals` describes input that was not a valid request.
[[nodiscard]] ReportEntry entry_of(const ServeArguments& arguments, const Scenario& scenario,
                                   const StoryVerdict& verdict, const CommandEnd& command,
                                   const std::string& refusals);

/// Prints what came of the story, and returns the status for that.
[[nodiscard]] int report_story(const ServeArguments& arguments, const StoryVerdict& verdict,
                               const ReportEntry& entry, Console& console);

}  // namespace watchlab::scenarios
