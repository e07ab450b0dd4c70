#include "exercises/grader/commands.hpp"

int main(int argc, char** argv) {
  using namespace watchlab::course;
  return watchlab::scenarios::run_command_line(
      argc, argv,
      {list_command(), start_command(), check_command(), watch_command(), hint_command(),
       predict_command(), grade_command(), bundle_command(), dev_command(), statistics_command()},
      {.name = "watchlab-course",
       .summary = "watchlab-course hands out, checks and grades the exercises of watchlab."});
}
