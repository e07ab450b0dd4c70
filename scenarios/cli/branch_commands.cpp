#include <fmt/format.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/language/utf8.hpp"
#include "scenarios/report/branch_session.hpp"
#include "scenarios/report/level_terminal.hpp"
#include "scenarios/report/narration.hpp"
#include "scenarios/report/page_data.hpp"
#include "sim/http/http_server.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

struct BranchArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  std::string take;
  std::string output;
};

std::string variant_played() {
  const char* const variant = std::getenv("WATCHLAB_VARIANT");
  return variant == nullptr ? "" : variant;
}

int branch(const BranchArguments& arguments, const Scenario& scenario, Console& console) {
  refuse_other_endings(arguments.output, {".html", ".htm"});
  const BranchPoint point = branch_point_from(arguments.take);
  const std::string schedule =
      branch_schedule(scenario, schedule_or_default(scenario, arguments.schedule), point);
  const SeenRun seen = see_clauses(scenario, schedule, Scope::AnyOrder);
  const auto& failure = seen.witness.result.failure;
  if (!arguments.output.empty()) {
    PageFacts facts = facts_of(scenario, seen, Scope::AnyOrder);
    facts.variant = variant_played();
    facts.program = program_on_pages();
    PageWindow window;
    const std::string page =
        valid_utf8(page_of(PageData(scenario, seen, std::move(facts)).whole(), window));
    if (write_output(arguments.output, page, console) != kExitHeld) {
      return kExitFound;
    }
  }
  if (arguments.common.json) {
    print_json({{"name", display_name(scenario.path)},
                {"path", scenario.path},
                {"held", !failure},
                {"kind", failure ? failure->kind : ""},
                {"sentence", failure ? failure->sentence : ""},
                {"schedule", schedule}},
               console);
  } else {
    console.note(
        failure ? fmt::format("{}  {}: {}", console.bad("FAIL"), failure->kind, failure->sentence)
                : fmt::format("{}  {}, {} steps", console.good("held"), display_name(scenario.path),
                              seen.witness.result.steps));
    console.line(schedule);
  }
  return failure ? kExitFound : kExitHeld;
}

struct ServeReportArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::size_t port = 0;
  bool terminal = false;
};

std::string folder_of_levels() {
  return (std::filesystem::path(shipped_scenarios()).parent_path() / "exercises/break-it").string();
}

/// The level of that name or path; nothing when a scenario is meant.
std::optional<Level> level_named(const std::string& name) {
  if (is_level(name)) {
    return load_level(name);
  }
  const std::string path = find_level(folder_of_levels(), name);
  return path.empty() ? std::nullopt : std::optional(load_level(path));
}

/// Throws `std::invalid_argument`, with the nearest name of both, for what is neither a scenario
/// nor a level.
void refuse_unknown(const std::string& name) {
  std::string scenario;
  if (!find_named(name, scenario).empty()) {
    return;
  }
  std::vector<std::string> names = level_names(folder_of_levels());
  names.push_back(scenario);
  throw std::invalid_argument(describe(
      name,
      {{}, "there is no such scenario or level", "a path or a name", nearest_name(name, names)}));
}

/// The story of a level may stand beside it.
std::string story_of(const Level& level) {
  const auto beside = std::filesystem::path(level.path).parent_path() / level.scenario;
  return std::filesystem::is_regular_file(beside) ? beside.string() : level.scenario;
}

/// The schedule that a session begins with. Where exploring the scenario may let time pass early,
/// so may who plays it, which is no decision of its default run.
std::string first_schedule(const Scenario& scenario, const std::string& given) {
  sim::Schedule schedule = sim::Schedule::parse(schedule_or_default(scenario, given));
  if (given.empty()) {
    schedule.early_advances_max = static_cast<int>(scenario.explore.early_advances);
  }
  return schedule.to_string();
}

int serve_session(BranchSession& session, std::size_t port, Console& console) {
  sim::HttpFront front({});
  front.add_pages([&](const sim::HttpRequest& http, const sim::Target& target) {
    return std::optional(session.answer(http, target));
  });
  sim::HttpServer server(front, {.port = static_cast<std::uint16_t>(port)});
  server.on_signals({SIGINT, SIGTERM}, [&](int) { server.stop(); });
  console.line(fmt::format("open {}/ in a browser; Ctrl-C ends it", server.url()));
  if (!flush_standard_output().empty()) {
    return kExitFound;
  }
  server.run();
  return kExitHeld;
}

