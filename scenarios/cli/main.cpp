#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "scenarios/cli/commands.hpp"

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
    fmt::print(stderr, "watchlab: {}\nRun watchlab --help, or watchlab COMMAND --help.\n",
               failure.what());
    return exit_usage;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "watchlab: {}\n", failure.what());
    return exit_found;
  }
  return outcome.exit_code;
}
