#pragma once

#include "scenarios/cli/command_line.hpp"
#include "scenarios/cli/console.hpp"

/// The commands of `watchlab`, one file each. Each function here describes one; what its arguments
/// are written to lives as long as the command.
namespace watchlab::scenarios {

[[nodiscard]] Command diff_command();
[[nodiscard]] Command digest_command();
[[nodiscard]] Command draw_command();
[[nodiscard]] Command explain_command();
[[nodiscard]] Command explore_command();
[[nodiscard]] Command fuzz_command();
[[nodiscard]] Command list_command();
[[nodiscard]] Command merge_command();
[[nodiscard]] Command museum_command();
[[nodiscard]] Command new_command();
[[nodiscard]] Command replay_command();
[[nodiscard]] Command run_command();
[[nodiscard]] Command schema_command();
[[nodiscard]] Command show_command();
[[nodiscard]] Command shrink_command();
[[nodiscard]] Command trace_command();
[[nodiscard]] Command transcribe_command();
[[nodiscard]] Command validate_command();

/// Appends --json, --junit and --quiet.
[[nodiscard]] std::vector<Argument> with_common_options(std::vector<Argument> arguments,
                                                        CommonOptions& options);

}  // namespace watchlab::scenarios
