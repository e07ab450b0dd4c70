#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "exercises/grader/commands.hpp"
#include "exercises/programs/language.hpp"

namespace watchlab::course {
namespace {

/// Help is made before a command line is understood, so `--lang` is looked for here.
void take_language_from(int argc, const char* const* argv) {
  constexpr std::string_view option = "--lang";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool is_next = word == option && i + 1 < argc;
    if (is_next || word.starts_with("--lang=")) {
      ::setenv("WATCHLAB_LANG", is_next ? argv[i + 1] : argv[i] + option.size() + 1, 1);
    }
  }
}

void make_multilingual(scenarios::Command& command) {
  const auto language = std::make_shared<std::string>();
  command.summary = in_own_language(command.summary);
  command.footer = typeable(in_own_language(command.footer));
  for (Argument& argument : command.arguments) {
    argument.help = in_own_language(argument.help);
  }
  command.arguments.push_back(
      {.name = "--lang",
       .target = language.get(),
       .help = in_own_language("The language of pages and messages; default: that of LANG"),
       .one_of = {"en", "zh-CN"},
       .also = {{"zh", "zh-CN"}}});
  command.run = [language, run = std::move(command.run)] { return run(); };
}

}  // namespace
}  // namespace watchlab::course

int main(int argc, char** argv) {
  using namespace watchlab::course;
  take_language_from(argc, argv);
  std::vector<watchlab::scenarios::Command> commands{list_command(),  start_command(),
                                                     check_command(), watch_command(),
                                                     hint_command(),  predict_command()};
  add_commands_of_instructors(commands);
  for (auto& command : commands) {
    make_multilingual(command);
  }
  return watchlab::scenarios::run_command_line(
      argc, argv, commands,
      {.name = own_call(),
       .summary = in_own_language(
           "watchlab-course hands out, checks and grades the exercises of watchlab.")});
}
