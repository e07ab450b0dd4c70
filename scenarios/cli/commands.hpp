#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/command_line.hpp"
#include "scenarios/command_line/console.hpp"

/// The commands of `watchlab`, as rows of families, and the arguments that several of them take.
namespace watchlab::scenarios {

// Families, in the order of the help. A family is one file with neighbouring commands.
[[nodiscard]] std::vector<Command> run_commands();
[[nodiscard]] std::vector<Command> explore_commands();
[[nodiscard]] std::vector<Command> replay_commands();
[[nodiscard]] std::vector<Command> shrink_commands();
[[nodiscard]] std::vector<Command> fuzz_commands();
[[nodiscard]] std::vector<Command> record_commands();
[[nodiscard]] std::vector<Command> draw_commands();
[[nodiscard]] std::vector<Command> report_commands();
[[nodiscard]] std::vector<Command> branch_commands();
[[nodiscard]] std::vector<Command> trace_commands();
[[nodiscard]] std::vector<Command> serve_commands();
[[nodiscard]] std::vector<Command> file_commands();
[[nodiscard]] std::vector<Command> catalogue_commands();

/// Which of the options that several commands share a command has: those that change what it does.
struct SharedOptions {
  bool json = false;
  bool junit = false;
  bool quiet = false;
  bool allow_run = false;
};

/// A command as one row, from which parsing, help and completion follow.
/// `Arguments` holds what the caller has given; with a member `common` it has a place for `shares`.
template <typename Arguments>
struct CommandRow {
  std::string name;
  std::string group;  ///< see `Command`
  std::string summary;
  std::string footer;
  SharedOptions shares = {};
  bool heeds_signals = false;                                   ///< see `Command`
  std::vector<Argument> (*arguments)(Arguments& to) = nullptr;  ///< each points at its member
  std::function<int(const Arguments&, Console&)> run;           ///< returns the exit status
};

[[nodiscard]] Argument allow_run_argument(bool& allowed);

/// Appends those that the command shares.
void add_shared_options(std::vector<Argument>& arguments, SharedOptions shares,
                        CommonOptions& options);

/// Throws `std::invalid_argument` for an option that is given, but would have no effect; `why` says
/// what it goes with.
void refuse_unused(bool is_given, std::string_view option, std::string_view why);

/// The command that a row describes. What its arguments are written to lives as long as it does.
template <typename Arguments>
[[nodiscard]] Command command(CommandRow<Arguments> row) {
  constexpr bool has_common = requires(Arguments arguments) { arguments.common; };
  auto given = std::make_shared<Arguments>();
  std::vector<Argument> arguments;
  if (row.arguments != nullptr) {
    arguments = row.arguments(*given);
  }
  if constexpr (has_common) {
    add_shared_options(arguments, row.shares, given->common);
  }
  return {.name = std::move(row.name),
          .summary = std::move(row.summary),
          .footer = std::move(row.footer),
          .group = std::move(row.group),
          .arguments = std::move(arguments),
          .run =
              [given, run = std::move(row.run)] {
                CommonOptions options;
                if constexpr (has_common) {
                  options = given->common;
                }
                Console console(options);
                return run(*given, console);
              },
          .heeds_signals = row.heeds_signals};
}

/// What a row runs that reports bad usage by `std::invalid_argument`.
template <typename Arguments>
[[nodiscard]] std::function<int(const Arguments&, Console&)> refusing(const std::string& command,
                                                                      int (*work)(const Arguments&,
                                                                                  Console&)) {
  return [command, work](const Arguments& arguments, Console& console) {
    return unless_refused(command, console, [&] { return work(arguments, console); });
  };
}

/// What a row runs that works on one scenario, the one that `name` of its arguments means. Where
/// they have a `transport` the scenario is over that one, where they have a `machine` its clients
/// are that one, and where they have a `schedule` both are what it was made on. Where they say that
/// they take the last failure, and no schedule is given, it is the one of that.
template <typename Arguments>
[[nodiscard]] std::function<int(const Arguments&, Console&)> on_scenario(
    const std::string& command, int (*work)(const Arguments&, const Scenario&, Console&)) {
  return [command, work](const Arguments& arguments, Console& console) {
    CommonOptions options;
    if constexpr (requires { arguments.common; }) {
      options = arguments.common;
    }
    return with_scenario(command, options, arguments.name, console, [&](const Scenario& scenario) {
      if constexpr (requires { arguments.output; }) {
        refuse_overwriting(arguments.output, scenario);
      }
      Scenario played = scenario;
      Arguments given = arguments;
      if constexpr (requires { arguments.transport; }) {
        played = over_the_named(arguments.transport, std::move(played));
      }
      if constexpr (requires {
                      arguments.machine;
                      arguments.schedule;
                    }) {
        refuse_schedule_of_another_machine(arguments.machine, scenario, arguments.schedule);
      }
      if constexpr (requires { arguments.machine; }) {
        played = on_the_named_machine(arguments.machine, std::move(played));
      }
      if constexpr (requires { arguments.takes_last_failure(); }) {
        if (arguments.schedule.empty() && arguments.takes_last_failure()) {
          given.schedule = schedule_of_last_failure(command, scenario, console);
        }
      }
      if constexpr (requires { arguments.schedule; }) {
        given.schedule = unless_default(given.schedule);
        played = scenario_for(played, given.schedule, console);
      }
      return work(given, played, console);
    });
  };
}

/// FILE: one scenario, by path, theme/name or name. Required.
[[nodiscard]] Argument scenario_argument(std::string& name);

/// PATH…: scenario files, or folders of them. Required.
[[nodiscard]] Argument paths_argument(std::vector<std::string>& paths);

/// --schedule: the text of a schedule or @file; required.
[[nodiscard]] Argument schedule_argument(std::string& schedule);
/// The same where it may be left out: the default schedule is played then.
[[nodiscard]] Argument optional_schedule_argument(std::string& schedule);

/// The same where the last failure is meant when it is left out.
[[nodiscard]] Argument failing_schedule_argument(std::string& schedule);

/// --transport: direct or wire; "" when it is left out.
[[nodiscard]] Argument one_transport_argument(std::string& transport);

/// --machine: which release of client-go all clients are like; "" when it is left out.
[[nodiscard]] Argument one_machine_argument(std::string& machine);

/// --jobs: how many threads share the work that `help` names.
[[nodiscard]] Argument jobs_argument(std::size_t& jobs, const std::string& help);

/// --resume and --save-every, of a command that can continue where an earlier call of it stopped.
[[nodiscard]] Argument resume_argument(std::string& file, const std::string& earlier);
[[nodiscard]] Argument save_every_argument(runtime::Duration& duration);

/// --output: the file to write.
[[nodiscard]] Argument output_argument(std::string& path, const std::string& help);

}  // namespace watchlab::scenarios
