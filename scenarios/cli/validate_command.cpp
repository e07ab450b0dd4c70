#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/language/catalogue.hpp"

namespace watchlab::scenarios {
namespace {

struct ValidateArguments {
  CommonOptions common;
  std::vector<std::string> paths;
};

int validate(const ValidateArguments& arguments) {
  Console console(arguments.common);
  Report report(arguments.common, "validate");
  const std::vector<CatalogueEntry> entries = load_catalogue(arguments.paths);
  for (const CatalogueEntry& entry : entries) {
    const std::string text = problem_text(entry);
    if (!text.empty()) {
      console.complain(text);
    }
    report.add({.name = display_name(entry.path),
                .path = entry.path,
                .held = text.empty(),
                .sentence = text});
  }
  if (entries.empty()) {
    console.complain("watchlab validate: there is no .yaml file in what was named");
    return exit_usage;
  }
  console.remark(fmt::format("{} valid, {} invalid", report.held(), report.failed()));
  const bool is_written = report.write(console);
  return report.failed() > 0 ? exit_usage : is_written ? exit_held : exit_found;
}

}  // namespace

Command validate_command() {
  auto arguments = std::make_shared<ValidateArguments>();
  return {.name = "validate",
          .summary = "Checks scenario files without playing.",
          .footer = "Examples:\n  watchlab validate scenarios\n  watchlab validate my_story.yaml",
          .arguments = with_common_options({{.name = "PATH",
                                             .target = &arguments->paths,
                                             .help = "Scenario files, or folders of them",
                                             .required = true}},
                                           arguments->common),
          .run = [arguments] { return validate(*arguments); }};
}

}  // namespace watchlab::scenarios
