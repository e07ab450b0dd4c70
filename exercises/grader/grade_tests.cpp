#include "exercises/grader/grade_tests.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "exercises/grader/judge_suite.hpp"
#include "exercises/programs/builder.hpp"
#include "scenarios/language/document.hpp"

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// After so many runs that took their whole time for nothing, the rest would, too.
constexpr std::size_t kHungOutsideMax = 2;
/// And a test that hung with so many libraries is not run with others.
constexpr std::size_t kHungLibrariesMax = 3;

/// On the clock a suite may take so many times as long as on the processor.
constexpr int kClockTimes = 3;

/// The seed of a part, from which no other one can be worked out.
std::uint64_t drawn_from(std::uint64_t seed, std::string_view part) {
  return one_way_digest_of(fmt::format("{:016x} {}", seed, part));
}

/// What all processes have taken of the processor that this one has started and that have ended.
std::chrono::milliseconds processor_time() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto milli = [](const timeval& time) {
    return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_usec / 1000);
  };
  return milli(usage.ru_utime) + milli(usage.ru_stime);
}

/// The suite while it is being run. The runs with correct and wrong libraries are mixed: a test
/// that finds a clock, or a number that goes up from run to run, learns nothing from it.
class SuiteRunner {
 public:
  SuiteRunner(const CommandContext& context, Stage& stage, const std::vector<Variant>& variants,
              const SuiteOptions& options)
      : context_(context), options_(options), program_(context, stage, Tests::OfStudent) {
    for (const Variant& variant : variants) {
      tested_.push_back({.variant = variant});
    }
  }

  /// All tests with all libraries; stops when the suite is given up.
  void run_all() {
    std::vector<std::pair<std::size_t, std::uint64_t>> planned;
    for (std::size_t i = 0; i < tested_.size(); ++i) {
      const Variant& variant = tested_[i].variant;
      const std::size_t runs = runs_with(variant) * (is_correct(variant) ? options_.rounds : 1);
      for (std::size_t number = 0; number < runs; ++number) {
        planned.emplace_back(i, seed_of(variant, 0, number));
      }
    }
    std::shuffle(planned.begin(), planned.end(), std::mt19937_64(options_.seed));
    for (std::size_t done = 0; done < planned.size() && !is_given_up(); ++done) {
      context_.notify(fmt::format("running the tests: {} of {}", done + 1, planned.size()));
      run_against(planned[done].first, planned[done].second);
    }
  }

  /// The results, when all has run.
  [[nodiscard]] SuiteRuns known() const {
    SuiteRuns runs;
    if (hung_outside_.size() >= kHungOutsideMax) {
      runs.given_up = "it hangs outside any test";
    } else if (is_given_up()) {
      runs.given_up = "it takes too long, and not all libraries were run";
      runs.seconds = seconds_of_tests();
    }
    judge_suite(runs, tested_, left_out());
    if (!options_.cases.empty()) {
      std::erase_if(runs.tests, [&](const SuiteRuns::Test& test) { return !is_asked(test.name); });
    }
    return runs;
  }

  /// Adds what is told of invalid tests, step by step: nothing counts any more in these runs.
  void narrate(SuiteRuns& runs) {
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::string>> names;
    for (const SuiteRuns::Test& test : runs.tests) {
      if (!test.valid && !test.variant.empty() && !test.run.by_watchdog) {
        names[{test.variant, test.seed}].push_back(test.name);
      }
    }
    for (const auto& [where, tests] : names) {
      program_.run_against(library_of(where.first).built);
      narrate_run(runs, run_with(where.second, true, tests));
    }
  }

  /// In further rounds, what caught a defect must catch it again.
  void note_missed(SuiteRuns& runs) {
    for (SuiteRuns::Defect& defect : runs.defects) {
      program_.run_against(defect.variant.built);
      std::vector<std::string> killers;
      for (const CaseRun& kill : defect.kills) {
        killers.push_back(kill.name);
      }
      for (std::size_t round = 1; round < options_.rounds && !killers.empty(); ++round) {
        std::vector<TestRun> again;
        for (std::size_t number = 0; number < kRunsWithDefect; ++number) {
          again.push_back(run_with(seed_of(defect.variant, round, number), false, killers));
        }
        if (failed_in_all(again, killers).empty()) {
          defect.missed.push_back(round);
        }
      }
    }
  }

