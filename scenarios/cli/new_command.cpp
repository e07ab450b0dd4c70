#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/report.hpp"

namespace watchlab::scenarios {
namespace {

/// A story that holds, with one of everything, to be changed into another.
constexpr std::string_view scaffold = R"(apiVersion: watchlab/v1
name: {}
story: |
  Say what happens.
  Say what comes of it, and why.

server:
  objects: [existing]
  rv_as: listed

clients:
  - name: informer
    kind: informer

script:
  - when: {{watching: informer}}
    after: 1s
    create: {{name: demo, data: {{color: red}}, rv_as: born}}
  - after: 1s
    delete: demo

expect:
  - requests:
      exactly:
        - LIST: {{rv: "0"}}
        - WATCH: {{rv: $listed, delay: immediate}}
  - handler:
      exactly:
        - add: {{name: existing, initial: true}}
        - add: {{name: demo, rv: $born}}
        - delete: demo
  - store:
      exactly: [existing]
)";

int make_new(const std::string& name) {
  namespace fs = std::filesystem;
  Console console({});
  fs::path path(name);
  if (path.extension() != ".yaml") {
    path += ".yaml";
  }
  std::error_code failure;
  if (fs::exists(path, failure)) {
    console.complain(fmt::format("{}: the file exists; expected a new name", path.string()));
    return exit_usage;
  }
  const std::string text = fmt::format(scaffold, path.stem().string());
  const Parsed parsed = parse_scenario(text);
  if (!parsed.scenario) {
    console.complain(problem_text({path.string(), parsed}));
    return exit_usage;
  }
  if (path.has_parent_path()) {
    fs::create_directories(path.parent_path(), failure);
  }
  const std::string problem = write_file(path.string(), text);
  if (!problem.empty()) {
    console.complain(problem);
    return exit_found;
  }
  console.line(
      fmt::format("{} is there and holds; try: watchlab run {}", path.string(), path.string()));
  return exit_held;
}

}  // namespace

Command new_command() {
  auto name = std::make_shared<std::string>();
  return {.name = "new",
          .summary = "Writes a scenario to start from.",
          .footer = "Examples:\n  watchlab new scenarios/relist/my_story",
          .arguments = {{.name = "NAME",
                         .target = name.get(),
                         .help = "Where; .yaml is added if it is missing",
                         .required = true}},
          .run = [name] { return make_new(*name); }};
}

}  // namespace watchlab::scenarios
