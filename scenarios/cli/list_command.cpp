#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/report.hpp"

namespace watchlab::scenarios {
namespace {

struct Arguments {
  CommonOptions common;
  std::vector<std::string> paths{"scenarios"};
};

void print_entry(const Arguments& arguments, const Scenario& scenario, Console& console) {
  const std::string name = display_name(scenario.path);
  if (arguments.common.json) {
    console.line(boost::json::serialize(
        boost::json::object{{"name", name}, {"path", scenario.path}, {"story", scenario.story}}));
    return;
  }
  const std::string first_line = scenario.story.substr(0, scenario.story.find('\n'));
  console.line(fmt::format("{:<40} {}", name, first_line));
}

int list(const Arguments& arguments) {
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

void add_list_command(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("list", "Names the scenarios, a line each.");
  command->add_option("PATH", arguments->paths, "Files or folders; 'scenarios' if left out");
  add_common_options(*command, arguments->common);
  command->footer("Examples:\n  watchlab list\n  watchlab list scenarios/relist --json");
  command->callback([arguments, &outcome] { outcome.exit_code = list(*arguments); });
}

}  // namespace watchlab::scenarios
