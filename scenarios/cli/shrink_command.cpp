#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/schedule_argument.hpp"
#include "scenarios/cli/usual_arguments.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/play.hpp"
#include "scenarios/language/smaller_scenario.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explore/shrink.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

struct ShrinkArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  bool prove = false;
  std::string story;  ///< a file for the smaller scenario; "" for none
};

std::string summary_of(const sim::ShrinkResult& result) {
  return fmt::format("{} deviations from fifo became {}, with {} preemption{}, in {} runs; {}",
                     result.deviations_before, result.deviations, result.preemptions,
                     result.preemptions == 1 ? "" : "s", result.runs,
                     result.proven ? "no run with fewer preemptions fails this way"
                                   : "the search ended at its bound before it was certain that no "
                                     "fewer will do: --prove has none");
}

/// The text of a file that asks for the scenario as it is played, and its schedule there. Throws
/// `std::invalid_argument` when that takes more than a line.
std::pair<std::string, std::string> as_file(const Scenario& scenario, const std::string& schedule) {
  Problems problems;
  std::string text = read_text_file(scenario.path, problems);
  const Parsed file = parse_scenario(text);
  if (!file.scenario || file.scenario->hash == scenario.hash) {
    return {std::move(text), schedule};
  }
  text += scenario.transport == sim::Transport::Wire ? "\ntransport: wire\n" : "";
  const Parsed changed = parse_scenario(text);
  if (!changed.scenario || changed.scenario->transport != scenario.transport) {
    throw std::invalid_argument("the file asks for another transport than its schedule; change it");
  }
  sim::Schedule moved = sim::Schedule::parse(schedule);
  moved.scenario = changed.scenario->hash;
  return {std::move(text), moved.to_text()};
}

/// Writes the scenario without what the failure does not need. Throws `std::invalid_argument`.
sim::Failure shrink_story(const Scenario& scenario, const std::string& schedule,
                          const ShrinkArguments& arguments, Console& console) {
  const auto [text, fitting] = as_file(scenario, schedule);
  const SmallerScenario smaller = smaller_scenario(
      text, fitting, {.name = std::filesystem::path(arguments.story).stem().string()});
  const std::string head =
      fmt::format("# What is left of {}: it fails in the same way.\n", scenario.path);
  const std::string problem = write_file(arguments.story, head + smaller.text);
  if (!problem.empty()) {
    throw std::runtime_error(problem);
  }
  console.complain(
      fmt::format("{}: without {} values of {}, {} steps are left, in {} runs; play it:"
                  "\n  ./watchlab run {}",
                  arguments.story, smaller.removed, scenario.path, smaller.remaining, smaller.runs,
                  arguments.story));
  return smaller.failure;
}

/// Prints the schedule alone on stdout, so that a script can take it; the rest goes to stderr.
int shrink(const ShrinkArguments& arguments, const Scenario& scenario, Console& console) {
  const sim::Schedule schedule = schedule_for(scenario, schedule_text(arguments.schedule));
  const auto body = body_of(scenario, Scope::AnyOrder);
  const sim::Failure failure{
      .kind = "", .sentence = "", .schedule = schedule.to_text(), .steps = 0};
  const sim::ShrinkResult result = sim::shrink(failure, {.prove = arguments.prove}, body);
  console.complain(result.failure.sentence);
  const std::string why = sim::explain_in_short(result.failure.schedule, body);
  if (!why.empty()) {
    console.complain(why);
  }
  console.complain(summary_of(result));
  const sim::Failure last =
      arguments.story.empty() ? result.failure
                              : shrink_story(scenario, result.failure.schedule, arguments, console);
  console.line(last.schedule);
  return exit_found;
}

}  // namespace

Command shrink_command() {
  auto arguments = std::make_shared<ShrinkArguments>();
  return {.name = "shrink",
          .summary = "Finds the shortest schedule that still fails in the same way.",
          .footer =
              "Prints the schedule alone on stdout. Exit 1, because the scenario still fails.\n"
              "Examples:\n"
              "  watchlab shrink my_race.yaml --schedule @schedule.txt > shorter.txt\n"
              "  watchlab shrink my_race.yaml --schedule 'w1:…' --prove\n"
              "  watchlab shrink my_race.yaml --schedule @schedule.txt --story smaller.yaml",
          .arguments = with_common_options(
              {scenario_argument(arguments->name),
               schedule_argument(arguments->schedule),
               {.name = "--prove",
                .target = &arguments->prove,
                .help = "Searches until no run with fewer preemptions can fail this way"},
               {.name = "--story",
                .target = &arguments->story,
                .help = "Also takes away steps, faults, clients and options that the failure does "
                        "not need, and writes the smaller scenario there",
                .type_name = "OUT.yaml"}},
              arguments->common),
          .run = on_scenario("shrink", arguments, shrink)};
}

}  // namespace watchlab::scenarios
