#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/terminal.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/report/level_terminal.hpp"
#include "scenarios/serve/branch_session.hpp"
#include "sim/http/http_server.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

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
      fmt::print("{}\n", visible_line(line));  // a terminal shows what is typed
    }
    return line;
  };
  const auto say = [&console](std::string_view text) { console.line(text); };
  return LevelTerminal(scenario, schedule, level, {.read = read, .say = say}).play() ? kExitHeld
                                                                                     : kExitFound;
}

}  // namespace

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

}  // namespace watchlab::scenarios
