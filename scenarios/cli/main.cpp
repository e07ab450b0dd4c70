#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/language/problem.hpp"

namespace watchlab::scenarios {
namespace {

/// Why the program has no command of that name; "" when it has one, or when it is a flag.
std::string unknown_command(CLI::App& program, const std::string& word) {
  if (word.starts_with('-')) {
    return "";
  }
  std::vector<std::string> names;
  for (const CLI::App* const command : program.get_subcommands([](CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    return "";
  }
  const std::string nearest = nearest_name(word, names);
  return fmt::format("there is no command '{}'{}", word,
                     nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest));
}

}  // namespace
}  // namespace watchlab::scenarios

int main(int argc, char** argv) {
  using namespace watchlab::scenarios;
  CLI::App program("watchlab plays the Kubernetes list-watch machinery on a virtual clock.",
                   "watchlab");
  program.require_subcommand(1);
  program.footer(
      "Exit status: 0 all held, 1 something was found or failed, 2 bad input or usage.\n"
      "Each command explains itself: watchlab COMMAND --help");
  Outcome outcome;
  add_run_command(program, outcome);
  add_explore_command(program, outcome);
  add_replay_command(program, outcome);
  add_shrink_command(program, outcome);
  add_digest_command(program, outcome);
  add_draw_command(program, outcome);
  add_validate_command(program, outcome);
  add_list_command(program, outcome);
  add_show_command(program, outcome);
  add_new_command(program, outcome);
  add_schema_command(program, outcome);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& failure) {
    const std::string unknown = argc > 1 ? unknown_command(program, argv[1]) : "";
    fmt::print(stderr, "watchlab: {}\nRun watchlab --help, or watchlab COMMAND --help.\n",
               unknown.empty() ? failure.what() : unknown);
    return exit_usage;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "watchlab: {}\n", failure.what());
    return exit_found;
  }
  return outcome.exit_code;
}
