#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/levels.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/language/utf8.hpp"
#include "scenarios/report/branch.hpp"
#include "scenarios/report/narration.hpp"
#include "scenarios/report/page_data.hpp"
#include "sim/explain/wording.hpp"

namespace watchlab::scenarios {
namespace {

Argument scenario_or_level_argument(std::string& name) {
  return {.name = "FILE",
          .target = &name,
          .help = "A scenario or a level: a path or a name",
          .required = true};
}

struct BranchArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  std::string take;
  std::string output;
  std::optional<Level> level;  ///< that `name` means
};

int branch(const BranchArguments& arguments, const Scenario& scenario, Console& console) {
  refuse_other_endings(arguments.output, {".html", ".htm"});
  const std::optional<Level>& level = arguments.level;
  std::string schedule = level ? first_schedule(scenario, arguments.schedule)
                               : schedule_or_default(scenario, arguments.schedule);
  if (!level || !arguments.take.empty()) {
    schedule = branch_schedule(scenario, schedule, branch_point_from(arguments.take));
  }
  const SeenRun seen = see_clauses(scenario, schedule, Scope::AnyOrder);
  const auto& failure = seen.witness.result.failure;
  if (!arguments.output.empty()) {
    PageFacts facts = facts_of(scenario, seen, Scope::AnyOrder);
    facts.variant = variant_played();
    facts.patch = level ? "" : facts.patch;  // of a level the player finds it
    facts.program = program_on_pages();
    PageWindow window;
    const std::string page =
        valid_utf8(page_of(PageData(scenario, seen, std::move(facts)).whole(), window));
    if (write_output(arguments.output, page, console) != kExitHeld) {
      return kExitFound;
    }
  }
  if (arguments.common.json) {
    boost::json::object line{{"name", display_name(scenario.path)},
                             {"path", scenario.path},
                             {"held", !failure},
                             {"kind", failure ? failure->kind : ""},
                             {"sentence", failure ? failure->sentence : ""},
                             {"schedule", schedule}};
    if (level) {
      line["level"] = described(*level, result_of(*level, seen.witness.result));
    }
    print_json(line, console);
  } else {
    console.note(
        failure ? Console::bad("FAIL") + fmt::format("  {}: {}", failure->kind, failure->sentence)
                : Console::good("held") + fmt::format("  {}, {} steps", display_name(scenario.path),
                                                      seen.witness.result.steps));
    if (level) {
      const LevelResult result = result_of(*level, seen.witness.result);
      console.note(
          result.is_won
              ? "won: " + level->after
              : fmt::format("{} of {} taken; to win, the run has to fail: {}, "
                            "and \"{}\" in its message",
                            result.choices,
                            sim::counted(static_cast<std::size_t>(level->choices), "choice"),
                            level->goal.kind, level->goal.says));
    }
    console.line(schedule);
  }
  return failure ? kExitFound : kExitHeld;
}

/// Of a level its story is played.
int branch_or_begin(const BranchArguments& given, Console& console) {
  BranchArguments arguments = given;
  try {
    arguments.level = level_named("branch", given.name);
    if (arguments.level) {
      arguments.name = story_of(*arguments.level);
    } else if (given.take.empty()) {
      throw std::invalid_argument("--take is required, unless FILE is a level");
    }
  } catch (const std::invalid_argument& refused) {
    return unless_refused("branch", console, [&]() -> int {
      Report report(given.common, "branch");
      report.add(bad_input_entry(given.name, refused.what()));
      (void)report.write(console);
      throw refused;
    });
  }
  return on_scenario("branch", branch)(arguments, console);
}

}  // namespace

std::vector<Command> branch_commands() {
  return {
      command<BranchArguments>(
          {.name = "branch",
           .summary = "Plays a run with one of its decisions changed.",
           .footer =
               "The run is the same up to that decision, and then follows the default order. "
               "Prints its schedule. The page of `report` numbers the decisions and their "
               "alternatives. The exit status is 0 if the branch passes, 1 if it fails.\n"
               "Of a level it says how far that is won; without --take it plays the run that "
               "the level begins with.\n"
               "Examples:\n"
               "  watchlab branch missed_delete --take 17=1\n"
               "  watchlab branch missed_delete --take 17=1 -o branch.html\n"
               "  watchlab branch my_race.yaml --schedule @schedule.txt --take 40=2 > "
               "other.txt\n"
               "  ./watchlab branch recreated_object_lost --take 17=1   # in a checkout: the "
               "museum's broken variant\n"
               "  ./watchlab branch 02-ghost_after_relist --take 17=1   # in a checkout: a level",
           .shares = {.json = true, .quiet = true, .allow_run = true},
           .arguments = [](BranchArguments& to) -> std::vector<Argument> {
             return {scenario_or_level_argument(to.name),
                     optional_schedule_argument(to.schedule),
                     one_transport_argument(to.transport),
                     {.name = "--take",
                      .target = &to.take,
                      .help = "Which decision, counted from 1, and which alternative, counted "
                              "from 0, such as 17=2; of a level it may be left out",
                      .type_name = "DECISION=ANSWER"},
                     {.name = "-o,--output",
                      .target = &to.output,
                      .help = "Also writes the page of the branch as .html",
                      .type_name = "FILE",
                      .is_output = true}};
           },
           .run = branch_or_begin}),
      command<ServeReportArguments>(
          {.name = "serve-report",
           .group = "Understand",
           .summary = "Serves the page of a run, on which you can try other decisions.",
           .footer =
               "Serves on this machine only, until Ctrl-C, and only runs of at most 2,000 steps. "
               "Each branch is a page of its own, and you can save it as a schedule or as a "
               "scenario file.\n"
               "In a checkout, exercises/break-it has levels: runs that you break as the "
               "scheduler or as the network.\n"
               "Examples:\n"
               "  watchlab serve-report missed_delete\n"
               "  watchlab serve-report my_race.yaml --schedule @schedule.txt --port 8002\n"
               "  ./watchlab serve-report recreated_object_lost   # in a checkout: the museum's "
               "broken variant\n"
               "  ./watchlab serve-report 02-ghost_after_relist   # in a checkout: a level\n"
               "  ./watchlab serve-report 02-ghost_after_relist --terminal   # in a checkout",
           .shares = {.allow_run = true},
           .arguments = [](ServeReportArguments& to) -> std::vector<Argument> {
             return {scenario_or_level_argument(to.name),
                     optional_schedule_argument(to.schedule),
                     {.name = "--port",
                      .target = &to.port,
                      .help = "Port on 127.0.0.1; default: a free one",
                      .most = 65535},
                     {"--terminal", &to.terminal,
                      "Plays a level in the terminal instead of serving a page; the exit status "
                      "is 0 if you win, else 1"}};
           },
           .run = refusing("serve-report", serve_report)})};
}

}  // namespace watchlab::scenarios
