#pragma once

#include <string>

#include "scenarios/cli/console.hpp"

namespace CLI {
class App;
}

/// The commands of `watchlab`, one file each. Each function here adds its command to the program;
/// when the command is called, it does its work and leaves how it ended in `exit_code`.
namespace watchlab::scenarios {

/// What a call of the program comes to.
struct Outcome {
  int exit_code = exit_held;
};

void add_digest_command(CLI::App& program, Outcome& outcome);
void add_draw_command(CLI::App& program, Outcome& outcome);
void add_explore_command(CLI::App& program, Outcome& outcome);
void add_list_command(CLI::App& program, Outcome& outcome);
void add_new_command(CLI::App& program, Outcome& outcome);
void add_replay_command(CLI::App& program, Outcome& outcome);
void add_run_command(CLI::App& program, Outcome& outcome);
void add_schema_command(CLI::App& program, Outcome& outcome);
void add_show_command(CLI::App& program, Outcome& outcome);
void add_shrink_command(CLI::App& program, Outcome& outcome);
void add_validate_command(CLI::App& program, Outcome& outcome);

/// Adds --json, --junit and --quiet.
void add_common_options(CLI::App& command, CommonOptions& options);

}  // namespace watchlab::scenarios
