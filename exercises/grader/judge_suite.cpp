#include "exercises/grader/judge_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/grade_tests.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// All runs of one test with correct libraries.
struct History {
  std::vector<std::pair<std::string, CaseRun>> runs;  ///< with the variant's name
  std::string failed_with;         ///< the first variant that it did not pass with
  std::uint64_t failed_under = 0;  ///< and the seed
  std::uint64_t lot = 0;           ///< and what was drawn for it
  std::size_t missed = 0;          ///< runs that other tests had ended before it came
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
  if (shown.outcome == Outcome::Crashed) {
    return "it crashed with a correct library: a mistake of the test itself";
  }
  if (failed_there < same_library) {
    return "it passes and fails with the same correct library, in other orders and schedules";
  }
  return fmt::format("it {} with a correct library{}",
                     shown.outcome == Outcome::Failed ? "fails" : to_string(shown.outcome),
                     kNotPromised);
}

/// How often a test failed and passed with one right library, in all meetings. What the grader has
/// ended, or could not run, says nothing.
struct Ends {
  std::size_t failed = 0;
  std::size_t passed = 0;
};

/// Of each test, with each right library by its name.
std::map<std::string, std::map<std::string, Ends>> ends_with_correct(
    const std::vector<MetLibrary>& met) {
  std::map<std::string, std::map<std::string, Ends>> ends;
  for (const MetLibrary& library : met) {
    for (const MetLibrary::Run& each : library.runs) {
      for (const CaseRun& entry : each.run.cases) {
        if (is_correct(library.variant)) {
          Ends& own = ends[entry.name][library.variant.id];
          own.failed += is_failure(entry) ? 1 : 0;
          own.passed += entry.outcome == Outcome::Passed ? 1 : 0;
        }
      }
    }
  }
  return ends;
}

/// Counts the tests that draw lots. A test that fails whenever it meets one right library, and
/// never with another, draws none: it asks for what is not promised, counts for nothing, and says
/// nothing of the others. One that fails in half of all runs or more is not one of many of which
/// some happened to pass in all of them.
void count_uneven(SuiteRuns& runs, const std::vector<MetLibrary>& met) {
  for (const auto& [name, libraries] : ends_with_correct(met)) {
    Ends all;
    bool draws = false;
    for (const auto& [library, own] : libraries) {
      draws = draws || (own.failed > 0 && own.passed > 0);
      all.failed += own.failed;
      all.passed += own.passed;
    }
    if (draws && all.failed < all.passed) {
      runs.uneven.push_back(name);
      runs.lots += static_cast<double>(all.failed) / static_cast<double>(all.failed + all.passed);
    }
  }
}

/// All runs with correct libraries, by test.
std::map<std::string, History> histories_of(SuiteRuns& runs, const std::vector<MetLibrary>& met,
                                            const std::set<std::string>& left_out) {
  std::map<std::string, History> histories;
  for (const std::string& name : left_out) {
    histories[name];  // it may not have been run with any correct library
  }
  for (const MetLibrary& library : met) {
    for (const auto& [number, seed, lot, run] : library.runs) {
      if (!is_correct(library.variant)) {
        continue;
      }
      if (run.cases.empty() || !run.trouble.empty()) {
        runs.trouble = run.trouble;
      }
      for (const CaseRun& entry : run.cases) {
        if (entry.outcome == Outcome::NotRun && left_out.contains(entry.name)) {
          continue;
        }
        History& history = histories[entry.name];
        if (entry.outcome == Outcome::NotRun && !run.trouble.empty()) {
          ++history.missed;  // others have ended the program too often before
          continue;
        }
        history.runs.emplace_back(library.variant.id, entry);
        if (entry.outcome != Outcome::Passed && history.failed_with.empty()) {
          history.failed_with = library.variant.id;
          history.failed_under = seed;
          history.lot = lot;
        }
      }
    }
  }
  return histories;
}

std::size_t runs_with_correct(const std::vector<MetLibrary>& met) {
  std::size_t count = 0;
  for (const MetLibrary& library : met) {
    count += is_correct(library.variant) ? library.runs.size() : 0;
  }
  return count;
}

/// Of one defect: the first failed run of each valid test that noticed it.
SuiteRuns::Defect judged(const MetLibrary& library, const SuiteRuns& runs) {
  SuiteRuns::Defect defect{
      .variant = library.variant, .kills = {}, .noticed = false, .hung = false, .unnoticed = {}};
  const std::map<std::string, Tally> tallies = tallies_of(library);
  for (const SuiteRuns::Test& test : runs.tests) {
    const auto tally = tallies.find(test.name);
    if (!test.valid || tally == tallies.end() || !tally->second.is_notice()) {
      continue;
    }
    for (const MetLibrary::Run& each : library.runs) {
      const CaseRun* const entry = find_case(each.run, test.name);
      if (entry != nullptr && is_failure(*entry)) {
        defect.kills.push_back(*entry);
        break;
      }
    }
  }
  defect.noticed = static_cast<double>(defect.kills.size()) > 2 * runs.lots;
  defect.hung = std::ranges::any_of(library.runs, [](const MetLibrary::Run& each) {
    return each.run.hung_outside || std::ranges::any_of(each.run.cases, &CaseRun::by_watchdog);
  });
  return defect;
}

