#include "exercises/grader/grade_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// All runs of one test with correct libraries.
struct History {
  std::vector<std::pair<std::string, CaseRun>> runs;  ///< with the variant's name
  std::string failed_with;         ///< the first variant that it did not pass with
  std::uint64_t failed_under = 0;  ///< and the seed
};

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

/// After so many runs that took their whole time for nothing, the rest would, too.
constexpr std::size_t hung_outside_max = 2;

bool is_failure(const CaseRun& run) {
  return run.outcome != Outcome::Passed && run.outcome != Outcome::NotRun;
}

const CaseRun* find_case(const TestRun& run, const std::string& name) {
  const auto found = std::ranges::find(run.cases, name, &CaseRun::name);
  return found == run.cases.end() ? nullptr : &*found;
}

/// The suite while it is being run. Every library, right or wrong, is met in the same way: by all
/// tests, with the same settings, and in an order that nobody can know; what counts is worked out
/// afterwards. A suite that asks how it is run, or when, so learns nothing about the library.
class SuiteRunner {
 public:
  SuiteRunner(const Workplace& place, Stage& stage, const std::vector<Variant>& variants,
              const SuiteOptions& options)
      : place_(place),
        stage_(stage),
        variants_(variants),
        options_(options),
        met_(variants.size()) {
    for (const Variant& variant : variants) {
      weight_of_rest_ += is_correct(variant) ? 0 : variant.weight;
    }
  }

  void meet_all() {
    std::vector<std::size_t> order(variants_.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(std::random_device()()));
    for (const std::size_t number : order) {
      options_.progress(known());
      meet(number);
      if (is_given_up()) {
        return;
      }
    }
  }

