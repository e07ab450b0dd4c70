#include "scenarios/cli/serving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/served_call.hpp"
#include "scenarios/command_line/interrupt.hpp"

namespace watchlab::scenarios {
namespace {

/// The status when the results are written, too.
int after_writing(int status, const Report& report, Console& console) {
  const bool is_written = report.write(console);
  return status == kExitHeld && !is_written ? kExitFound : status;
}

/// The signals that come to a call whose command takes a story each are asked for all the while,
/// and a second one does not leave a command behind that is about to be ended.
constexpr std::chrono::seconds kOneStop{10};

void remark_stopped_serving(Console& console) {
  console.remark("stopped; to continue, from the beginning:\n  " + same_call("serve"));
}

/// Serves one story after the other, each to a command of its own.
int serve_folder(const ServeArguments& arguments, Console& console) {
  if (arguments.command.empty()) {
    throw std::invalid_argument(
        fmt::format("{} is a folder, and each of its stories needs a client; expected -- COMMAND",
                    arguments.story));
  }
  if (!arguments.record.empty()) {
    throw std::invalid_argument("--record and a folder do not go together: it holds one story");
  }
  const std::vector<CatalogueEntry> files = load_served(arguments.story);
  if (files.empty()) {
    throw std::invalid_argument(fmt::format("{}: there is no .yaml file in it", arguments.story));
  }
  Report report(arguments.common, "serve");
  int status = kExitHeld;
  std::size_t served_stories = 0;
  std::size_t stopped_stories = 0;
  for (const CatalogueEntry& file : files) {
    if (Interrupt::requested()) {
      break;
    }
    Served served{.status = kExitUsage, .is_bad_input = true};
    if (!file.parsed.scenario) {
      console.report_error(problem_text(file));
      report.add(bad_input_entry(file.path, problem_text(file)));
    } else {
      try {
        served = serve_with(arguments, &*file.parsed.scenario, report, console);
      } catch (const std::exception& refused) {  // which no other story will escape
        report.add_result(bad_input_entry(file.path, refused.what()));
        add_unplayed(report, files, served_stories + 1);
        (void)report.write(console);
        throw;
      }
    }
    if (served.has_not_begun) {
      break;
    }
    status =
        std::max(status, served.is_bad_input ? kExitUsage : std::min(served.status, kExitFound));
    ++served_stories;
    stopped_stories += served.is_stopped ? 1 : 0;
    if (served_stories < files.size()) {
      console.milestone(fmt::format("{} of {} stories", served_stories, files.size()));
    }
  }
  add_unplayed(report, files, served_stories);
  if (!arguments.common.quiet && !arguments.common.json) {
    const auto counted = [](std::size_t count, std::string_view what) {
      return count > 0 ? fmt::format(", {} {}", count, what) : "";
    };
    console.remark(fmt::format("{} held, {} failed{}{}", report.held(), report.failed(),
                               counted(stopped_stories, "stopped"),
                               counted(report.unplayed() - stopped_stories, "not played")));
  }
  if (Interrupt::requested()) {
    remark_stopped_serving(console);
    status = kExitInterrupted;
  }
  return after_writing(status, report, console);
}

}  // namespace

int serve(const ServeArguments& arguments, Console& console) {
  const Interrupt interrupt(kOneStop);
  if (std::filesystem::is_directory(arguments.story)) {
    return serve_folder(arguments, console);
  }
  Report report(arguments.common, "serve");
  if (arguments.story.empty()) {
    constexpr std::string_view kWhy = "it is about the result of a STORY, and none is named";
    refuse_unused(arguments.common.json, "--json", kWhy);
    refuse_unused(!arguments.common.junit.empty(), "--junit", kWhy);
    refuse_unused(arguments.common.quiet, "--quiet", kWhy);
    const Served served = serve_with(arguments, nullptr, report, console);
    if (served.has_not_begun) {  // nor has its command
      remark_stopped_serving(console);
    }
    return served.status;
  }
  return with_scenario(report, arguments.story, console, [&](const Scenario& scenario) {
    const Served served = serve_with(arguments, &scenario, report, console);
    const bool ended_command = !arguments.command.empty() && Interrupt::requested();
    if (served.has_not_begun) {
      add_stopped(report, scenario, "a signal came before it was served", console);
    }
    if (served.has_not_begun || served.is_stopped || ended_command) {
      remark_stopped_serving(console);
      return after_writing(kExitInterrupted, report, console);
    }
    return after_writing(served.status, report, console);
  });
}

}  // namespace watchlab::scenarios
