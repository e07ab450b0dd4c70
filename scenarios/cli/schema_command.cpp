#include <memory>
#include <string>
#include <string_view>

#include "scenarios/cli/commands.hpp"
#include "scenarios/language/schema.hpp"

namespace watchlab::scenarios {
namespace {

int schema(const std::string& path) {
  const std::string text = scenario_schema_text();
  if (path.empty()) {
    Console({}).line(std::string_view(text).substr(0, text.rfind('\n')));
    return exit_held;
  }
  const std::string problem = write_file(path, text);
  if (!problem.empty()) {
    Console({}).complain(problem);
    return exit_found;
  }
  return exit_held;
}

}  // namespace

Command schema_command() {
  auto path = std::make_shared<std::string>();
  return {.name = "schema",
          .summary = "Prints the JSON Schema of scenario files.",
          .footer =
              "Examples:\n  watchlab schema\n"
              "  watchlab schema -o docs/scenario.schema.json",
          .arguments = {{.name = "-o,--output",
                         .target = path.get(),
                         .help = "Writes it to a file instead",
                         .type_name = "FILE"}},
          .run = [path] { return schema(*path); }};
}

}  // namespace watchlab::scenarios