  /// What all that was met by now comes to.
  [[nodiscard]] SuiteRuns known() const {
    SuiteRuns runs;
    runs.weight_of_rest = weight_of_rest_;
    if (hung_outside_ >= hung_outside_max) {
      runs.given_up = "it hangs outside of any test";
    } else if (is_given_up()) {
      runs.given_up = "it takes too long, and not all libraries were met";
    }
    judge_tests(runs);
    runs.lots = lots();
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      if (!met_[i].runs.empty() && !is_correct(variants_[i])) {
        runs.defects.push_back(judged(i, runs));
      }
      for (const Run& met : met_[i].runs) {
        runs.forged = runs.forged || met.run.forged;
      }
    }
    return runs;
  }

  /// Adds what is told of invalid tests, step by step: nothing counts any more in these runs.
  void tell(SuiteRuns& runs) {
    for (const Variant& variant : variants_) {
      std::map<std::uint64_t, std::vector<std::string>> shown;
      for (const SuiteRuns::Test& test : runs.tests) {
        if (!test.valid && test.variant == variant.id && is_correct(variant) &&
            !test.run.by_watchdog) {
          shown[test.seed].push_back(test.name);
        }
      }
      for (const auto& [seed, names] : shown) {
        set_subject(variant);
        tell_run(runs, run_with(seed, true, names));
      }
    }
  }

  /// Under further seeds, what noticed a defect must go on to notice it.
  void note_unnoticed(SuiteRuns& runs) {
    for (SuiteRuns::Defect& defect : runs.defects) {
      if (!options_.further_seeds.empty() && !defect.kills.empty()) {
        set_subject(defect.variant);
        note_unnoticed(defect);
      }
    }
  }

 private:
  struct Run {
    std::uint64_t seed;
    TestRun run;
  };
  struct Met {
    std::vector<Run> runs;           ///< in the order of the seeds
    std::set<std::string> unsteady;  ///< tests that came to different ends under one seed
  };

  [[nodiscard]] bool is_given_up() const {
    return hung_outside_ >= hung_outside_max || std::chrono::steady_clock::now() >= place_.until;
  }
  [[nodiscard]] static bool is_correct(const Variant& variant) {
    return variant.pool == Pool::Correct;
  }

  void set_subject(const Variant& variant) {
    program_.reset();
    stage_.set_subject(variant.built);
    program_.emplace(place_, stage_);
  }

  void meet(std::size_t number) {
    const Variant& variant = variants_[number];
    set_subject(variant);
    std::vector<std::uint64_t> seeds = options_.seeds;
    if (is_correct(variant)) {
      seeds.insert(seeds.end(), options_.further_seeds.begin(), options_.further_seeds.end());
    } else {
      weight_of_rest_ -= variant.weight;
    }
    hung_.clear();
    bool repeated = false;
    for (const std::uint64_t seed : seeds) {
      if (is_given_up()) {
        return;
      }
      TestRun run = run_with(seed, false, options_.cases);
      const bool failed = std::ranges::any_of(run.cases, is_failure);
      note_hung(run, is_correct(variant));
      hung_outside_ += run.hung_outside ? 1 : 0;
      if (failed && !std::exchange(repeated, true)) {
        repeat(number, seed, run);
      }
      met_[number].runs.push_back({seed, std::move(run)});
    }
  }

  /// What hangs once would cost the same time again with each seed; a test that hangs with a
  /// correct library counts for nothing, so that it is not run any more.
  void note_hung(const TestRun& run, bool is_correct) {
    for (const CaseRun& entry : run.cases) {
      if (entry.by_watchdog) {
        (is_correct ? given_up_ : hung_).push_back(entry.name);
      }
    }
  }

  /// The same library under the same seed: what comes to another end depends on something else.
  void repeat(std::size_t number, std::uint64_t seed, const TestRun& first) {
    const TestRun second = run_with(seed, false, options_.cases);
    for (const CaseRun& entry : first.cases) {
      const CaseRun* const again = find_case(second, entry.name);
      if (again != nullptr && again->outcome != Outcome::NotRun &&
          entry.outcome != Outcome::NotRun && again->outcome != entry.outcome) {
        met_[number].unsteady.insert(entry.name);
      }
    }
  }

  [[nodiscard]] double lots() const {
    std::map<std::string, std::size_t> failed;  // with how many correct libraries
    std::size_t correct = 0;
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      std::set<std::string> names;
      for (const Run& met : met_[i].runs) {
        for (const CaseRun& entry : met.run.cases) {
          if (is_correct(variants_[i]) && is_failure(entry)) {
            names.insert(entry.name);
          }
        }
      }
      for (const std::string& name : names) {
        ++failed[name];
      }
      correct += is_correct(variants_[i]) && !met_[i].runs.empty() ? 1 : 0;
    }
    double sum = 0;
    for (const auto& [name, libraries] : failed) {
      sum += libraries < correct ? static_cast<double>(libraries) : 0;
    }
    return correct > 0 ? sum / static_cast<double>(correct) : 0;
  }

  void judge_tests(SuiteRuns& runs) const {
    std::map<std::string, History> histories;
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      for (const Run& met : met_[i].runs) {
        if (!is_correct(variants_[i])) {
          continue;
        }
        if (met.run.cases.empty() || !met.run.trouble.empty()) {
          runs.trouble = met.run.trouble;
        }
        for (const CaseRun& entry : met.run.cases) {
          if (entry.outcome == Outcome::NotRun && is_given_up(entry.name)) {
            continue;
          }
          History& history = histories[entry.name];
          history.runs.emplace_back(variants_[i].id, entry);
          if (entry.outcome != Outcome::Passed && history.failed_with.empty()) {
            history.failed_with = variants_[i].id;
            history.failed_under = met.seed;
          }
        }
      }
    }
    for (const auto& [name, history] : histories) {
      SuiteRuns::Test test{.name = name,
                           .variant = history.failed_with,
                           .seed = history.failed_under,
                           .reason = {},
                           .run = {}};
      test.reason = reason_against(history, test.run);
      if (test.reason.empty() && is_unsteady(name)) {
        test.reason =
            "it passes and fails with the same library, order and schedules: it depends on "
            "chance";
      }
      test.valid = test.reason.empty();
      runs.tests.push_back(std::move(test));
    }
  }

  /// Of one defect: the first run of each valid test that noticed it.
  [[nodiscard]] SuiteRuns::Defect judged(std::size_t number, const SuiteRuns& runs) const {
    SuiteRuns::Defect defect{
        .variant = variants_[number], .kills = {}, .noticed = false, .unnoticed = {}};
    for (const Run& met : met_[number].runs) {
      for (const SuiteRuns::Test& test : runs.tests) {
        const CaseRun* const entry = test.valid ? find_case(met.run, test.name) : nullptr;
        const bool known = std::ranges::any_of(
            defect.kills, [&](const CaseRun& kill) { return kill.name == test.name; });
        if (entry != nullptr && !known && is_failure(*entry)) {
          defect.kills.push_back(*entry);
        }
      }
    }
    defect.noticed = static_cast<double>(defect.kills.size()) > 2 * runs.lots;
    return defect;
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
            return std::ranges::any_of(run_with(seed, false, killers).cases, is_failure);
          });
      if (!noticed) {
        defect.unnoticed.push_back(seeds[i]);
      }
    }
  }

  static void tell_run(SuiteRuns& runs, const TestRun& told) {
    for (SuiteRuns::Test& test : runs.tests) {
      const CaseRun* const entry = find_case(told, test.name);
      if (!test.valid && entry != nullptr && is_failure(*entry) && !entry->text.empty()) {
        test.run = *entry;
      }
    }
  }

  TestRun run_with(std::uint64_t seed, bool tells, std::vector<std::string> names) {
    std::vector<std::string> left_out = given_up_;
    left_out.insert(left_out.end(), hung_.begin(), hung_.end());
    return program_->run({.seed = seed,
                          .schedules = static_cast<std::size_t>(place_.exercise.schedules),
                          .shuffled = seed != options_.seeds.front(),
                          .tells = tells,
                          .schedule = options_.schedule,
                          .cases = std::move(names),
                          .left_out = std::move(left_out)});
  }
  [[nodiscard]] bool is_given_up(const std::string& name) const {
    return std::ranges::find(given_up_, name) != given_up_.end();
  }
  [[nodiscard]] bool is_unsteady(const std::string& name) const {
    return std::ranges::any_of(met_, [&](const Met& met) { return met.unsteady.contains(name); });
  }

  const Workplace& place_;
  Stage& stage_;
  const std::vector<Variant>& variants_;
  const SuiteOptions& options_;
  std::vector<Met> met_;                ///< by variant
  double weight_of_rest_ = 0;           ///< of the defects that were not met yet
  std::optional<TestProgram> program_;  ///< with the variant that is met just now
  std::size_t hung_outside_ = 0;        ///< how many runs did
  std::vector<std::string> given_up_;   ///< what the watchdog had to end with a correct library
  std::vector<std::string> hung_;       ///< and with the library at hand
};

}  // namespace

SuiteRuns run_suite(const Workplace& place, Stage& stage, const std::vector<Variant>& variants,
                    const SuiteOptions& options) {
  SuiteRunner runner(place, stage, variants, options);
  runner.meet_all();
  SuiteRuns runs = runner.known();
  if (!runs.given_up.empty()) {
    return runs;
  }
  if (options.tells) {
    runner.tell(runs);
  }
  runner.note_unnoticed(runs);
  return runs;
}

}  // namespace watchlab::course
