#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/serve/server_record.hpp"
#include "scenarios/serve/story_from_record.hpp"

namespace watchlab::scenarios {
namespace {

/// A name for a scenario, after the file: its stem, with what names may have.
std::string scenario_name(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& each : name) {
    const bool is_allowed =
        (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '_';
    each = is_allowed ? each : '_';
  }
  return name.empty() ? "recorded" : name;
}

}  // namespace

int story_from_record(const StoryFromArguments& arguments, Console& console) {
  std::string problem = overwriting(arguments.output, arguments.record);
  if (!problem.empty()) {
    throw std::invalid_argument(problem);
  }
  const std::optional<ServerRecord> record = read_record(arguments.record, problem);
  if (!record) {
    console.report_error(problem);
    return kExitUsage;
  }
  if (record->torn) {
    console.report_error(fmt::format(
        "{}: its last line is cut off, and is left out: the server was killed", arguments.record));
  }
  const std::string& path = names_a_file(arguments.output) ? arguments.output : arguments.record;
  const RecordedStory made = story_from(*record, arguments.client, scenario_name(path));
  for (const std::string& each : made.left_out) {
    console.report_error("left out: " + visible_line(each));
  }
  const std::string text =
      scenario_text(made.scenario,
                    fmt::format("Made by `watchlab story-from{}`.", for_shell({arguments.record})));
  if (arguments.output.empty()) {
    console.verbatim(text.substr(0, text.find_last_not_of('\n') + 1));
    return kExitHeld;
  }
  return write_output(arguments.output, text, console);
}

}  // namespace watchlab::scenarios
