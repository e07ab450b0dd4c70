#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/failure_text.hpp"
#include "scenarios/cli/in_parallel.hpp"
#include "scenarios/cli/usual_arguments.hpp"

namespace watchlab::scenarios {
namespace {

struct DigestArguments {
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

int digest(const DigestArguments& arguments) {
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

Command digest_command() {
  auto arguments = std::make_shared<DigestArguments>();
  return {
      .name = "digest",
      .summary = "Prints a hash of everything that happened, one a scenario.",
      .footer =
          "Two builds that print the same lines played the same runs, decision by decision.\n"
          "Examples:\n  watchlab digest scenarios\n"
          "  diff <(watchlab digest scenarios) expected.txt",
      .arguments = with_common_options(
          {paths_argument(arguments->paths), jobs_argument(arguments->jobs)}, arguments->common),
      .run = [arguments] { return digest(*arguments); }};
}

}  // namespace watchlab::scenarios
