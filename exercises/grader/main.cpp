#include <vector>

#include "exercises/grader/commands.hpp"

int main(int argc, char** argv) {
  using namespace watchlab::course;
  std::vector<watchlab::scenarios::Command> commands{
      list_command(),    start_command(),      check_command(),  watch_command(),
      hint_command(),    predict_command(),    grade_command(),  gradebook_command(),
      similar_command(), statistics_command(), bundle_command(), dev_command()};
  for (auto& command : commands) {
    command.footer = typeable(command.footer);
  }
  return watchlab::scenarios::run_command_line(
      argc, argv, commands,
      {.name = own_call(),
       .summary = "watchlab-course hands out, checks and grades the exercises of watchlab."});
}
