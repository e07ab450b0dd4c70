#include "exercises/grader/judge_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "exercises/grader/grade_tests.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

/// All runs of one test with correct libraries.
struct History {
  struct Entry {
    const TestedLibrary* library;
    std::uint64_t seed;
    const CaseRun* run;
  };
  std::vector<Entry> runs;
  std::size_t missed = 0;  ///< runs that other tests had ended before it came
};

/// Why a failure with a correct library makes a test invalid.
std::string reason_of_failure(const History& history, const History::Entry& failed) {
  if (failed.run->by_watchdog) {
    return "it hung with a correct library until the watchdog ended it";
  }
  if (failed.run->outcome == Outcome::Crashed) {
    return "it crashed with a correct library: a mistake of the test itself";
  }
  const bool passes_too = std::ranges::any_of(history.runs, [&](const History::Entry& other) {
    return other.library == failed.library && other.run->outcome == Outcome::Passed;
  });
  if (passes_too) {
    return "it passes and fails with the same correct library, in other orders and schedules";
  }
  return fmt::format(
      "it {} with a correct library{}",
      failed.run->outcome == Outcome::Failed ? "fails" : to_string(failed.run->outcome),
      kNotPromised);
}

/// Says why a test is invalid, if it is.
void judge(SuiteRuns::Test& test, const History& history, bool is_left_out, std::size_t runs) {
  const auto asks = std::ranges::find_if(
      history.runs, [](const History::Entry& entry) { return !entry.run->asked.empty(); });
  const auto failed = std::ranges::find_if(history.runs, [](const History::Entry& entry) {
    return entry.run->outcome != Outcome::Passed;
  });
  const auto shown = asks != history.runs.end() ? asks : failed;
  if (shown != history.runs.end()) {
    test.variant = shown->library->variant.id;
    test.seed = shown->seed;
    test.run = *shown->run;
  }
  if (has_line_break(test.name)) {
    test.reason = "its name has a line break";
  } else if (asks != history.runs.end()) {
    test.reason = fmt::format("it asks for {}: a test depends on the library and nothing else",
                              asks->run->asked);
  } else if (failed != history.runs.end()) {
    test.reason = reason_of_failure(history, *failed);
  } else if (is_left_out) {
    test.reason = "it hung with several libraries until the watchdog ended it";
  } else if (history.runs.size() + history.missed < runs) {
    test.reason = "it is not there whenever a correct library is tested";
  } else if (history.runs.size() < history.missed) {
    test.reason = "it rarely runs: other tests hang or end the program before";
  }
  test.valid = test.reason.empty();
}

/// All runs with correct libraries, by test.
std::map<std::string, History> histories_of(const std::vector<TestedLibrary>& tested,
                                            const std::set<std::string>& left_out) {
  std::map<std::string, History> histories;
  for (const std::string& name : left_out) {
    histories[name];  // it may not have been run with any correct library
  }
  for (const TestedLibrary& library : tested) {
    for (const auto& [seed, run] : library.runs) {
      for (const CaseRun& entry : run.cases) {
        const bool is_missing = entry.outcome == Outcome::NotRun;
        if (!is_correct(library.variant) || (is_missing && left_out.contains(entry.name))) {
          continue;
        }
        if (is_missing && !run.trouble.empty()) {
          ++histories[entry.name].missed;  // others have ended the program too often before
        } else {
          histories[entry.name].runs.push_back({&library, seed, &entry});
        }
      }
    }
  }
  return histories;
}

SuiteRuns::Defect judged(const TestedLibrary& library, const SuiteRuns& runs) {
  SuiteRuns::Defect defect{.variant = library.variant};
  std::vector<std::string> valid;
  for (const SuiteRuns::Test& test : runs.tests) {
    if (test.valid) {
      valid.push_back(test.name);
    }
  }
  std::vector<TestRun> all;
  for (const TestedLibrary::Run& each : library.runs) {
    all.push_back(each.run);
    defect.hung = defect.hung || each.run.hung_outside ||
                  std::ranges::any_of(each.run.cases, &CaseRun::by_watchdog);
  }
  for (const std::string& name : failed_in_all(all, std::move(valid))) {
    defect.kills.push_back(*find_case(all.front(), name));
  }
  return defect;
}

}  // namespace

bool is_correct(const Variant& variant) { return variant.pool == Pool::Correct; }

std::size_t runs_with(const Variant& variant) {
  return is_correct(variant) ? kRunsWithCorrect : kRunsWithDefect;
}

bool is_failure(const CaseRun& run) {
  return run.outcome != Outcome::Passed && run.outcome != Outcome::NotRun && !run.by_limit;
}

const CaseRun* find_case(const TestRun& run, const std::string& name) {
  const auto found = std::ranges::lower_bound(run.cases, name, {}, &CaseRun::name);
  return found == run.cases.end() || found->name != name ? nullptr : &*found;
}

std::vector<std::string> failed_in_all(const std::vector<TestRun>& runs,
                                       std::vector<std::string> names) {
  std::erase_if(names, [&](const std::string& name) {
    return runs.empty() || !std::ranges::all_of(runs, [&](const TestRun& run) {
             const CaseRun* const entry = find_case(run, name);
             return entry != nullptr && is_failure(*entry);
           });
  });
  return names;
}

void judge_suite(SuiteRuns& runs, const std::vector<TestedLibrary>& tested,
                 const std::set<std::string>& left_out) {
  std::size_t with_correct = 0;
  std::set<std::string> failing;
  for (const TestedLibrary& library : tested) {
    with_correct += is_correct(library.variant) ? library.runs.size() : 0;
    for (const TestedLibrary::Run& each : library.runs) {
      runs.forged = runs.forged || each.run.forged;
      if (is_correct(library.variant) && !each.run.trouble.empty()) {
        runs.trouble = each.run.trouble;
      }
      for (const CaseRun& entry : each.run.cases) {
        if (is_failure(entry)) {
          failing.insert(entry.name);
        }
      }
    }
  }
  for (const auto& [name, history] : histories_of(tested, left_out)) {
    SuiteRuns::Test test{.name = name};
    judge(test, history, left_out.contains(name), with_correct);
    test.fails = !test.valid || failing.contains(name);
    runs.tests.push_back(std::move(test));
  }
  for (const TestedLibrary& library : tested) {
    if (!library.runs.empty() && !is_correct(library.variant)) {
      runs.defects.push_back(judged(library, runs));
    }
  }
}

}  // namespace watchlab::course
