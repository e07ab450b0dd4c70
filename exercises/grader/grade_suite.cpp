// What a suite's runs come to: the lines of a grade.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "exercises/grader/grade_tests.hpp"
#include "exercises/grader/score.hpp"

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// Of the narrations of all tests of a suite: platforms refuse results that are too large.
constexpr std::size_t kNarrationBytesMax = 256 * 1024;
constexpr std::size_t kLineBytesMax = 500;

std::string first_line(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), kLineBytesMax));
}

GradeCase line_of(const SuiteRuns::Test& test) {
  GradeCase line{.id = test.name, .kind = "test", .outcome = test.valid ? "pass" : "invalid"};
  if (!test.valid) {
    line.message = test.reason + "\n" + first_line(test.run.text);
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
  const bool killed = defect.noticed;
  GradeCase line{
      .id = fmt::format("{}/{}", word_for(variant.pool),
                        variant.pool == Pool::Hidden ? std::to_string(number) : variant.id),
      .kind = "defect",
      .clause = variant.clause,
      .variant = variant.id,
      .outcome = killed ? "killed" : "survived",
      .hidden = variant.pool == Pool::Hidden};
  line.message =
      killed ? fmt::format("noticed by {} ({})", defect.kills.front().name, kill_kind(defect))
      : defect.kills.empty()
          ? "no valid test notices it"
          : fmt::format(
                "tests that count notice it ({}), but not more than chance explains: too many "
                "others fail with one correct library and pass with another",
                defect.kills.size());
  if (!line.hidden) {
    line.symptom = variant.symptom;
    line.hint = variant.hint;
  }
  return line;
}

}  // namespace

void put_suite(Grade& grade, const SuiteRuns& runs) {
  std::vector<WeightedKill> kills;
  std::size_t valid = 0;
  std::size_t narrated = 0;
  double weights = runs.weight_of_rest;  // until it is met, a defect is one that survives
  for (const SuiteRuns::Defect& defect : runs.defects) {
    kills.push_back({defect.variant.weight, defect.noticed});
    weights += defect.variant.weight;
  }
  for (const SuiteRuns::Test& test : runs.tests) {
    GradeCase line = line_of(test);
    narrated += line.narration.size();
    if (narrated > kNarrationBytesMax) {
      line.narration = "left out: the tests before it have too much to tell";
    }
    grade.cases.push_back(std::move(line));
    valid += test.valid ? 1 : 0;
  }
  const SuiteScore score = score_of(valid, runs.tests.size(), kills);
  grade.validity = score.validity;
  grade.thoroughness = score.thoroughness;
  std::map<Pool, std::size_t> numbers;
  for (const SuiteRuns::Defect& defect : runs.defects) {
    GradeCase line = line_of(defect, ++numbers[defect.variant.pool]);
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

}  // namespace watchlab::course
