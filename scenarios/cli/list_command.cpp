#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/report.hpp"

namespace watchlab::scenarios {
namespace {

struct ListArguments {
  CommonOptions common;
  std::vector<std::string> paths{"scenarios"};
};

void print_entry(const ListArguments& arguments, const Scenario& scenario, Console& console) {
  const std::string name = display_name(scenario.path);
  if (arguments.common.json) {
    console.line(boost::json::serialize(
        boost::json::object{{"name", name}, {"path", scenario.path}, {"story", scenario.story}}));
    return;
  }
  const std::string first_line = scenario.story.substr(0, scenario.story.find('\n'));
  console.line(fmt::format("{:<40} {}", name, first_line));
}

int list(const ListArguments& arguments) {
  Console console(arguments.common);
  int exit_code = exit_held;
  for (const CatalogueEntry& entry : load_catalogue(arguments.paths)) {
    if (entry.parsed.scenario) {
      print_entry(arguments, *entry.parsed.scenario, console);
    } else {
      console.complain(problem_text(entry));
      exit_code = exit_usage;
    }
  }
  return exit_code;
}

}  // namespace

Command list_command() {
  auto arguments = std::make_shared<ListArguments>();
  return {.name = "list",
          .summary = "Names the scenarios, a line each.",
          .footer = "Examples:\n  watchlab list\n  watchlab list scenarios/relist --json",
          .arguments = with_common_options({{.name = "PATH",
                                             .target = &arguments->paths,
                                             .help = "Files or folders; 'scenarios' if left out"}},
                                           arguments->common),
          .run = [arguments] { return list(*arguments); }};
}

}  // namespace watchlab::scenarios
