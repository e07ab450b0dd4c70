// What an instructor of many asks after grading: who got what, and who has the same as another.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "exercises/gradebook/gradebook.hpp"
#include "exercises/gradebook/similarity.hpp"
#include "exercises/grader/cohort.hpp"
#include "exercises/grader/commands.hpp"
#include "exercises/grader/statistics.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct GradebookOptions {
  std::vector<std::string> results;
  std::string roster;
  std::string policy;
  std::string submitted;
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
  fmt::print(stderr, "{}\n", summary_of(book));
  return book.strangers.empty() ? scenarios::kExitHeld : scenarios::kExitFound;
}

}  // namespace

scenarios::Command gradebook_command() {
  const auto options = std::make_shared<GradebookOptions>();
  return {
      .name = "gradebook",
      .summary = "who got what: a roster and results in, a gradebook and pages for students out",
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
                    {.name = "--format",
                     .target = &options->format,
                     .help = "A line a cell, or what Canvas or Moodle import",
                     .one_of = {"csv", "canvas", "moodle"}},
                    {.name = "--out,-o",
                     .target = &options->out,
                     .help = "Where to write it; standard output if left out",
                     .type_name = "FILE",
                     .is_output = true},
                    {.name = "--feedback",
                     .target = &options->feedback,
                     .help = "Writes a page for each student into that folder",
                     .type_name = "DIR"}},
      .run = [options] { return guarded([&] { return make(*options); }); }};
}

namespace {

struct SimilarOptions {
  std::string id;
  std::string cohort;
  std::string html;
  std::size_t percent = 50;
};

/// The files of each submission, one after the other; what has none of them is left out.
std::vector<ComparedSource> sources_in(const std::vector<fs::path>& submissions,
                                       const Exercise& exercise) {
  std::vector<ComparedSource> sources;
  for (const fs::path& submission : submissions) {
    ComparedSource source{.name = plain_line(submission.filename().string()), .text = {}};
    for (const std::string& file : exercise.files) {
      const fs::path path = part_of_submission(submission, exercise) / file;
      constexpr std::uintmax_t bytes_max = 1024 * 1024;  // as for grading
      std::error_code closed;
      if (fs::is_regular_file(fs::symlink_status(path, closed)) &&
          ::access(path.c_str(), R_OK) == 0 && fs::file_size(path) <= bytes_max) {
        source.text += plain_text(read_whole(path)) + "\n";
      }
    }
    if (!source.text.empty()) {
      sources.push_back(std::move(source));
    }
  }
  std::ranges::sort(sources, {}, &ComparedSource::name);
  return sources;
}

/// What all students of an exercise have seen.
std::string given_to_all(const Exercise& exercise) {
  std::string text;
  for (const fs::path& file : cpp_files_of(exercise.folder / "starter")) {
    text += read_whole(file) + "\n";
  }
  for (const fs::path& file : headers_of(exercise)) {
    text += read_whole(file) + "\n";
  }
  for (const fs::path& file : cpp_files_of(exercise.folder / "tests")) {
    text += read_whole(file) + "\n";
  }
  return text;
}

int compare(const SimilarOptions& options) {
  const Toolchain toolchain = own_toolchain();
  const Exercise exercise = find_exercise(read_exercises(toolchain.exercises()), options.id);
  const auto [submissions, skipped, refused] = submissions_in(options.cohort);
  if (!options.html.empty()) {
    for (const fs::path& submission : submissions) {
      require_apart(options.html, submission);
    }
  }
  const std::vector<ComparedSource> sources = sources_in(submissions, exercise);
  Console console({});
  for (const auto* const names : {&skipped, &refused}) {
    for (const std::string& name : *names) {
      console.report_error(name);
    }
  }
  const std::vector<SimilarPair> pairs =
      similar_pairs(sources, given_to_all(exercise), static_cast<double>(options.percent) / 100);
  fmt::print("{}", to_csv(sources, pairs));
  if (!options.html.empty()) {
    write_output(options.html, to_html(sources, pairs));
  }
  fmt::print(stderr, "{} submissions, {} pairs share {} % or more\n", sources.size(), pairs.size(),
             options.percent);
  return refused.empty() ? scenarios::kExitHeld : scenarios::kExitFound;
}

}  // namespace

scenarios::Command similar_command() {
  const auto options = std::make_shared<SimilarOptions>();
  return {.name = "similar",
          .summary = "which submissions to an exercise are alike, side by side",
          .footer =
              "Names, numbers, texts, comments and the order of parts do not matter. The "
              "starter does not count.\nCSV on standard output.\n"
              "Example: watchlab-course similar E01t --cohort SUBMISSIONS --html alike.html",
          .arguments = {exercise_argument(options->id, true),
                        {.name = "--cohort",
                         .target = &options->cohort,
                         .help = "The folder of submissions",
                         .required = true,
                         .type_name = "DIR"},
                        {.name = "--percent",
                         .target = &options->percent,
                         .help = "Names pairs that have so much in common, of the smaller one; 50 "
                                 "if left out",
                         .least = 1,
                         .most = 100},
                        {.name = "--html",
                         .target = &options->html,
                         .help = "Writes a page, too",
                         .type_name = "FILE",
                         .is_output = true}},
          .run = [options] { return guarded([&] { return compare(*options); }); }};
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
  fmt::print(stderr, "{}\n", summary_of(statistics));
  if (!options.html.empty()) {
    write_output(options.html, to_html(statistics));
  }
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command statistics_command() {
  const auto options = std::make_shared<StatisticsOptions>();
  return {.name = "statistics",
          .summary = "which defects and tests a cohort got, and which distinguish strong from weak",
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
