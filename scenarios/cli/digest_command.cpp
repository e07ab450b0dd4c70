#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/in_parallel.hpp"

namespace watchlab::scenarios {
namespace {

struct Arguments {
  CommonOptions common;
  std::vector<std::string> paths;
  std::size_t jobs = 1;
};

ReportEntry digest_of(const CatalogueEntry& file) {
  if (!file.parsed.scenario) {
    return {.path = file.path, .held = false, .kind = "input", .sentence = problem_text(file)};
  }
  try {
    return entry_for(*file.parsed.scenario, run_scenario(*file.parsed.scenario));
  } catch (const sim::InvalidSchedule& failure) {
    return {.path = file.path, .held = false, .kind = "input", .sentence = failure.what()};
  }
}

int digest(const Arguments& arguments) {
  Console console(arguments.common);
  Report report(arguments.common, "digest");
  const std::vector<CatalogueEntry> files = load_catalogue(arguments.paths);
  int exit_code = files.empty() ? exit_usage : exit_held;
  in_parallel<ReportEntry>(
      files.size(), arguments.jobs, [&](std::size_t i) { return digest_of(files[i]); },
      [&](std::size_t, const ReportEntry& entry) {
        report.add(entry);
        if (entry.kind == "input" || entry.kind == "divergence") {
          console.complain(entry.sentence);
          exit_code = entry.kind == "input" ? exit_usage : std::max(exit_code, exit_found);
        } else if (!arguments.common.json) {
          console.line(fmt::format("{}  {}", entry.digest, entry.name));
        }
      });
  return exit_code;
}

}  // namespace

void add_digest_command(CLI::App& program, Outcome& outcome) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "digest", "Prints a hash of everything that happened, one a scenario.");
  command->add_option("PATH", arguments->paths, "Scenario files, or folders of them")->required();
  command->add_option("--jobs,-j", arguments->jobs, "Files that are played at the same time")
      ->check(CLI::Range(1, 1024));
  add_common_options(*command, arguments->common);
  command->footer(
      "Two builds that print the same lines played the same runs, decision by decision.\n"
      "Examples:\n  watchlab digest scenarios\n  diff <(watchlab digest scenarios) expected.txt");
  command->callback([arguments, &outcome] { outcome.exit_code = digest(*arguments); });
}

}  // namespace watchlab::scenarios
