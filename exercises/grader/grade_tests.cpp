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

/// The lot of a part. Tests may draw from a world, and work out the lot that it was played by: that
/// of the whole, and of other parts, must not follow from it.
std::uint64_t drawn_from(std::uint64_t lot, std::string_view part) {
  return one_way_digest_of(fmt::format("{:016x} {}", lot, part));
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

/// The suite while it is being run. Every library, right or wrong, is met in the same way: by all
/// tests, with the same settings, and in an order that nobody can know; what counts is worked out
/// afterwards. A suite that asks how it is run, or when, so learns nothing about the library.
///
/// Each run has a lot of its own, and the runs with one library do not follow each other: what a
/// test draws from its world, or takes from whatever changes slowly, is then another thing each
/// time. What a library does wrong is seen again (`Tally`).
class SuiteRunner {
 public:
  SuiteRunner(const CommandContext& place, Stage& stage, const std::vector<Variant>& variants,
              const SuiteOptions& options)
      : place_(place), options_(options), program_(place, stage, Tests::OfStudent) {
    for (const Variant& variant : variants) {
      for (std::uint64_t i = 0; i < (is_correct(variant) ? options.meetings_of_correct : 1); ++i) {
        const std::uint64_t lot = drawn_from(options.lot, fmt::format("{} {}", variant.id, i));
        met_.push_back({.variant = variant, .lot = lot, .runs = {}});
      }
    }
  }

  /// All tests with all libraries under each seed; then again with those of which it is not known
  /// yet whether a test notices them.
  void meet_all() {
    std::vector<PlannedRun> planned = first_runs(met_, options_.seeds, options_.further_seeds);
    std::size_t all = 0;
    std::size_t done = 0;
    while (!planned.empty()) {
      all += planned.size();
      std::shuffle(planned.begin(), planned.end(), std::mt19937_64(std::random_device()()));
      for (const PlannedRun& next : planned) {
        options_.progress(known());
        place_.notify(fmt::format("running the tests: {} of {}", ++done, all));
        meet(next);
        if (is_given_up()) {
          return;
        }
      }
      planned = further_runs(met_, options_.seeds);
    }
  }

  /// What all that was met by now comes to.
  [[nodiscard]] SuiteRuns known() const {
    SuiteRuns runs;
    for (const MetLibrary& met : met_) {
      runs.weight_of_rest += met.runs.empty() && !is_correct(met.variant) ? met.variant.weight : 0;
    }
    if (hung_outside_.size() >= kHungOutsideMax) {
      runs.given_up = "it hangs outside of any test";
    } else if (is_given_up()) {
      runs.given_up = "it takes too long, and not all libraries were met";
      runs.seconds = seconds_of_tests();
    }
    judge_suite(runs, met_, left_out());
    if (!options_.cases.empty()) {
      std::erase_if(runs.tests, [&](const SuiteRuns::Test& test) { return !is_asked(test.name); });
    }
    return runs;
  }

  /// Adds what is told of invalid tests, step by step: nothing counts any more in these runs.
  void narrate(SuiteRuns& runs) {
    for (const MetLibrary& met : met_) {
      for (const MetLibrary::Run& run : met.runs) {
        std::vector<std::string> names;
        for (const SuiteRuns::Test& test : runs.tests) {
          if (!test.valid && test.variant == met.variant.id && test.lot == run.lot &&
              !test.run.by_watchdog) {
            names.push_back(test.name);
          }
        }
        if (!names.empty()) {
          program_.meet(met.variant.built);
          narrate_run(runs, run_with(run.seed, run.lot, true, names));
        }
      }
    }
  }

  /// Under further seeds, what noticed a defect must go on to notice it.
  void note_unnoticed(SuiteRuns& runs) {
    for (SuiteRuns::Defect& defect : runs.defects) {
      if (!options_.further_seeds.empty() && !defect.kills.empty()) {
        const MetLibrary& met = *std::ranges::find(
            met_, defect.variant.id,
            [](const MetLibrary& library) -> const std::string& { return library.variant.id; });
        program_.meet(met.variant.built);
        note_unnoticed(defect, met.lot);
      }
    }
  }

 private:
  [[nodiscard]] bool is_asked(const std::string& name) const {
    return std::ranges::find(options_.cases, name) != options_.cases.end();
  }
  [[nodiscard]] bool is_given_up() const {
    return hung_outside_.size() >= kHungOutsideMax ||
           processor_time() - processor_before_ >= options_.processor_max ||
           std::chrono::steady_clock::now() >= place_.until;
  }
  [[nodiscard]] std::vector<std::pair<std::string, double>> seconds_of_tests() const {
    std::map<std::string, double> sums;
    for (const MetLibrary& met : met_) {
      for (const MetLibrary::Run& run : met.runs) {
        for (const CaseRun& entry : run.run.cases) {
          sums[entry.name] += entry.seconds;
        }
      }
    }
    std::vector<std::pair<std::string, double>> seconds(sums.begin(), sums.end());
    std::ranges::stable_sort(seconds, std::greater<>(), &std::pair<std::string, double>::second);
    return seconds;
  }

  void meet(const PlannedRun& planned) {
    MetLibrary& met = met_[planned.library];
    program_.meet(met.variant.built);
    MetLibrary::Run run{.number = planned.number,
                        .seed = planned.seed,
                        .lot = drawn_from(met.lot, std::to_string(planned.number)),
                        .run = {}};
    run.run = run_with(run.seed, run.lot, false, options_.cases);
    require_cases(run.run, options_.cases);
    if (run.run.hung_outside) {
      hung_outside_.insert(planned.library);
    }
    note_hung(run.run, planned.library);
    forget_words(run.run, met.variant);
    met.runs.insert(std::ranges::lower_bound(met.runs, run.number, {}, &MetLibrary::Run::number),
                    std::move(run));
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
  /// again. What a test did with one library must not show in how another is met, or only in a way
  /// that does not depend on which of them are right: the test could count.
  void note_hung(const TestRun& run, std::size_t library) {
    for (const CaseRun& entry : run.cases) {
      if (entry.by_watchdog) {
        hung_with_[entry.name].insert(library);
      }
    }
  }

  void note_unnoticed(SuiteRuns::Defect& defect, std::uint64_t lot) {
    std::vector<std::string> killers;
    for (const CaseRun& kill : defect.kills) {
      killers.push_back(kill.name);
    }
    const auto& seeds = options_.further_seeds;
    for (std::size_t i = 0; i < seeds.size() && !killers.empty(); i += 3) {
      const auto end = seeds.begin() + static_cast<std::ptrdiff_t>(std::min(i + 3, seeds.size()));
      const bool noticed =
          std::any_of(seeds.begin() + static_cast<std::ptrdiff_t>(i), end, [&](std::uint64_t seed) {
            const std::uint64_t own = drawn_from(lot, fmt::format("seed {}", seed));
            return std::ranges::any_of(run_with(seed, own, false, killers).cases, is_failure);
          });
      if (!noticed) {
        defect.unnoticed.push_back(seeds[i]);
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

  TestRun run_with(std::uint64_t seed, std::uint64_t lot, bool narrates,
                   std::vector<std::string> names) {
    const std::set<std::string> hung_often = left_out();
    return program_.run({.seed = seed,
                         .schedules = static_cast<std::size_t>(place_.exercise.schedules),
                         .shuffled = seed != options_.seeds.front(),
                         .narrates = narrates,
                         .schedule = options_.schedule,
                         .cases = std::move(names),
                         .left_out = {hung_often.begin(), hung_often.end()}},
                        lot);
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

  const CommandContext& place_;
  const SuiteOptions& options_;
  std::vector<MetLibrary> met_;  ///< by variant
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

SuiteTime time_for(const std::vector<Variant>& variants, const SuiteOptions& options,
                   std::chrono::seconds at_home) {
  std::uint64_t shown = 0;  // in a check
  std::uint64_t met = 0;
  for (const Variant& variant : variants) {
    shown += variant.pool == Pool::Hidden ? 0 : 1;
    met += is_correct(variant) ? options.meetings_of_correct : 1;
  }
  const std::uint64_t times = (met + shown - 1) / std::max<std::uint64_t>(shown, 1);
  const std::chrono::seconds of_processor = at_home * std::max<std::uint64_t>(times, 1);
  return {.of_processor = of_processor, .on_the_clock = of_processor * kClockTimes};
}

SuiteRuns run_suite(const CommandContext& place, Stage& stage, const std::vector<Variant>& variants,
                    const SuiteOptions& options) {
  SuiteRunner runner(place, stage, variants, options);
  runner.meet_all();
  SuiteRuns runs = runner.known();
  if (!runs.given_up.empty()) {
    return runs;
  }
  if (options.narrates) {
    runner.narrate(runs);
  }
  runner.note_unnoticed(runs);
  return runs;
}

}  // namespace watchlab::course
