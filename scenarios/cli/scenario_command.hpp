#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/command_line/console.hpp"
#include "scenarios/language/catalogue.hpp"
#include "sim/explain/witness.hpp"
#include "sim/trace/run_trace.hpp"

/// From what a caller has named to the scenario that a command plays, and to what came of that.
namespace watchlab::scenarios {

class Report;

/// Where the scenarios that come with the program are: `scenarios` here, or else in the checkout
/// whose launcher has started the program, or else where they are installed beside it.
[[nodiscard]] std::string shipped_scenarios();
/// The same, whether or not there is a folder `scenarios` here, as projects have that use watchlab.
[[nodiscard]] std::string scenarios_of_the_program();
/// Where they are installed beside the program, or would be.
[[nodiscard]] std::filesystem::path installed_scenarios();
/// The file that a name means, in the one or the other; see `find_scenario`.
[[nodiscard]] std::string find_named(const std::string& name, std::string& nearest);

/// What callers name: files and folders as they are, those below `scenarios` that are not here as
/// the program has them, anything else by the name of a scenario or a piece of the museum. What is
/// none of these is an entry with a problem that has the nearest name.
[[nodiscard]] std::vector<CatalogueEntry> load_named(const std::vector<std::string>& names);

/// Says of each piece of the museum that a caller names that core is played as it is, without its
/// bug, and what plays the broken variant.
void note_museum(const std::string& command, const std::vector<std::string>& names,
                 Console& console);

/// The same as `load_named` for `command`, which plays them here: a story with clients from outside
/// has a problem, and so has one that starts a program which `command` may not start. Those of a
/// folder are one entry together, with a problem that counts them.
[[nodiscard]] std::vector<CatalogueEntry> load_played(const std::string& command,
                                                      const std::vector<std::string>& names,
                                                      Console& console);

/// The stories of a folder for `serve`, in real time: one with programs on its own clock has a
/// problem.
[[nodiscard]] std::vector<CatalogueEntry> load_served(const std::string& folder);

/// Returns what `work` returns. `kExitUsage`, after one error in the name of `command`, when it
/// throws `std::invalid_argument`.
[[nodiscard]] int unless_refused(const std::string& command, Console& console,
                                 const std::function<int()>& work);

/// Loads the scenario that `name` means, a path or a name, hands it to `work`, and returns what
/// that returns, as `unless_refused`. `kExitUsage` as well, after one error, when there is no
/// such scenario, or it is invalid, or has clients from outside and `command` is none for these.
[[nodiscard]] int with_scenario(const std::string& command, const std::string& name,
                                Console& console, const std::function<int(const Scenario&)>& work);
/// The same for the command of that name whose report it is: what keeps the scenario from being
/// played, if only what `work` throws, is an entry of it and is written.
[[nodiscard]] int with_scenario(Report& report, const std::string& name, Console& console,
                                const std::function<int(const Scenario&)>& work);
/// The same for a command that has those options and a report of its own for what it has played.
[[nodiscard]] int with_scenario(const std::string& command, const CommonOptions& options,
                                const std::string& name, Console& console,
                                const std::function<int(const Scenario&)>& work);

/// The scenario on the transport of that name; on the one that its file asks for when it is "".
[[nodiscard]] Scenario over_the_named(const std::string& transport, Scenario scenario);

/// Releases of client-go that stand for a machine of another name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> releases_as_machines();

/// The machines that --machine names, with commas between them, or all of them for "all"; none for
/// "". Throws `std::invalid_argument` for a name of none.
[[nodiscard]] std::vector<std::string> machines_named(const std::string& argument);

/// The scenario with all its clients on the machine of that name; as it is when that is "". Throws
/// `std::invalid_argument` where a client cannot be that machine.
[[nodiscard]] Scenario on_the_named_machine(const std::string& machine, Scenario scenario);

/// Throws `std::invalid_argument` where the argument `--schedule` was made for the scenario on
/// another machine than the named one: an order of steps does not carry over.
void refuse_schedule_of_another_machine(const std::string& machine, const Scenario& scenario,
                                        const std::string& schedule);

/// "" for `default`, which stands for the default run as if no schedule were given; else the same.
[[nodiscard]] std::string unless_default(const std::string& schedule);

/// What stands behind --schedule: the schedule itself, or the first line of the file that `@file`
/// names. Throws `sim::InvalidSchedule` when there is no such file.
[[nodiscard]] std::string schedule_text(const std::string& argument);

/// The scenario over the transport and on the machine that the argument `--schedule` was made on.
/// Throws as `schedule_text`.
[[nodiscard]] Scenario scenario_for(const Scenario& scenario, const std::string& schedule,
                                    Console& console);

/// Throws `std::invalid_argument` for an output that is the file of the scenario.
void refuse_overwriting(const std::string& output, const Scenario& scenario);

/// Throws `std::invalid_argument` for an output whose name ends otherwise; it may have no ending.
void refuse_other_endings(const std::string& output, const std::vector<std::string>& endings);

/// That of the story's last failure, after a line that says so; "" when none is known.
[[nodiscard]] std::string schedule_of_last_failure(const std::string& command,
                                                   const Scenario& scenario, Console& console);

/// The schedule that a command's `--schedule` means for the scenario: that one, or the one of its
/// default run when the argument is "". Throws `sim::InvalidSchedule`.
[[nodiscard]] std::string schedule_or_default(const Scenario& scenario,
                                              const std::string& argument);

/// The body, which counts its runs on the console: "N of MOST WORDS". Of an analysis that plays it
/// again and again, on one thread.
[[nodiscard]] std::function<void(runtime::Runtime&)> counted(
    std::function<void(runtime::Runtime&)> body, std::size_t most, std::string words,
    Console& console);

/// Why a run fails that is played by a short search, see `sim::explain_in_short`; counted likewise,
/// where there is a console.
[[nodiscard]] std::string why_in_short(const Scenario& scenario, const std::string& schedule,
                                       Console* console);

/// Plays the scenario under that schedule and writes all down. Throws `sim::InvalidSchedule`, and
/// `std::invalid_argument` when the scenario does not follow it.
[[nodiscard]] sim::Witness witness_scenario(const Scenario& scenario, const std::string& argument);

}  // namespace watchlab::scenarios
