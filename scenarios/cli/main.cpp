#include <vector>

#include "scenarios/cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace watchlab::scenarios;
  std::vector<Command> commands;
  for (const auto family : {run_commands, explore_commands, replay_commands, fuzz_commands,
                            record_commands, draw_commands, report_commands, branch_commands,
                            trace_commands, serve_commands, catalogue_commands}) {
    const std::vector<Command> rows = family();
    commands.insert(commands.end(), rows.begin(), rows.end());
  }
  return run_command_line(argc, argv, commands);
}
