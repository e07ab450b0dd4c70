#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/mcp_session.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/command_line/shell_pages.hpp"

namespace watchlab::scenarios {
namespace {

struct CompletionArguments {
  std::string shell;
};

struct McpArguments {
  bool allow_run = false;
};

/// A page that ends with a line's end, as it is.
void print_page(std::string_view page, Console& console) {
  console.line(page.substr(0, page.rfind('\n')));
}

ProgramWords words_of_the_program() {
  return {.groups = {{"Play", "run scenarios"},
                     {"Find", "explore slow_handler --time 10s"},
                     {"Understand", "explain recreated_object_lost"},
                     {"Go and other languages", "serve -- kubectl get namespaces"},
                     {"Course and set up", "course start E00", "completion bash"}},
          .of_the_launcher = {{"course", "Hands out, checks and grades the exercises.",
                               "Course and set up"},
                              {"doctor", "Shows what is installed and what is missing.",
                               "Course and set up"}},
          .called = program_as_typed(),
          .has_launcher = std::getenv("WATCHLAB_HOME") != nullptr};
}

/// Adds the commands that are about all of them, themselves as well.
void add_commands_about(std::vector<Command>& commands) {
  commands.push_back(command<CompletionArguments>(
      {.name = "completion",
       .group = "Course and set up",
       .summary = "Prints the completion script for bash, zsh or fish.",
       .footer =
           "Examples:\n  watchlab completion bash > ~/.local/share/bash-completion/completions/"
           "watchlab\n  source <(watchlab completion zsh)\n"
           "  watchlab completion fish | source",
       .arguments = [](CompletionArguments& to) -> std::vector<Argument> {
         return {{.name = "SHELL",
                  .target = &to.shell,
                  .help = "Which shell",
                  .required = true,
                  .one_of = shells()}};
       },
       .run =
           [&commands](const CompletionArguments& given, Console& console) {
             print_page(completion_script(given.shell, commands, words_of_the_program()), console);
             return kExitHeld;
           }}));
  commands.push_back(command<McpArguments>(
      {.name = "mcp",
       .group = "Course and set up",
       .summary = "Offers the commands as tools to editors and assistants (MCP).",
       .footer =
           "Your editor or assistant starts it. It speaks the Model Context Protocol until "
           "standard input ends.\n"
           "Without --allow-run, no call starts the program of a story.\n"
           "Examples:\n"
           "  watchlab mcp\n"
           "  {\"mcpServers\": {\"watchlab\": {\"command\": \"watchlab\", \"args\": [\"mcp\"]}}}",
       .arguments = [](McpArguments& to) -> std::vector<Argument> {
         return {allow_run_argument(to.allow_run)};
       },
       .run =
           [&commands](const McpArguments& given, Console& /*console*/) {
             (void)::setenv("WATCHLAB_ALLOW_RUN", given.allow_run ? "1" : "0",
                            given.allow_run ? 1 : 0);
             return serve_tools(commands);
           }}));
}

/// The words of `museum run SLUG …` are those of `run SLUG …`: a piece is played as any story is.
bool plays_a_piece(int argc, const char* const* argv) {
  return argc > 2 && std::string_view(argv[1]) == "museum" && plays_variants(argv[2]);
}

}  // namespace
}  // namespace watchlab::scenarios

int main(int argc, char** argv) {
  using namespace watchlab::scenarios;
  note_signals();                                    // before anything else
  (void)::setenv("WATCHLAB_CALLED_AS", argv[0], 0);  // as lines to paste begin
  end_with_server_of_tools();
  std::vector<Command> commands;
  for (const auto family :
       {run_commands, explore_commands, replay_commands, shrink_commands, fuzz_commands,
        trace_commands, draw_commands, report_commands, branch_commands, serve_commands,
        file_commands, catalogue_commands, record_commands}) {
    const std::vector<Command> rows = family();
    commands.insert(commands.end(), rows.begin(), rows.end());
  }
  add_commands_about(commands);
  if (plays_a_piece(argc, argv)) {
    argv[1] = argv[0];
    --argc;
    ++argv;
  }
  remember_call(argc, argv, commands);
  const auto called = std::ranges::find(commands, argc > 1 ? argv[1] : "", &Command::name);
  if (called == commands.end() || !called->heeds_signals) {
    end_when_stopped();
  }
  return run_command_line(argc, argv, commands, words_of_the_program());
}
