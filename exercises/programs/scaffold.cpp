#include "exercises/programs/scaffold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>

#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// What a folder's name begins with: two digits, and a small letter if there is one. "" of a name
/// that does not continue with words of small letters and digits, a dash before each.
std::string number_of(const std::string& slug) {
  const std::string number = slug.substr(0, slug.find('-'));
  const std::string words = slug.substr(number.size());
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  const auto is_small = [](char letter) { return letter >= 'a' && letter <= 'z'; };
  const bool is_number = (number.size() == 2 || (number.size() == 3 && is_small(number[2]))) &&
                         is_digit(number[0]) && is_digit(number[1]);
  const bool are_words = std::ranges::all_of(
      words, [&](char letter) { return letter == '-' || is_digit(letter) || is_small(letter); });
  const bool are_whole = !words.ends_with('-') && words.find("--") == std::string::npos;
  return is_number && are_words && are_whole && !words.empty() ? number : "";
}

constexpr std::array kTasks{Task::Tour,     Task::Implement,  Task::Tests,        Task::Predict,
                            Task::Diagnose, Task::ModelCheck, Task::WriteScenario};

/// What the student hands in; "" for nothing.
std::string file_of(Task task) {
  switch (task) {
    case Task::Implement:
      return "subject.cpp";
    case Task::Tests:
      return "subject_test.cpp";
    case Task::ModelCheck:
      return "invariants.cpp";
    case Task::WriteScenario:
      return "build_1.yaml";
    case Task::Tour:
      return "";
    default:
      return "answers.yaml";
  }
}

/// What students of suites should know of the rule that is not a share.
constexpr std::string_view kOnOddTests =
    "A test that fails with a correct library does not count. Where it passes with another correct "
    "one, it\nalso weakens the others: each defect then wants more tests that notice it. Repair "
    "that test first.\n\n";

NamedFiles pages_of(Task task) {
  const std::string file = file_of(task);
  return {
      {"exercise.yaml",
       fmt::format("id: @id@\ntitle: TO WRITE what it is called\ntask: {}\nminutes: 60\n"
                   "level: moderate\n{}",
                   to_string(task),
                   file.empty() ? ""
                                : fmt::format("clauses: [C1]\nfiles: [{}]\n"
                                              "solution_lines: 100\n",
                                              file))},
      {"README.md",
       "# @id@: TO WRITE what it is called\n\n## Why\n\nTO WRITE why it matters to a user.\n\n"
       "## The idea\n\nTO WRITE what the subject is, and what is done with it.\n\n"
       "## What is graded\n\nTO WRITE what is handed in, and what it is worth.\n\n" +
           std::string(is_suite(task) ? kOnOddTests : "") +
           "## Notes\n\n- TO WRITE size of the reference solution, time.\n"},
      {"hints.yaml",
       "hints:\n  - TO WRITE a question that points to a clause.\n  - TO WRITE where to look.\n"
       "  - TO WRITE a comparison with another example.\nafter: TO WRITE why this is the rule.\n"}};
}

/// What an exercise with a library has.
NamedFiles library_files() {
  return {{"subject.hpp",
           "#pragma once\n\n#include <memory>\n\n#include \"core/runtime/runtime.hpp\"\n\n"
           "namespace watchlab::exercise {\n\n/// TO WRITE what it promises, by clause.\nclass "
           "Subject {\n"
           " public:\n  virtual ~Subject() = default;\n};\n\n"
           "[[nodiscard]] std::unique_ptr<Subject> make_subject(runtime::Runtime& runtime);\n\n"
           "}  // namespace watchlab::exercise\n"},
          {"remote.hpp",
           "#pragma once\n\n// How the subject is called from the process of the tests.\n"
           "#include \"exercises/@slug@/subject.hpp\"\n"
           "#include \"exercises/toolkit/remote_peer.hpp\"\n\nnamespace watchlab::exercise {\n\n"
           "/// TO WRITE its methods stand in angle brackets: `, &Subject::add`, and are "
           "overridden here.\n"
           "class RemoteSubject final : public course::Remote<Subject> {\n public:\n"
           "  using Remote::Remote;\n};\n\n/// What the library defines.\n"
           "using LibraryFunctions = course::Methods<&make_subject>;\n\n"
           "}  // namespace watchlab::exercise\n\ntemplate <>\n"
           "struct watchlab::course::RemoteTraits<watchlab::exercise::Subject> {\n"
           "  using Proxy = exercise::RemoteSubject;\n};\n"},
          {"remote.cpp",
           "// The functions of the library under test, as the tests call them.\n"
           "#include \"exercises/@slug@/remote.hpp\"\n\nnamespace watchlab::exercise {\n\n"
           "std::unique_ptr<Subject> make_subject(runtime::Runtime& runtime) {\n"
           "  return course::call_library<&make_subject, LibraryFunctions>(runtime);\n}\n\n"
           "}  // namespace watchlab::exercise\n"},
          {"variants/correct/.gitkeep", ""},
          {"variants/shown/.gitkeep", ""},
          {"variants/hidden/.gitkeep", ""},
          {"instructor/solution/.gitkeep", ""}};
}

std::string beginning_of_tests() {
  return "#include <boost/test/unit_test.hpp>\n\n#include \"exercises/@slug@/subject.hpp\"\n"
         "#include \"exercises/toolkit/worlds.hpp\"\n\nusing namespace watchlab::exercise;\n";
}

