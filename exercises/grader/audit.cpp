#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "exercises/grader/dev_check.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/programs/mutations.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/variant.hpp"
#include "scenarios/language/table.hpp"

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

MuseumList read_museum_list(const fs::path& file) {
  scenarios::Table<MuseumList> table("a list", "The museum's bugs in a component.");
  table.required("of", &MuseumList::of, scenarios::text("a variant"), "Which one has them.")
      .required("core", &MuseumList::core,
                scenarios::list_of("a list of files", scenarios::text("a file of core")),
                "What it is made of.")
      .optional("noticed", &MuseumList::noticed,
                scenarios::list_of("a list of pieces", scenarios::text("a piece")),
                "Those that tests notice.")
      .optional("beyond", &MuseumList::beyond, scenarios::text_map("reasons"),
                "Those that break no promise, and why.");
  return read_by(table.codec(), file);
}

/// Whether a unified diff changes one of these files.
bool changes(const fs::path& patch, const std::vector<std::string>& files) {
  const std::string text = read_whole(patch);
  return std::ranges::any_of(files, [&](const std::string& file) {
    return text.find("\n+++ b/" + file + "\n") != std::string::npos;
  });
}

/// The pieces whose bug is in one of these files of core, by name, as defects.
std::vector<Variant> museum_defects(const Toolchain& toolchain, const MuseumList& list) {
  std::vector<fs::path> patches;
  for (const auto& piece : fs::directory_iterator(toolchain.root / "scenarios/museum")) {
    const fs::path patch = piece.path() / "defect.patch";
    if (fs::exists(patch) && changes(patch, list.core)) {
      patches.push_back(patch);
    }
  }
  std::ranges::sort(patches);
  std::vector<Variant> defects;
  for (const fs::path& patch : patches) {
    // A defect of the exercise may have the same name, and is built beside it.
    defects.push_back({.id = fmt::format("museum_{}", patch.parent_path().filename().string()),
                       .pool = Pool::Hidden,
                       .source = patch,
                       .of = list.of});
  }
  return defects;
}

std::string piece_of(const Variant& defect) {
  return defect.source.parent_path().filename().string();
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

  /// What is wrong with a list of the museum's bugs, a line each.
  std::vector<std::string> errors_with(const MuseumList& list) {
    const std::vector<Variant> defects = museum_defects(place_.toolchain, list);
    std::set<std::string> pieces;
    std::ranges::transform(defects, std::inserter(pieces, pieces.end()), piece_of);
    return errors_in(list, pieces, noticed_of(defects));
  }

 private:
  /// The names of those pieces that the exercise's own tests notice.
  std::set<std::string> noticed_of(const std::vector<Variant>& defects) {
    std::vector<Variant> all = correct_;
    all.insert(all.end(), defects.begin(), defects.end());
    VariantBuilder(place_.toolchain, place_.exercise, place_.notify).build(all);
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(correct_.size()));
    std::set<std::string> names;
    if (place_.exercise.task == Task::Implement) {
      for (const Variant& defect : all) {
        if (fails_tests(defect)) {
          names.insert(piece_of(defect));
        }
      }
      return names;
    }
    Grading grading(place_, [](const Grade&) {});
    static_cast<void>(grading.grade(request_for(std::move(all))));
    for (const SuiteRuns::Defect& defect : grading.suite().defects) {
      if (defect.noticed) {
        names.insert(piece_of(defect.variant));
      }
    }
    return names;
  }

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
    const Grade grade = grading.grade(request_for(std::move(broken)));
    return grade.status != Grade::Status::Finished || grading.suite().defects.front().noticed;
  }
  /// As at home: right libraries are met once, since the solution's tests were checked with them.
  [[nodiscard]] GradingRequest request_for(std::vector<Variant> defects) const {
    return {.submission = instructor_ / "solution",
            .instructor = {},
            .cache = stage_.work() / "cache",
            .defects = std::move(defects),
            .time_max = kTimeMax};
  }
  bool fails_tests(const Variant& broken) {
    broken_folder_ = broken.built;
    stage_.set_subject(broken.built);
    return course::fails_tests(place_, stage_, instructor_);
  }

  static constexpr std::chrono::seconds kTimeMax{
      40};  ///< `time_for` makes three times as much of it

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

std::vector<std::string> errors_with_museum(const CommandContext& place,
                                            const fs::path& instructor) {
  return Auditor(place, instructor).errors_with(read_museum_list(instructor / kMuseumList));
}

std::vector<std::string> errors_in(const MuseumList& list, const std::set<std::string>& pieces,
                                   const std::set<std::string>& noticed) {
  const std::set<std::string> listed(list.noticed.begin(), list.noticed.end());
  std::vector<std::string> errors;
  for (const std::string& name : pieces) {
    if (noticed.contains(name) && !listed.contains(name)) {
      errors.push_back(fmt::format(
          "the museum's {} is noticed: instructor/museum.yaml lists it under noticed", name));
    } else if (!noticed.contains(name) && (listed.contains(name) || !list.beyond.contains(name))) {
      errors.push_back(
          fmt::format("nothing notices the museum's {}: a test is missing, or "
                      "instructor/museum.yaml says what it is beyond",
                      name));
    }
  }
  std::set<std::string> all = listed;
  std::ranges::transform(list.beyond, std::inserter(all, all.end()),
                         [](const auto& each) { return each.first; });
  for (const std::string& name : all) {
    if (!pieces.contains(name)) {
      errors.push_back(fmt::format("instructor/museum.yaml lists {}, which changes none of {}",
                                   name, fmt::join(list.core, ", ")));
    }
  }
  return errors;
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
