#include <fmt/format.h>

#include <memory>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/reading.hpp"
#include "exercises/grader/statistics.hpp"

namespace watchlab::course {
namespace {

struct StatisticsOptions {
  std::string folder;
  std::string html;
};

int tell(const StatisticsOptions& options) {
  const CohortStatistics statistics = statistics_of(options.folder);
  fmt::print("{}", to_csv(statistics));
  fmt::print(stderr, "{}\n", summary_of(statistics));
  if (!options.html.empty()) {
    write_output(options.html, to_html(statistics));
  }
  return scenarios::exit_held;
}

}  // namespace

scenarios::Command statistics_command() {
  const auto options = std::make_shared<StatisticsOptions>();
  return {.name = "statistics",
          .summary = "which defects and tests a cohort got, and which tell strong from weak",
          .footer =
              "Reads what grade --cohort has written in the format json. CSV on standard output.\n"
              "Example: watchlab-course statistics RESULTS --html cohort.html",
          .arguments = {{.name = "DIR",
                         .target = &options->folder,
                         .help = "The folder with the grades",
                         .required = true,
                         .type_name = " "},
                        {.name = "--html",
                         .target = &options->html,
                         .help = "Writes a page, too",
                         .type_name = "FILE"}},
          .run = [options] { return guarded([&] { return tell(*options); }); }};
}

}  // namespace watchlab::course
