#include "exercises/grader/grade_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "exercises/grader/score.hpp"

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// All runs of one test with correct libraries.
struct History {
  std::vector<std::pair<std::string, CaseRun>> runs;  ///< with the variant's name
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Why a test does not count; "" when it does.
std::string reason_against(const History& history, CaseRun& shown) {
  std::size_t failed = 0;
  std::string where;
  for (const auto& [variant, run] : history.runs) {
    if (!run.asked.empty()) {
      shown = run;
      return fmt::format("it asks for {}: a test depends on the library and nothing else",
                         run.asked);
    }
    if (run.outcome != Outcome::Passed) {
      shown = failed == 0 ? run : shown;
      where = failed == 0 ? variant : where;
      ++failed;
    }
  }
  if (failed == 0) {
    return "";
  }
  // A test that fails now and then, with the same library, depends on something that is not told.
  if (shown.by_watchdog) {
    return "it hung with a correct library until the watchdog ended it";
  }
  std::size_t same_library = 0;
  std::size_t failed_there = 0;
  for (const auto& [variant, run] : history.runs) {
    same_library += variant == where ? 1 : 0;
    failed_there += variant == where && run.outcome != Outcome::Passed ? 1 : 0;
  }
  if (failed_there < same_library) {
    return "it passes and fails with the same correct library, in other orders and schedules";
  }
  return fmt::format("it {} with a correct library: it asks for what nobody promised",
                     shown.outcome == Outcome::Failed ? "fails" : word_for(shown.outcome));
}

/// The suite while it is being run.
class SuiteRunner {
 public:
  SuiteRunner(const Workplace& place, Stage& stage, const SuiteOptions& options)
      : place_(place), stage_(stage), options_(options) {}

  SuiteRuns runs;

  void meet_correct(const Variant& variant) {
    set_subject(variant);
    std::vector<std::uint64_t> seeds = options_.seeds;
    seeds.insert(seeds.end(), options_.further_seeds.begin(), options_.further_seeds.end());
    for (const std::uint64_t seed : seeds) {
      const TestRun run = run_with(seed, options_.tells, options_.cases);
      runs.forged = runs.forged || run.forged;
      if (run.cases.empty() || !run.trouble.empty()) {
        runs.trouble = run.trouble;
      }
      for (const CaseRun& entry : run.cases) {
        if (!is_given_up(entry.name)) {
          histories_[entry.name].runs.emplace_back(variant.id, entry);
        }
      }
      // What hangs once would cost the same time again with each library and seed.
      for (const CaseRun& entry : run.cases) {
        if (entry.by_watchdog) {
          given_up_.push_back(entry.name);
        }
      }
    }
  }

  void judge_tests() {
    for (const auto& [name, history] : histories_) {
      SuiteRuns::Test test{.name = name};
      test.reason = reason_against(history, test.run);
      test.valid = test.reason.empty();
      runs.tests.push_back(std::move(test));
    }
  }

  void meet_defect(const Variant& variant) {
    set_subject(variant);
    SuiteRuns::Defect defect{.variant = variant};
    std::vector<std::string> names = valid_names();
    for (const std::uint64_t seed : options_.seeds) {
      if (names.empty() || is_decided(defect)) {
        break;
      }
      const TestRun run = run_with(seed, false, names);
      runs.forged = runs.forged || run.forged;
      for (const CaseRun& entry : run.cases) {
        if (entry.outcome != Outcome::Passed && entry.outcome != Outcome::NotRun) {
          defect.kills.push_back(entry);
          std::erase(names, entry.name);
        }
      }
    }
    note_unnoticed(defect);
    runs.defects.push_back(std::move(defect));
  }

 private:
  void set_subject(const Variant& variant) {
    program_.reset();
    stage_.set_subject(variant.built);
    program_.emplace(place_.sandbox, stage_, place_.exercise);
  }

  /// Whether further seeds could tell a grade more about the defect: all that it says is who
  /// noticed it first, and how at best.
  [[nodiscard]] bool is_decided(const SuiteRuns::Defect& defect) const {
    return !options_.all_kills && std::ranges::any_of(defect.kills, [](const CaseRun& kill) {
      return kill.outcome == Outcome::Failed;
    });
  }

  void note_unnoticed(SuiteRuns::Defect& defect) {
    std::vector<std::string> killers;
    for (const CaseRun& kill : defect.kills) {
      killers.push_back(kill.name);
    }
    const auto& seeds = options_.further_seeds;
    for (std::size_t i = 0; i < seeds.size() && !killers.empty(); i += 3) {
      const auto end = seeds.begin() + static_cast<std::ptrdiff_t>(std::min(i + 3, seeds.size()));
      const bool noticed =
          std::any_of(seeds.begin() + static_cast<std::ptrdiff_t>(i), end, [&](std::uint64_t seed) {
            const TestRun run = run_with(seed, false, killers);
            return std::ranges::any_of(run.cases, [](const CaseRun& entry) {
              return entry.outcome != Outcome::Passed && entry.outcome != Outcome::NotRun;
            });
          });
      if (!noticed) {
        defect.unnoticed.push_back(seeds[i]);
      }
    }
  }

  TestRun run_with(std::uint64_t seed, bool tells, std::vector<std::string> names) {
    return program_->run({.seed = seed,
                          .schedules = static_cast<std::size_t>(place_.exercise.schedules),
                          .shuffled = seed != options_.seeds.front(),
                          .tells = tells,
                          .schedule = options_.schedule,
                          .cases = std::move(names),
                          .left_out = given_up_});
  }
  [[nodiscard]] bool is_given_up(const std::string& name) const {
    return std::find(given_up_.begin(), given_up_.end(), name) != given_up_.end();
  }

  [[nodiscard]] std::vector<std::string> valid_names() const {
    std::vector<std::string> names;
    for (const SuiteRuns::Test& test : runs.tests) {
      if (test.valid) {
        names.push_back(test.name);
      }
    }
    return names;
  }

  const Workplace& place_;
  Stage& stage_;
  const SuiteOptions& options_;
  std::optional<TestProgram> program_;  ///< with the variant that is met just now
  std::map<std::string, History> histories_;
  std::vector<std::string> given_up_;  ///< what the watchdog had to end with a correct library
};

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
  const bool killed = !defect.kills.empty();
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
             : "no valid test notices it";
  return line;
}

}  // namespace

SuiteRuns run_suite(const Workplace& place, Stage& stage, const std::vector<Variant>& variants,
                    const SuiteOptions& options) {
  SuiteRunner runner(place, stage, options);
  bool judged = false;
  for (const Variant& variant : variants) {
    options.progress(runner.runs);
    if (variant.pool == Pool::Correct) {
      runner.meet_correct(variant);
    } else {
      if (!std::exchange(judged, true)) {
        runner.judge_tests();
      }
      runner.meet_defect(variant);
    }
  }
  if (!judged) {
    runner.judge_tests();
  }
  return runner.runs;
}

void put_suite(Grade& grade, const SuiteRuns& runs) {
  std::vector<WeightedKill> kills;
  std::size_t valid = 0;
  double weights = 0;
  for (const SuiteRuns::Defect& defect : runs.defects) {
    kills.push_back({defect.variant.weight, !defect.kills.empty()});
    weights += defect.variant.weight;
  }
  for (const SuiteRuns::Test& test : runs.tests) {
    grade.cases.push_back(line_of(test));
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
        defect.kills.empty() || valid == 0 ? 0 : line.points_max * std::max(0.5, score.validity);
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