/// Reference suites that rank below the solution.
NamedFiles weaker_suites(const std::string& file) {
  return {{"instructor/suites/empty/" + file,
           "// Nothing: others rank above it.\n#include <boost/test/unit_test.hpp>\n"},
          {"instructor/suites/happy_path/.gitkeep", ""},
          {"instructor/suites/ported/.gitkeep", ""}};
}

constexpr std::string_view kStory =
    "apiVersion: watchlab/v1\nname: @story@\nstory: |\n  TO WRITE what happens, as a user would "
    "say "
    "it.\n\nserver:\n  objects: [demo]\n\nclients:\n  - {name: informer, kind: informer}\n\n"
    "script:\n  - {at: 10s, update: {name: demo, data: {color: red}}}\n  - wait: 10s\n\n"
    "until: scripted\n";

std::string story_called(const std::string& name) {
  return boost::replace_all_copy(std::string(kStory), "@story@", name);
}

NamedFiles files_for(Task task) {
  const std::string file = file_of(task);
  switch (task) {
    case Task::Tour:
      return {{"scenarios/story.yaml", story_called("story")}};
    case Task::Predict:
      return {{"scenarios/story.yaml", story_called("story")},
              {"questions.yaml",
               "scenario: scenarios/story.yaml\nquestions:\n  - id: changes\n"
               "    ask: TO WRITE what the student foresees. How many updates?\n    kind: number\n"
               "    points: 1\n    measure: {layer: calls, verb: update, show: count}\n"},
              {"instructor/answers.yaml", "answers: {}\nbecause:\n  changes: TO WRITE why.\n"},
              {"starter/answers.yaml",
               "# What you think will happen. `watchlab-course predict @id@` asks and writes this "
               "file. Hand it in as it is.\nlocked: []\n"}};
    case Task::Diagnose:
      return {{"scenarios/build_1.yaml", story_called("build_1")},
              {"cases.yaml",
               "cases:\n  - id: build_1\n    patch: TO WRITE scenarios/museum/SLUG/defect.patch\n"
               "    scenario: scenarios/build_1.yaml\n    points: 10\n    deviations_max: 3\n"},
              {"instructor/answers.yaml",
               "cases:\n  build_1: {clause: TO WRITE, schedule: \"TO WRITE\"}\n"},
              {"starter/answers.yaml",
               "# As it stands, it is wrong.\ncases:\n  build_1: {clause: C2, schedule: \"\"}\n"}};
    case Task::WriteScenario:
      return {{"cases.yaml",
               "cases:\n  - id: build_1\n    patch: TO WRITE scenarios/museum/SLUG/defect.patch\n"
               "    scenario: build_1.yaml\n    points: 10\n"},
              {"instructor/solution/build_1.yaml", story_called("build_1")},
              {"starter/build_1.yaml", story_called("build_1")}};
    default:
      break;
  }
  NamedFiles files = library_files();
  const auto add = [&files](const NamedFiles& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  if (task == Task::Implement) {
    add({{"starter/" + file, "#include \"exercises/@slug@/subject.hpp\"\n"},
         {"tests/subject_test.cpp", beginning_of_tests() + "// TO WRITE the visible tests.\n"},
         {"instructor/tests/subject_test.cpp",
          beginning_of_tests() + "// TO WRITE the hidden tests.\n"}});
  } else if (task == Task::ModelCheck) {
    add({{"starter/" + file, "#include \"exercises/@slug@/subject.hpp\"\n"},
         {"tests/harness.cpp",
          beginning_of_tests() + "// TO WRITE a case for each invariant of the student.\n"}});
    add(weaker_suites(file));
  } else {
    add({{"starter/" + file, beginning_of_tests()}});
    add(weaker_suites(file));
  }
  return files;
}

}  // namespace

std::string id_for_new(const std::vector<Exercise>& exercises, const std::string& slug) {
  const std::string number = number_of(slug);
  if (number.empty()) {
    throw BadInput(fmt::format(
        "'{}' is no name for the folder of an exercise: two digits, a small letter if you like, a "
        "dash, and small letters: 40-my-exercise",
        slug));
  }
  std::string id = "E" + number;
  for (const Exercise& exercise : exercises) {
    if (exercise.id == id) {
      throw BadInput(fmt::format("{} is there already: exercises/{}", id, exercise.slug()));
    }
  }
  return id;
}

NamedFiles scaffold_of(Task task, const std::string& id, const std::string& slug) {
  NamedFiles files = pages_of(task);
  const NamedFiles own = files_for(task);
  files.insert(files.end(), own.begin(), own.end());
  for (auto& [name, text] : files) {
    boost::replace_all(text, "@id@", id);
    boost::replace_all(text, "@slug@", slug);
  }
  return files;
}

std::vector<std::string> names_of_tasks() {
  std::vector<std::string> names;
  for (const Task task : kTasks) {
    names.push_back(to_string(task));
  }
  return names;
}

Task task_called(const std::string& word) {
  const auto found =
      std::ranges::find_if(kTasks, [&](Task task) { return to_string(task) == word; });
  if (found == kTasks.end()) {
    throw BadInput(fmt::format("there is no task '{}'", word));
  }
  return *found;
}

}  // namespace watchlab::course
