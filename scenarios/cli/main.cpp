#include "scenarios/cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace watchlab::scenarios;
  return run_command_line(
      argc, argv,
      {run_command(), explore_command(), merge_command(), replay_command(), shrink_command(),
       explain_command(), fuzz_command(), digest_command(), transcribe_command(), draw_command(),
       trace_command(), diff_command(), validate_command(), list_command(), show_command(),
       new_command(), museum_command(), schema_command()});
}