int play_in_terminal(const Scenario& scenario, const std::string& schedule, const Level& level,
                     Console& console) {
  const auto read = []() -> std::optional<std::string> {
    fmt::print("? ");
    std::string line;
    if (!flush_standard_output().empty() || !std::getline(std::cin, line)) {
      fmt::print("\n");
      return std::nullopt;
    }
    if (::isatty(STDIN_FILENO) == 0) {
      fmt::print("{}\n", line);  // a terminal shows what is typed
    }
    return line;
  };
  const auto say = [&console](std::string_view text) { console.line(text); };
  return LevelTerminal(scenario, schedule, level, {.read = read, .say = say}).play() ? kExitHeld
                                                                                     : kExitFound;
}

int serve_report(const ServeReportArguments& arguments, Console& console) {
  const std::string schedule = unless_default(arguments.schedule);
  const std::optional<Level> level = level_named(arguments.name);
  if (!level) {
    refuse_unknown(arguments.name);
  }
  if (arguments.terminal && !level) {
    throw std::invalid_argument("--terminal plays levels, and " + arguments.name +
                                " is a scenario; expected one of exercises/break-it");
  }
  refuse_unused(arguments.terminal && arguments.port > 0, "--port", "--terminal serves nothing");
  if (level && !level->variant.empty() && variant_played() != level->variant) {
    throw std::invalid_argument(
        fmt::format("the level is about the bug {}, which core as it is has not; "
                    "{} plays it",
                    level->variant, in_a_checkout("serve-report" + for_shell({arguments.name}))));
  }
  const std::string name = level ? story_of(*level) : arguments.name;
  return with_scenario("serve-report", name, console, [&](const Scenario& named) {
    const Scenario scenario = scenario_for(named, schedule, console);
    if (arguments.terminal && level) {
      return play_in_terminal(scenario, first_schedule(scenario, schedule), *level, console);
    }
    BranchSession session(scenario, first_schedule(scenario, schedule), variant_played(), level);
    session.set_program(program_on_pages());
    return serve_session(session, arguments.port, console);
  });
}

}  // namespace

std::vector<Command> branch_commands() {
  return {
      command<BranchArguments>(
          {.name = "branch",
           .summary = "Plays a run with another answer to one of its decisions.",
           .footer =
               "The run is the same up to that decision; from then on the default order holds. "
               "Prints its schedule. The page of `report` numbers the decisions and their "
               "answers. Exit 0 if the branch holds, 1 if it fails.\n"
               "Examples:\n  watchlab branch missed_delete --take 17=1\n"
               "  watchlab branch missed_delete --take 17=1 -o branch.html\n"
               "  watchlab branch my_race.yaml --schedule @schedule.txt --take 40=2 > other.txt\n"
               "  ./watchlab branch recreated_object_lost --take 17=1   (in a checkout: the "
               "museum's "
               "broken variant)",
           .shares = {.json = true, .quiet = true, .allow_run = true},
           .arguments = [](BranchArguments& to) -> std::vector<Argument> {
             return {scenario_argument(to.name),
                     optional_schedule_argument(to.schedule),
                     one_transport_argument(to.transport),
                     {.name = "--take",
                      .target = &to.take,
                      .help = "Which decision, counted from 1, and which alternative, counted from "
                              "0: 17=2",
                      .required = true,
                      .type_name = "DECISION=ANSWER"},
                     output_argument(to.output, "Also writes the page of the branch, an .html")};
           },
           .run = on_scenario("branch", branch)}),
      command<ServeReportArguments>(
          {.name = "serve-report",
           .group = "Understand",
           .summary = "Serves the page of a run, in which you can try other decisions.",
           .footer =
               "On this machine only; Ctrl-C ends it. For runs of at most 2,000 steps. Each branch "
               "is a page of its own, and can be saved as a schedule or as a scenario file.\n"
               "A level of exercises/break-it, in a checkout, is a run to be broken: you are the "
               "scheduler, or the network.\n"
               "Examples:\n  watchlab serve-report missed_delete\n"
               "  watchlab serve-report my_race.yaml --schedule @schedule.txt --port 8002\n"
               "  ./watchlab serve-report recreated_object_lost   (in a checkout: the museum's "
               "broken variant)\n"
               "  ./watchlab serve-report 02-ghost_after_relist   (in a checkout: a level)\n"
               "  ./watchlab serve-report 02-ghost_after_relist --terminal   (in a checkout)",
           .shares = {.allow_run = true},
           .arguments = [](ServeReportArguments& to) -> std::vector<Argument> {
             return {{.name = "FILE",
                      .target = &to.name,
                      .help = "A scenario or a level: a path or a name",
                      .required = true},
                     optional_schedule_argument(to.schedule),
                     {.name = "--port",
                      .target = &to.port,
                      .help = "Of 127.0.0.1; one that is free if left out",
                      .most = 65535},
                     {"--terminal", &to.terminal,
                      "Plays a level here, by lines of input, and serves nothing; exit 0 when it "
                      "is won, 1 when it is not"}};
           },
           .run = refusing("serve-report", serve_report)})};
}

}  // namespace watchlab::scenarios
