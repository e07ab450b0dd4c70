#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/levels.hpp"
#include "scenarios/cli/pasted_line.hpp"
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
  const std::optional<Level> level = level_named("serve-report", arguments.name);
  if (arguments.terminal && !level) {
    throw std::invalid_argument("--terminal plays levels, and " + arguments.name +
                                " is a scenario; expected one of exercises/break-it");
  }
  refuse_unused(arguments.terminal && arguments.port > 0, "--port", "--terminal serves nothing");
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
