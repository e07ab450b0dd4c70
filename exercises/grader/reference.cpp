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

/// Lets the exercise's own tests meet bugs of the museum.
class MuseumCheck {
 public:
  MuseumCheck(const CommandContext& context, fs::path instructor)
      : context_(context),
        instructor_(std::move(instructor)),
        stage_(context.toolchain, context.sandbox) {}

  /// What is wrong with a list of the museum's bugs, a line each.
  std::vector<std::string> errors_with(const MuseumList& list) {
    const std::vector<Variant> defects = museum_defects(context_.toolchain, list);
    std::set<std::string> pieces;
    std::ranges::transform(defects, std::inserter(pieces, pieces.end()), piece_of);
    return errors_in(list, pieces, noticed_of(defects));
  }

 private:
  /// The names of those pieces that the exercise's own tests notice.
  std::set<std::string> noticed_of(const std::vector<Variant>& defects) {
    std::vector<Variant> all = read_variants(context_.exercise, {});
    std::erase_if(all, [](const Variant& variant) { return variant.pool != Pool::Correct; });
    const auto correct = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), defects.begin(), defects.end());
    VariantBuilder(context_.toolchain, context_.exercise, context_.notify).build(all);
    all.erase(all.begin(), all.begin() + correct);
    std::set<std::string> names;
    if (context_.exercise.task == Task::Implement) {
      for (const Variant& defect : all) {
        stage_.set_subject(defect.built);
        if (fails_tests(context_, stage_, instructor_)) {
          names.insert(piece_of(defect));
        }
      }
      return names;
    }
    Grading grading(context_, [](const Grade&) {});
    static_cast<void>(grading.grade({.submission = instructor_ / "solution",
                                     .instructor = {},
                                     .cache = stage_.work() / "cache",
                                     .defects = std::move(all),
                                     .time_max = kTimeMax}));
    for (const SuiteRuns::Defect& defect : grading.suite().defects) {
      if (defect.caught()) {
        names.insert(piece_of(defect.variant));
      }
    }
    return names;
  }

  static constexpr std::chrono::seconds kTimeMax{
      40};  ///< `time_for` makes three times as much of it

  CommandContext context_;
  fs::path instructor_;
  Stage stage_;
};

}  // namespace

std::vector<std::string> errors_with_museum(const CommandContext& context,
                                            const fs::path& instructor) {
  return MuseumCheck(context, instructor).errors_with(read_museum_list(instructor / kMuseumList));
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
    } else if (!defect.missed.empty()) {
      errors.push_back(fmt::format("the defect {} is not caught in further rounds: {}",
                                   defect.variant.id, fmt::join(defect.missed, ", ")));
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
