#pragma once

#include <functional>
#include <memory>
#include <string>

#include "scenarios/cli/console.hpp"
#include "scenarios/cli/usual_arguments.hpp"
#include "scenarios/language/catalogue.hpp"

namespace watchlab::scenarios {

/// Loads the scenario that `name` means, a path or a name, hands it to `work`, and returns what
/// that returns. `exit_usage`, after one complaint in the name of `command`, when there is no such
/// scenario, it is invalid, or `work` throws `std::invalid_argument`, as for an unfit schedule.
[[nodiscard]] int with_scenario(const std::string& command, const std::string& name,
                                Console& console, const std::function<int(const Scenario&)>& work);

/// The scenario over the transport that the argument `--schedule` was made on. Throws as
/// `schedule_text`.
[[nodiscard]] Scenario scenario_for(const Scenario& scenario, const std::string& schedule,
                                    Console& console);

/// Throws `std::invalid_argument` for an output that is the file of the scenario.
void refuse_overwriting(const std::string& output, const Scenario& scenario);

/// What a command on one scenario runs: `work` with its arguments, which have `common` and `name`.
/// Where they have a `transport` the scenario is over that one, and where they have a `schedule`
/// over the one that it was made on.
template <typename Arguments>
[[nodiscard]] std::function<int()> on_scenario(std::string command,
                                               std::shared_ptr<Arguments> arguments,
                                               int (*work)(const Arguments&, const Scenario&,
                                                           Console&)) {
  return [command = std::move(command), arguments = std::move(arguments), work] {
    Console console(arguments->common);
    return with_scenario(command, arguments->name, console, [&](const Scenario& scenario) {
      if constexpr (requires { arguments->output; }) {
        refuse_overwriting(arguments->output, scenario);
      } else if constexpr (requires { arguments->story; }) {
        refuse_overwriting(arguments->story, scenario);
      }
      Scenario played = scenario;
      if constexpr (requires { arguments->transport; }) {
        played = over_the_named(arguments->transport, std::move(played));
      }
      if constexpr (requires { arguments->schedule; }) {
        played = scenario_for(played, arguments->schedule, console);
      }
      return work(*arguments, played, console);
    });
  };
}

}  // namespace watchlab::scenarios
