// What an instructor of many asks after grading: who got what, and what was hard.
#include <fmt/format.h>

#include <memory>

#include "exercises/gradebook/gradebook.hpp"
#include "exercises/grader/cohort.hpp"
#include "exercises/grader/commands.hpp"
#include "exercises/grader/statistics.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/command_line/terminal.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct GradebookOptions {
  std::vector<std::string> results;
  std::string roster;
  std::string policy;
  std::string submitted;
  std::string overrides;
  std::string format = "csv";
  std::string out;
  std::string feedback;
};

/// Refuses an output that would take the place of a result.
void require_no_result(const std::string& output, const std::vector<std::string>& folders) {
  if (fs::path(output).extension() == ".json") {
    for (const std::string& folder : folders) {
      require_apart(output, folder);
    }
  }
}

int make(const GradebookOptions& options) {
  require_no_result(options.out, options.results);
  GradebookInput input{.students = read_roster(options.roster)};
  if (!options.policy.empty()) {
    input.policy = read_policy(options.policy);
  }
  if (!options.submitted.empty()) {
    input.submitted = read_submission_times(options.submitted);
  }
  if (!options.overrides.empty()) {
    input.overrides = read_overrides(options.overrides);
  }
  input.results.assign(options.results.begin(), options.results.end());
  const Gradebook book = make_gradebook(input);
  const std::string text = options.format == "canvas"   ? to_canvas(book)
                           : options.format == "moodle" ? to_moodle(book)
                                                        : to_csv(book);
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    write_output(options.out, text);
  }
  if (!options.feedback.empty()) {
    fs::create_directories(options.feedback);
    for (const Student& student : book.students) {
      write_output(fs::path(options.feedback) / (student.id + ".html"),
                   feedback_page(book, student));
    }
  }
  Console console({});
  for (const std::string& stranger : book.strangers) {
    console.report_error(stranger);
  }
  for (const std::string& note : book.notes) {
    scenarios::complain(note + "\n");
  }
  scenarios::complain(fmt::format("{}\n", summary_of(book)));
  return book.strangers.empty() ? scenarios::kExitHeld : scenarios::kExitFound;
}

}  // namespace

scenarios::Command gradebook_command() {
  const auto options = std::make_shared<GradebookOptions>();
  return {
      .name = "gradebook",
      .summary = "turns a roster and results into a gradebook and pages for students",
      .footer =
          "Reads what grade --cohort has written in the format json; a result is called like its "
          "student's id.\nExit status: 1 where a result is of no student of the roster.\n"
          "Example: watchlab-course gradebook RESULTS --roster roster.csv --policy policy.yaml "
          "--submitted times.csv -o gradebook.csv --feedback pages",
      .arguments = {{.name = "DIR",
                     .target = &options->results,
                     .help = "Folders of results, also of several exercises",
                     .required = true,
                     .type_name = " "},
                    {.name = "--roster",
                     .target = &options->roster,
                     .help = "The students: a CSV file with a column id",
                     .required = true,
                     .type_name = "FILE"},
                    {.name = "--policy",
                     .target = &options->policy,
                     .help = "When exercises are due, and what being late costs: a YAML file",
                     .type_name = "FILE"},
                    {.name = "--submitted",
                     .target = &options->submitted,
                     .help = "When what was handed in: a CSV file (student,exercise,submitted)",
                     .type_name = "FILE"},
                    {.name = "--overrides",
                     .target = &options->overrides,
                     .help = "Points set by hand: a CSV file (student,exercise,points,reason)",
                     .type_name = "FILE"},
                    {.name = "--format",
                     .target = &options->format,
                     .help = "A line a cell, or what Canvas or Moodle import",
                     .one_of = {"csv", "canvas", "moodle"}},
                    {.name = "--out,-o",
                     .target = &options->out,
                     .help = "Where to write it; standard output if left out",
                     .type_name = "FILE",
                     .is_output = true,
                     .may_be_standard_output = true},
                    {.name = "--feedback",
                     .target = &options->feedback,
                     .help = "Writes a page for each student into that folder",
                     .type_name = "DIR"}},
      .run = [options] { return guarded([&] { return make(*options); }); }};
}

namespace {

struct StatisticsOptions {
  std::string folder;
  std::string html;
};

int show(const StatisticsOptions& options) {
  require_no_result(options.html, {options.folder});
  const CohortStatistics statistics = statistics_of(options.folder);
  fmt::print("{}", to_csv(statistics));
  scenarios::complain(fmt::format("{}\n", summary_of(statistics)));
  if (!options.html.empty()) {
    write_output(options.html, to_html(statistics));
  }
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command statistics_command() {
  const auto options = std::make_shared<StatisticsOptions>();
  return {.name = "statistics",
          .summary =
              "shows which defects and tests a cohort got, and which separate strong from "
              "weak",
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
                         .type_name = "FILE",
                         .is_output = true}},
          .run = [options] { return guarded([&] { return show(*options); }); }};
}

}  // namespace watchlab::course
