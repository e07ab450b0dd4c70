#include <fmt/format.h>

#include <string>
#include <vector>

#include "scenarios/command_line/command_line.hpp"

namespace watchlab::scenarios {
namespace {

std::string row_of(const std::string& name, const std::string& summary) {
  return fmt::format("  {:<13} {}\n", name, summary);
}

/// The rows of a group; "" when the program has none there.
std::string rows_of(const std::string& group, const std::vector<Command>& commands,
                    const ProgramWords& words) {
  std::string rows;
  for (const LauncherCommand& command : words.of_the_launcher) {
    rows += words.has_launcher && command.group == group ? row_of(command.name, command.summary)
                                                         : std::string();
  }
  for (const Command& command : commands) {
    rows += command.group == group ? row_of(command.name, command.summary) : std::string();
  }
  return rows;
}

}  // namespace

std::string menu_page(const std::vector<Command>& commands, const ProgramWords& words) {
  const std::string called = words.called.empty() ? words.name : words.called;
  std::string page = fmt::format("usage: {} COMMAND …    (each COMMAND has --help)\n", called);
  for (const MenuGroup& group : words.groups) {
    const std::string rows = rows_of(group.name, commands, words);
    if (!rows.empty()) {
      const bool is_other = !words.has_launcher && !group.example_installed.empty();
      page += fmt::format("\n{:<23} {} {}\n{}", group.name + ":", called,
                          is_other ? group.example_installed : group.example, rows);
    }
  }
  std::string others;
  for (const Command& command : commands) {
    others += command.group.empty() ? " " + command.name : std::string();
  }
  return page + fmt::format("\nAlso:{}; --version; NO_COLOR=1\n", others) +
         "Exit status: 0 all held, 1 something was found or failed, 2 bad input or usage.\n";
}

}  // namespace watchlab::scenarios