 private:
  [[nodiscard]] std::uint64_t seed_of(const Variant& variant, std::size_t round,
                                      std::size_t number) const {
    return drawn_from(options_.seed, fmt::format("{} {} {}", variant.id, round, number));
  }
  [[nodiscard]] const Variant& library_of(const std::string& id) const {
    return std::ranges::find(
               tested_, id,
               [](const TestedLibrary& tested) -> const std::string& { return tested.variant.id; })
        ->variant;
  }
  [[nodiscard]] bool is_asked(const std::string& name) const {
    return std::ranges::find(options_.cases, name) != options_.cases.end();
  }
  [[nodiscard]] bool is_given_up() const {
    return hung_outside_.size() >= kHungOutsideMax ||
           processor_time() - processor_before_ >= options_.processor_max ||
           std::chrono::steady_clock::now() >= context_.until;
  }
  [[nodiscard]] std::vector<std::pair<std::string, double>> seconds_of_tests() const {
    std::map<std::string, double> sums;
    for (const TestedLibrary& tested : tested_) {
      for (const TestedLibrary::Run& run : tested.runs) {
        for (const CaseRun& entry : run.run.cases) {
          sums[entry.name] += entry.seconds;
        }
      }
    }
    std::vector<std::pair<std::string, double>> seconds(sums.begin(), sums.end());
    std::ranges::stable_sort(seconds, std::greater<>(), &std::pair<std::string, double>::second);
    return seconds;
  }

  void run_against(std::size_t library, std::uint64_t seed) {
    TestedLibrary& tested = tested_[library];
    program_.run_against(tested.variant.built);
    TestedLibrary::Run run{.seed = seed, .run = run_with(seed, false, options_.cases)};
    require_cases(run.run, options_.cases);
    if (run.run.hung_outside) {
      hung_outside_.insert(library);
    }
    note_hung(run.run, library);
    forget_words(run.run, tested.variant);
    tested.runs.push_back(std::move(run));
  }

  /// Of what a wrong library did, nobody reads more than the end. Five hundred tests have many
  /// words.
  static void forget_words(TestRun& run, const Variant& variant) {
    for (CaseRun& entry : run.cases) {
      if (!is_correct(variant)) {
        entry.text.clear();
        entry.schedule.clear();
      }
    }
    run.output.clear();
  }

  /// What has hung with several libraries is run with none any more: it would cost the same time
  /// again.
  void note_hung(const TestRun& run, std::size_t library) {
    for (const CaseRun& entry : run.cases) {
      if (entry.by_watchdog) {
        hung_with_[entry.name].insert(library);
      }
    }
  }

  static void narrate_run(SuiteRuns& runs, const TestRun& test_run) {
    for (SuiteRuns::Test& test : runs.tests) {
      const CaseRun* const entry = find_case(test_run, test.name);
      if (!test.valid && entry != nullptr && is_failure(*entry) && !entry->text.empty()) {
        test.run = *entry;
      }
    }
  }

  TestRun run_with(std::uint64_t seed, bool narrates, std::vector<std::string> names) {
    const std::set<std::string> hung_often = left_out();
    return program_.run({.seed = seed,
                         .schedules = static_cast<std::size_t>(context_.exercise.schedules),
                         .shuffled = true,
                         .narrates = narrates,
                         .schedule = options_.schedule,
                         .cases = std::move(names),
                         .left_out = {hung_often.begin(), hung_often.end()}});
  }
  [[nodiscard]] std::set<std::string> left_out() const {
    std::set<std::string> names;
    for (const auto& [name, libraries] : hung_with_) {
      if (libraries.size() >= kHungLibrariesMax) {
        names.insert(name);
      }
    }
    return names;
  }

  const CommandContext& context_;
  const SuiteOptions& options_;
  std::vector<TestedLibrary> tested_;  ///< by variant
  TestProgram program_;
  const std::chrono::milliseconds processor_before_ = processor_time();
  std::set<std::size_t> hung_outside_;                      ///< with which libraries it did
  std::map<std::string, std::set<std::size_t>> hung_with_;  ///< of tests: with which libraries
};

}  // namespace

void require_cases(const TestRun& run, const std::vector<std::string>& cases) {
  std::vector<std::string> names;
  for (const CaseRun& entry : run.cases) {
    names.push_back(entry.name);
  }
  for (const std::string& wanted : cases) {
    if (!names.empty() && std::ranges::find(names, wanted) == names.end()) {
      const std::string nearest = scenarios::nearest_name(wanted, names);
      throw BadInput(
          fmt::format("there is no test {}{}", wanted,
                      nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
    }
  }
}

SuiteTime time_for(const std::vector<Variant>& variants, std::chrono::seconds at_home) {
  std::uint64_t shown = 0;  // runs of a check
  std::uint64_t all = 0;
  for (const Variant& variant : variants) {
    shown += variant.pool == Pool::Hidden ? 0 : runs_with(variant);
    all += runs_with(variant);
  }
  const std::uint64_t times = (all + shown - 1) / std::max<std::uint64_t>(shown, 1);
  const std::chrono::seconds of_processor = at_home * std::max<std::uint64_t>(times, 1);
  return {.of_processor = of_processor, .on_the_clock = of_processor * kClockTimes};
}

SuiteRuns run_suite(const CommandContext& context, Stage& stage,
                    const std::vector<Variant>& variants, const SuiteOptions& options) {
  SuiteRunner runner(context, stage, variants, options);
  runner.run_all();
  SuiteRuns runs = runner.known();
  if (!runs.given_up.empty()) {
    return runs;
  }
  runner.narrate(runs);
  runner.note_missed(runs);
  return runs;
}

}  // namespace watchlab::course
