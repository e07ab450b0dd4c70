#pragma once

#include <functional>
#include <memory>
#include <string>

#include "scenarios/cli/console.hpp"
#include "scenarios/language/catalogue.hpp"

namespace watchlab::scenarios {

/// Loads the scenario that `name` means, a path or a name, hands it to `work`, and returns what
/// that returns. `exit_usage`, after one complaint in the name of `command`, when there is no such
/// scenario, it is invalid, or `work` throws `std::invalid_argument`, as for an unfit schedule.
[[nodiscard]] int with_scenario(const std::string& command, const std::string& name,
                                Console& console, const std::function<int(const Scenario&)>& work);

/// What a command on one scenario runs: `work` with its arguments, which have `common` and `name`.
template <typename Arguments>
[[nodiscard]] std::function<int()> on_scenario(std::string command,
                                               std::shared_ptr<Arguments> arguments,
                                               int (*work)(const Arguments&, const Scenario&,
                                                           Console&)) {
  return [command = std::move(command), arguments = std::move(arguments), work] {
    Console console(arguments->common);
    return with_scenario(command, arguments->name, console, [&](const Scenario& scenario) {
      return work(*arguments, scenario, console);
    });
  };
}

}  // namespace watchlab::scenarios
