#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/usual_arguments.hpp"
#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {
namespace {

struct ShowArguments {
  CommonOptions common;
  std::string name;
};

int show(const ShowArguments& arguments, const Scenario& scenario, Console& console) {
  Problems problems;
  const std::string text = read_text_file(scenario.path, problems);
  if (arguments.common.json) {
    console.line(
        boost::json::serialize(boost::json::object{{"name", display_name(scenario.path)},
                                                   {"path", scenario.path},
                                                   {"story", scenario.story},
                                                   {"clients", scenario.clients.size()},
                                                   {"steps", scenario.script.size()},
                                                   {"expectations", scenario.expectations.size()},
                                                   {"hash", fmt::format("{:016x}", scenario.hash)},
                                                   {"text", text}}));
    return exit_held;
  }
  console.remark(console.faint("# " + scenario.path));
  console.line(text);
  console.remark(console.faint(fmt::format("# play it:    watchlab run {}", scenario.path)));
  console.remark(console.faint(fmt::format("# explore it: watchlab explore {}", scenario.path)));
  return exit_held;
}

}  // namespace

Command show_command() {
  auto arguments = std::make_shared<ShowArguments>();
  return {
      .name = "show",
      .summary = "Prints one scenario.",
      .footer = "Examples:\n  watchlab show missed_delete\n  watchlab show relist/missed_delete",
      .arguments = with_common_options({scenario_argument(arguments->name)}, arguments->common),
      .run = on_scenario("show", arguments, show)};
}

}  // namespace watchlab::scenarios