bool is_first_meeting(const std::vector<MetLibrary>& met, std::size_t number) {
  return number == 0 || met[number - 1].variant.id != met[number].variant.id;
}

/// Whether more runs with a library could make a difference.
bool is_open(const MetLibrary& library) {
  return library.runs.size() < Tally::kRunsMax &&
         std::ranges::any_of(tallies_of(library),
                             [](const auto& tally) { return tally.second.is_open(); });
}

}  // namespace

bool is_correct(const Variant& variant) { return variant.pool == Pool::Correct; }

bool is_failure(const CaseRun& run) {
  return run.outcome != Outcome::Passed && run.outcome != Outcome::NotRun && !run.by_limit;
}

const CaseRun* find_case(const TestRun& run, const std::string& name) {
  const auto found = std::ranges::lower_bound(run.cases, name, {}, &CaseRun::name);
  return found == run.cases.end() || found->name != name ? nullptr : &*found;
}

std::map<std::string, Tally> tallies_of(const MetLibrary& library) {
  std::map<std::string, Tally> tallies;
  for (const MetLibrary::Run& each : library.runs) {
    for (const CaseRun& entry : each.run.cases) {
      Tally& tally = tallies[entry.name];
      tally.failed += is_failure(entry) ? 1 : 0;
      // What was not run because others had ended the program is taken for passed: a suite chooses
      // which of its tests come so far.
      tally.passed += entry.outcome == Outcome::Passed ||
                              (entry.outcome == Outcome::NotRun && !each.run.trouble.empty())
                          ? 1
                          : 0;
    }
  }
  std::erase_if(tallies, [](const auto& tally) { return tally.second.failed == 0; });
  return tallies;
}

std::vector<PlannedRun> first_runs(const std::vector<MetLibrary>& met,
                                   const std::vector<std::uint64_t>& seeds,
                                   const std::vector<std::uint64_t>& further_seeds) {
  std::vector<PlannedRun> planned;
  for (std::size_t i = 0; i < met.size(); ++i) {
    std::vector<std::uint64_t> own = seeds;
    if (is_correct(met[i].variant) && is_first_meeting(met, i)) {
      own.insert(own.end(), further_seeds.begin(), further_seeds.end());
    }
    for (std::size_t number = 0; number < own.size(); ++number) {
      planned.push_back({i, number, own[number]});
    }
  }
  return planned;
}

std::vector<PlannedRun> further_runs(const std::vector<MetLibrary>& met,
                                     const std::vector<std::uint64_t>& seeds) {
  std::vector<PlannedRun> planned;
  for (std::size_t i = 0; i < met.size() && std::ranges::any_of(met, is_open); ++i) {
    const std::size_t number = met[i].runs.size();
    if (is_open(met[i]) || (is_correct(met[i].variant) && is_first_meeting(met, i))) {
      planned.push_back({i, number, seeds[number % seeds.size()]});
    }
  }
  return planned;
}

void judge_suite(SuiteRuns& runs, const std::vector<MetLibrary>& met,
                 const std::set<std::string>& left_out) {
  for (const auto& [name, history] : histories_of(runs, met, left_out)) {
    SuiteRuns::Test test{.name = name,
                         .variant = history.failed_with,
                         .seed = history.failed_under,
                         .lot = history.lot,
                         .reason = {},
                         .run = {}};
    test.reason =
        has_line_break(name) ? "its name has a line break" : reason_against(history, test.run);
    if (test.reason.empty() && !left_out.contains(name) &&
        history.runs.size() + history.missed < runs_with_correct(met)) {
      test.reason = "it is not there whenever a correct library is tested";
    } else if (test.reason.empty() && history.runs.size() < history.missed) {
      test.reason = "it is seldom run: others hang or end the program before";
    } else if (test.reason.empty() && left_out.contains(name)) {
      test.reason = "it hung with several libraries until the watchdog ended it";
    }
    test.valid = test.reason.empty();
    runs.tests.push_back(std::move(test));
  }
  count_uneven(runs, met);
  for (const MetLibrary& library : met) {
    if (!library.runs.empty() && !is_correct(library.variant)) {
      runs.defects.push_back(judged(library, runs));
    }
    for (const MetLibrary::Run& each : library.runs) {
      runs.forged = runs.forged || each.run.forged;
    }
  }
}

}  // namespace watchlab::course
