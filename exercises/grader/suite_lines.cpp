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
/// Of the tests to repair first, so many are named.
constexpr std::size_t kUnevenNamed = 3;
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

std::string first_names(const std::vector<std::string>& names) {
  std::vector<std::string> first;
  for (const std::string& name : names) {
    if (first.size() < kUnevenNamed) {
      first.push_back(marked_name(name));
    }
  }
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > kUnevenNamed ? ", …" : "");
}

GradeCase line_of(const SuiteRuns::Defect& defect, std::size_t number,
                  const std::vector<std::string>& uneven) {
  const Variant& variant = defect.variant;
  const bool killed = defect.noticed;
  GradeCase line{
      .id = fmt::format("{}/{}", to_string(variant.pool),
                        variant.pool == Pool::Hidden ? std::to_string(number) : variant.id),
      .kind = "defect",
      .clause = variant.clause,
      .variant = variant.id,
      .outcome = killed ? "killed" : "survived",
      .hidden = variant.pool == Pool::Hidden};
  line.message =
      killed ? fmt::format("noticed by {} ({})", marked_name(defect.kills.front().name),
                           kill_kind(defect))
      : defect.kills.empty()
          ? "no valid test notices it"
          : fmt::format(
                "tests that count notice it ({}), but not more than chance explains: too many "
                "others pass and fail with the same correct library. Repair first: {}",
                defect.kills.size(), first_names(uneven));
  if (!line.hidden) {
    line.symptom = variant.symptom;
    line.hint = variant.hint;
  }
  return line;
}

/// Puts the lines of the tests, or of those alone that do not count. Returns how many count.
std::size_t put_tests(Grade& grade, const SuiteRuns& runs, bool invalid_only) {
  std::size_t valid = 0;
  std::size_t narrated = 0;
  for (const SuiteRuns::Test& test : runs.tests) {
    valid += test.valid ? 1 : 0;
    if (test.valid && invalid_only) {
      continue;
    }
    GradeCase line = line_of(test);
    narrated += line.narration.size();
    if (narrated > kNarrationBytesMax) {
      line.narration = "left out: the tests before it have too much to tell";
    }
    grade.cases.push_back(std::move(line));
  }
  return valid;
}

}  // namespace

void put_suite(Grade& grade, const SuiteRuns& runs) {
  std::vector<WeightedKill> kills;
  double weights = runs.weight_of_rest;  // until it is met, a defect is one that survives
  for (const SuiteRuns::Defect& defect : runs.defects) {
    kills.push_back({defect.variant.weight, defect.noticed});
    weights += defect.variant.weight;
  }
  const std::size_t valid = put_tests(grade, runs, false);
  const SuiteScore score = score_of(valid, runs.tests.size(), kills);
  grade.validity = score.validity;
  grade.thoroughness = score.thoroughness;
  std::map<Pool, std::size_t> numbers;
  for (const SuiteRuns::Defect& defect : runs.defects) {
    GradeCase line = line_of(defect, ++numbers[defect.variant.pool], runs.uneven);
    line.points_max = grade.points_max * defect.variant.weight / weights;
    line.points =
        !defect.noticed || valid == 0 ? 0 : line.points_max * std::max(0.5, score.validity);
    grade.cases.push_back(std::move(line));
  }
  grade.summary = fmt::format(
      "{} of {} tests count; they notice {} of {} defects.", valid, runs.tests.size(),
      std::count_if(kills.begin(), kills.end(), [](const auto& kill) { return kill.killed; }),
      kills.size());
  grade.summary += runs.trouble.empty() ? "" : "\n" + runs.trouble;
  grade.summary += runs.forged ? "\nSomething wrote false reports; they count for nothing." : "";
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
                       "Each call of the library costs time, in each schedule: wait in one large "
                       "piece, not in many small ones.");
  }
  grade.status = Grade::Status::NotGradable;
  grade.summary = why;
  grade.cases = {{.id = "compile", .kind = "compile", .outcome = "fail", .message = why}};
  static_cast<void>(put_tests(grade, runs, true));
}

}  // namespace watchlab::course
