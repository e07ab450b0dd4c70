#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/grade_tests.hpp"
#include "exercises/grader/judge_suite.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// Of the narrations of all tests of a suite: platforms refuse results that are too large.
constexpr std::size_t kNarrationBytesMax = 256 * 1024;
constexpr std::size_t kLineBytesMax = 500;
/// Of the slowest tests, so many are named that took so long.
constexpr std::size_t kSlowestNamed = 3;
constexpr double kSecondsNamed = 0.1;

std::string first_line(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), kLineBytesMax));
}

GradeCase line_of(const SuiteRuns::Test& test) {
  GradeCase line{
      .id = marked_name(test.name), .kind = "test", .outcome = test.valid ? "pass" : "invalid"};
  if (!test.valid) {
    line.message = test.reason;
    line.message += test.run.text.empty() ? "" : "\n" + first_line(test.run.text);
    line.narration = test.run.text;
    line.schedule = test.run.schedule;
  }
  return line;
}

/// "assert" before "hang" before "crash": the best of what noticed it.
std::string kill_kind(const SuiteRuns::Defect& defect) {
  Outcome best = Outcome::Crashed;
  for (const CaseRun& kill : defect.kills) {
    best = std::min(best, kill.outcome);
  }
  return best == Outcome::Failed ? "assert" : best == Outcome::Hung ? "hang" : "crash";
}

GradeCase line_of(const SuiteRuns::Defect& defect, std::size_t number) {
  const Variant& variant = defect.variant;
  GradeCase line{
      .id = fmt::format("{}/{}", to_string(variant.pool),
                        variant.pool == Pool::Hidden ? std::to_string(number) : variant.id),
      .kind = "defect",
      .clause = variant.clause,
      .variant = variant.id,
      .outcome = defect.caught() ? "killed" : "survived",
      .hidden = variant.pool == Pool::Hidden};
  line.message = defect.caught()
                     ? fmt::format("caught by {} ({})", marked_name(defect.kills.front().name),
                                   kill_kind(defect))
                     : "no valid test catches it";
  if (!line.hidden) {
    line.symptom = variant.symptom;
    line.hint = variant.hint;
  }
  return line;
}

/// Puts the lines of the tests, or of those alone that are invalid.
void put_tests(Grade& grade, const SuiteRuns& runs, bool invalid_only) {
  std::size_t narrated = 0;
  for (const SuiteRuns::Test& test : runs.tests) {
    if (test.valid && invalid_only) {
      continue;
    }
    GradeCase line = line_of(test);
    narrated += line.narration.size();
    if (narrated > kNarrationBytesMax) {
      line.narration = "skipped: the tests before it print too much";
    }
    grade.cases.push_back(std::move(line));
  }
}

/// How validity comes about; "" where no test is invalid.
std::string words_of_validity(const SuiteRuns& runs, const SuiteScore& score) {
  const auto fail = std::ranges::count_if(runs.tests, &SuiteRuns::Test::fails);
  const auto valid = std::ranges::count_if(
      runs.tests, [](const SuiteRuns::Test& test) { return test.fails && test.valid; });
  return valid == fail
             ? ""
             : fmt::format(
                   "\n{} of your {} tests {} with some library; {} of these {} valid: {:.3g} % of "
                   "the points count.",
                   fail, runs.tests.size(), fail == 1 ? "fails" : "fail", valid,
                   valid == 1 ? "is" : "are", 100 * score.validity);
}

}  // namespace

SuiteScore score_of(const SuiteRuns& runs) {
  double all = 0;
  double caught = 0;
  for (const SuiteRuns::Defect& defect : runs.defects) {
    all += defect.variant.weight;
    caught += defect.caught() ? defect.variant.weight : 0;
  }
  std::size_t fail = 0;
  std::size_t valid = 0;
  for (const SuiteRuns::Test& test : runs.tests) {
    fail += test.fails ? 1 : 0;
    valid += test.fails && test.valid ? 1 : 0;
  }
  return {.validity = fail == 0 ? 0 : static_cast<double>(valid) / static_cast<double>(fail),
          .thoroughness = all == 0 ? 0 : caught / all};
}

void put_suite(Grade& grade, const SuiteRuns& runs) {
  const SuiteScore score = score_of(runs);
  grade.validity = score.validity;
  grade.thoroughness = score.thoroughness;
  put_tests(grade, runs, false);
  double weights = 0;
  for (const SuiteRuns::Defect& defect : runs.defects) {
    weights += defect.variant.weight;
  }
  std::map<Pool, std::size_t> numbers;
  for (const SuiteRuns::Defect& defect : runs.defects) {
    GradeCase line = line_of(defect, ++numbers[defect.variant.pool]);
    line.points_max = grade.points_max * defect.variant.weight / weights;
    line.points = defect.caught() ? line.points_max * score.validity : 0;
    grade.cases.push_back(std::move(line));
  }
  grade.summary = fmt::format("{} of {} defects caught.",
                              std::ranges::count_if(runs.defects, &SuiteRuns::Defect::caught),
                              runs.defects.size());
  grade.summary += words_of_validity(runs, score);
  grade.summary += runs.trouble.empty() ? "" : "\n" + runs.trouble;
  grade.summary += runs.forged ? "\n"
                                 "Something wrote false reports; they do not count."
                               : "";
}

void put_given_up(Grade& grade, const SuiteRuns& runs, const SuiteTime& time) {
  const bool is_slow = !runs.seconds.empty();
  std::string why =
      is_slow ? fmt::format(
                    "It was not run to the end: {}. {} s of the processor are allowed, and "
                    "{} s on the clock.",
                    runs.given_up, time.of_processor.count(), time.on_the_clock.count())
              : fmt::format("It was not run to the end: {}.", runs.given_up);
  std::vector<std::string> slowest;
  for (const auto& [name, seconds] : runs.seconds) {
    if (slowest.size() < kSlowestNamed && seconds >= kSecondsNamed) {
      slowest.push_back(fmt::format("{} ({:.1f} s)", marked_name(name), seconds));
    }
  }
  if (!slowest.empty()) {
    why += fmt::format("\nIts slowest tests, all runs together: {}\n{}", fmt::join(slowest, ", "),
                       "Each call of the library costs time in every schedule: wait once for "
                       "long, not many times briefly.");
  }
  grade.status = Grade::Status::NotGradable;
  grade.summary = why;
  grade.cases = {{.id = "compile", .kind = "compile", .outcome = "fail", .message = why}};
  put_tests(grade, runs, true);
}

}  // namespace watchlab::course
