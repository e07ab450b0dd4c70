#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "exercises/grader/dev_check.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/programs/mutations.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/trusted_program.hpp"
#include "exercises/programs/variant.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

std::set<std::string> killers_of(const SuiteRuns::Defect& defect) {
  std::set<std::string> names;
  for (const CaseRun& kill : defect.kills) {
    names.insert(kill.name);
  }
  return names;
}

/// Why a test of the reference does not count, and with which variant.
std::string error_of(const SuiteRuns::Test& test) {
  const std::string where =
      test.variant.empty() ? "" : fmt::format(" (variants/correct/{})", test.variant);
  const std::string said = test.run.text.substr(0, test.run.text.find('\n'));
  return fmt::format("the solution's test {} does not count: {}{}{}{}", test.name, test.reason,
                     where, said.empty() ? "" : "\n    ", said);
}

/// So many of them, evenly spread.
std::vector<Mutation> chosen_of(std::vector<Mutation> all, std::size_t most) {
  if (all.size() <= most) {
    return all;
  }
  std::vector<Mutation> chosen;
  for (std::size_t i = 0; i < most; ++i) {
    chosen.push_back(std::move(all[i * all.size() / most]));
  }
  return chosen;
}

class Auditor {
 public:
  Auditor(const CommandContext& place, fs::path instructor)
      : place_(place), instructor_(std::move(instructor)), stage_(place.toolchain, place.sandbox) {
    for (Variant& variant : read_variants(place.exercise, {})) {
      if (variant.pool == Pool::Correct) {
        correct_.push_back(std::move(variant));
      }
    }
    VariantBuilder(place.toolchain, place.exercise, place.notify).build(correct_);
  }

  Audit audit(std::size_t most) {
    std::vector<Mutation> mutations;
    for (const Variant& variant : correct_) {
      if (auto made = mutations_of(read_whole(variant.source)); made.size() > mutations.size()) {
        mutations = std::move(made);
        source_ = variant.source;
      }
    }
    mutations = chosen_of(std::move(mutations), most);
    Audit audit;
    for (std::size_t i = 0; i < mutations.size(); ++i) {
      place_.notify(fmt::format("{} of {} broken libraries", i + 1, mutations.size()));
      meet(mutations[i], audit);
    }
    return audit;
  }

 private:
  void meet(const Mutation& mutation, Audit& audit) {
    std::vector<Variant> broken{
        {.id = "audited", .pool = Pool::Hidden, .source = stage_.work() / "audited.cpp"}};
    write_output(broken.front().source, mutation.text);
    try {
      VariantBuilder(place_.toolchain, place_.exercise, [](std::string_view) {}).build(broken);
    } catch (const BadInput&) {
      ++audit.refused;
      return;
    }
    if (place_.exercise.task == Task::Implement ? fails_tests(broken.front())
                                                : is_noticed(std::move(broken))) {
      ++audit.noticed;
    } else {
      audit.survived.push_back(fmt::format(
          "variants/correct/{}:{}: {}", source_.filename().string(), mutation.line, mutation.what));
    }
    fs::remove_all(broken_folder_);
  }

  bool is_noticed(std::vector<Variant> broken) {
    broken_folder_ = broken.front().built;
    Grading grading(place_, [](const Grade&) {});
    const GradingRequest request{.submission = instructor_ / "solution",
                                 .instructor = instructor_,
                                 .cache = stage_.work() / "cache",
                                 .defects = std::move(broken),
                                 .time_max = kTimeMax};
    const Grade grade = grading.grade(request);
    return grade.status != Grade::Status::Finished || grading.suite().defects.front().noticed;
  }
  bool fails_tests(const Variant& broken) {
    broken_folder_ = broken.built;
    stage_.set_subject(broken.built);
    return fails_any("visible", place_.exercise.folder / "tests") ||
           fails_any("hidden", instructor_ / "tests");
  }
  bool fails_any(const std::string& name, const fs::path& folder) {
    const auto files = cpp_files_of(folder);
    if (files.empty()) {
      return false;
    }
    const ImplementationRuns runs = run_implementation(
        place_, stage_, trusted_program(place_, name, files), {.seeds = {1, 2, 3}});
    return std::ranges::any_of(
        runs.cases, [](const CaseRun& run) { return run.outcome != CaseRun::Outcome::Passed; });
  }

  static constexpr std::chrono::seconds kTimeMax{120};

  CommandContext place_;
  fs::path instructor_;
  Stage stage_;
  std::vector<Variant> correct_;
  fs::path source_;
  fs::path broken_folder_;
};

}  // namespace

Audit audit_exercise(const CommandContext& place, const fs::path& instructor, std::size_t most) {
  if (place.exercise.task != Task::Implement && !is_suite(place.exercise.task)) {
    throw BadInput(fmt::format("{} has no library that could be broken", place.exercise.id));
  }
  return Auditor(place, instructor).audit(most);
}

std::string kill_matrix(const SuiteRuns& runs) {
  std::string text = "test";
  for (const SuiteRuns::Defect& defect : runs.defects) {
    text += fmt::format(",{}/{}", to_string(defect.variant.pool), defect.variant.id);
  }
  text += "\n";
  for (const SuiteRuns::Test& test : runs.tests) {
    text += test.name;
    for (const SuiteRuns::Defect& defect : runs.defects) {
      text += killers_of(defect).contains(test.name) ? ",1" : ",0";
    }
    text += "\n";
  }
  return text;
}

std::vector<std::string> errors_in(const SuiteRuns& runs) {
  std::vector<std::string> errors;
  for (const SuiteRuns::Test& test : runs.tests) {
    if (!test.valid) {
      errors.push_back(error_of(test));
    }
  }
  if (!errors.empty()) {
    return errors;  // what they would have noticed follows from these
  }
  std::map<std::set<std::string>, std::string> seen;
  for (const SuiteRuns::Defect& defect : runs.defects) {
    const std::set<std::string> killers = killers_of(defect);
    const auto [same, is_new] = seen.emplace(killers, defect.variant.id);
    if (killers.empty() && defect.hung) {
      errors.push_back(
          fmt::format("the defect {} hangs without waiting through the runtime: the watchdog "
                      "ended the tests, which is no notice; let it wait or sleep there",
                      defect.variant.id));
    } else if (killers.empty()) {
      errors.push_back(fmt::format("nothing notices the defect {}", defect.variant.id));
    } else if (!defect.unnoticed.empty()) {
      errors.push_back(fmt::format(
          "the defect {} is not noticed under the seeds {}, nor under the next two after each",
          defect.variant.id, fmt::join(defect.unnoticed, ", ")));
    } else if (!is_new) {
      errors.push_back(
          fmt::format("the same tests notice {} and {}: one of the two says "
                      "nothing new, or a test is missing",
                      same->second, defect.variant.id));
    }
  }
  return errors;
}

}  // namespace watchlab::course
