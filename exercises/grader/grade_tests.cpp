#include "exercises/grader/grade_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "exercises/grader/judge_suite.hpp"
#include "exercises/programs/builder.hpp"

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// After so many runs that took their whole time for nothing, the rest would, too.
constexpr std::size_t hung_outside_max = 2;
/// And a test that hung with so many libraries is not run with others.
constexpr std::size_t hung_libraries_max = 3;

/// The lot of a part. Tests may draw from a world, and work out the lot that it was played by: that
/// of the whole, and of other parts, must not follow from it.
std::uint64_t drawn_from(std::uint64_t lot, std::string_view part) {
  return one_way_digest_of(fmt::format("{:016x} {}", lot, part));
}

/// The suite while it is being run. Every library, right or wrong, is met in the same way: by all
/// tests, with the same settings, and in an order that nobody can know; what counts is worked out
/// afterwards. A suite that asks how it is run, or when, so learns nothing about the library.
class SuiteRunner {
 public:
  SuiteRunner(const CommandContext& place, Stage& stage, const std::vector<Variant>& variants,
              const SuiteOptions& options)
      : place_(place), stage_(stage), options_(options), program_(place, stage, Tests::OfStudent) {
    for (const Variant& variant : variants) {
      weight_of_rest_ += is_correct(variant) ? 0 : variant.weight;
      for (std::uint64_t i = 0; i < (is_correct(variant) ? options.meetings_of_correct : 1); ++i) {
        const std::uint64_t lot = drawn_from(options.lot, fmt::format("{} {}", variant.id, i));
        met_.push_back({.variant = variant, .lot = lot, .runs = {}, .unsteady = {}});
      }
    }
  }

  void meet_all() {
    std::vector<std::size_t> order(met_.size());
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
    judge_suite(runs, met_, left_out());
    return runs;
  }

  /// Adds what is told of invalid tests, step by step: nothing counts any more in these runs.
  void tell(SuiteRuns& runs) {
    for (const MetLibrary& met : met_) {
      std::map<std::uint64_t, std::vector<std::string>> shown;
      for (const SuiteRuns::Test& test : runs.tests) {
        if (!test.valid && test.variant == met.variant.id && test.lot == met.lot &&
            !test.run.by_watchdog) {
          shown[test.seed].push_back(test.name);
        }
      }
      for (const auto& [seed, names] : shown) {
        set_subject(met);
        tell_run(runs, run_with(seed, true, names));
      }
    }
  }

  /// Under further seeds, what noticed a defect must go on to notice it.
  void note_unnoticed(SuiteRuns& runs) {
    for (SuiteRuns::Defect& defect : runs.defects) {
      if (!options_.further_seeds.empty() && !defect.kills.empty()) {
        set_subject(*std::ranges::find(
            met_, defect.variant.id,
            [](const MetLibrary& met) -> const std::string& { return met.variant.id; }));
        note_unnoticed(defect);
      }
    }
  }

 private:
  [[nodiscard]] bool is_given_up() const {
    return hung_outside_ >= hung_outside_max || std::chrono::steady_clock::now() >= place_.until;
  }

  void set_subject(const MetLibrary& met) {
    stage_.set_subject(met.variant.built);
    lot_of_subject_ = met.lot;
    program_.change_library();
  }

  [[nodiscard]] bool is_first_meeting(std::size_t number) const {
    return number == 0 || met_[number - 1].variant.id != met_[number].variant.id;
  }

  void meet(std::size_t number) {
    const Variant& variant = met_[number].variant;
    set_subject(met_[number]);
    std::vector<std::uint64_t> seeds = options_.seeds;
    if (is_correct(variant) && is_first_meeting(number)) {
      seeds.insert(seeds.end(), options_.further_seeds.begin(), options_.further_seeds.end());
    }
    weight_of_rest_ -= is_correct(variant) ? 0 : variant.weight;
    hung_.clear();
    std::set<std::string> confirmed;  // what failed twice under one seed
    for (const std::uint64_t seed : seeds) {
      if (is_given_up()) {
        return;
      }
      TestRun run = run_with(seed, false, options_.cases);
      hung_outside_ += run.hung_outside ? 1 : 0;
      if (std::ranges::any_of(run.cases, [&](const CaseRun& entry) {
            return is_failure(entry) && !confirmed.contains(entry.name);
          })) {
        repeat(met_[number], seed, run, confirmed);
      }
      note_hung(run);
      forget_words(run, variant);
      met_[number].runs.push_back({seed, std::move(run)});
    }
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

  /// What hangs with a library is not run with it under the other seeds, and with no other when it
  /// has hung with several: it would cost the same time again. What a test did with one library
  /// must not show in how another is met, or only in a way that does not depend on which of them
  /// are right: the test could count.
  void note_hung(const TestRun& run) {
    for (const CaseRun& entry : run.cases) {
      if (entry.by_watchdog) {
        hung_.push_back(entry.name);
        ++hung_with_[entry.name];
      }
    }
  }

  /// The same library under the same seed, in a program that is loaded anew: what comes to another
  /// end there, or does not come at all, depends on something else.
  void repeat(MetLibrary& met, std::uint64_t seed, const TestRun& first,
              std::set<std::string>& confirmed) {
    program_.unload();
    const TestRun second = run_with(seed, false, options_.cases);
    const auto compare = [&](const TestRun& one, const TestRun& other) {
      for (const CaseRun& entry : one.cases) {
        const CaseRun* const again = find_case(other, entry.name);
        const bool is_same = again != nullptr && again->outcome == entry.outcome;
        if (is_failure(entry)) {
          (is_same ? confirmed : met.unsteady).insert(entry.name);
        }
      }
    };
    compare(first, second);
    compare(second, first);
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
    const std::set<std::string> hung_often = this->left_out();
    std::vector<std::string> left_out(hung_often.begin(), hung_often.end());
    left_out.insert(left_out.end(), hung_.begin(), hung_.end());
    return program_.run({.seed = seed,
                         .schedules = static_cast<std::size_t>(place_.exercise.schedules),
                         .shuffled = seed != options_.seeds.front(),
                         .tells = tells,
                         .schedule = options_.schedule,
                         .cases = std::move(names),
                         .left_out = std::move(left_out)},
                        drawn_from(lot_of_subject_, std::to_string(seed)));
  }
  [[nodiscard]] std::set<std::string> left_out() const {
    std::set<std::string> names;
    for (const auto& [name, libraries] : hung_with_) {
      if (libraries >= hung_libraries_max) {
        names.insert(name);
      }
    }
    return names;
  }

  const CommandContext& place_;
  Stage& stage_;
  const SuiteOptions& options_;
  std::vector<MetLibrary> met_;                   ///< by variant
  double weight_of_rest_ = 0;                     ///< of the defects that were not met yet
  TestProgram program_;                           ///< with the variant that is met just now
  std::uint64_t lot_of_subject_ = 0;              ///< what is drawn for it
  std::size_t hung_outside_ = 0;                  ///< how many runs did
  std::map<std::string, std::size_t> hung_with_;  ///< of tests: with how many libraries they did
  std::vector<std::string> hung_;                 ///< what hung with the library at hand
};

}  // namespace

SuiteRuns run_suite(const CommandContext& place, Stage& stage, const std::vector<Variant>& variants,
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
