#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/language/schema.hpp"

namespace watchlab::scenarios {

void add_schema_command(CLI::App& program, Outcome& outcome) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("schema", "Prints the JSON Schema of scenario files.");
  command->add_option("-o,--output", *path, "Writes it to a file instead")->type_name("FILE");
  command->footer("Examples:\n  watchlab schema\n  watchlab schema -o docs/scenario.schema.json");
  command->callback([path, &outcome] {
    const std::string text = scenario_schema_text();
    if (path->empty()) {
      std::fputs(text.c_str(), stdout);
      return;
    }
    const std::string problem = write_file(*path, text);
    if (!problem.empty()) {
      Console({}).complain(problem);
      outcome.exit_code = exit_usage;
    }
  });
}

}  // namespace watchlab::scenarios
