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
       "## What is graded\n\nTO WRITE what is handed in, and what it is worth.\n\n"
       "## Notes\n\n- TO WRITE size of the reference solution, time.\n"},
      {"hints.yaml",
       "hints:\n  - TO WRITE a question that points to a clause.\n  - TO WRITE where to look.\n"
       "  - TO WRITE a near miss on another example.\nafter: TO WRITE why this is the rule.\n"}};
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

/// Folders of which an exercise with a library needs something in each.
std::vector<std::string> folders_to_fill(Task task) {
  if (is_suite(task)) {
    return {"variants/correct",
            "variants/shown",
            "variants/hidden",
            "instructor/solution",
            "instructor/suites/happy_path",
            "instructor/suites/ported"};
  }
  return task == Task::Implement
             ? std::vector<std::string>{"variants/correct", "variants/shown", "instructor/solution"}
             : std::vector<std::string>();
}

bool is_text(const fs::path& file) {
  constexpr std::array<std::string_view, 6> endings{".yaml", ".md",    ".hpp",
                                                    ".cpp",  ".patch", ".csv"};
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

/// Lines that say that they are to be written, and sections of pages that have no lines.
void look_through(const fs::path& file, const std::string& name, std::vector<std::string>& parts) {
  const std::string text = read_whole(file);
  std::size_t number = 0;
  std::string section;
  std::size_t section_line = 0;
  const auto close_section = [&] {
    if (!section.empty()) {
      parts.push_back(fmt::format("{}:{}: the section '{}' is empty", name, section_line, section));
    }
  };
  for (const std::string_view line : lines_in(text)) {
    ++number;
    if (const std::size_t at = line.find("TO WRITE"); at != std::string_view::npos) {
      parts.push_back(fmt::format("{}:{}: {}", name, number, line.substr(at)));
    }
    if (file.extension() == ".md" && line.starts_with("## ")) {
      close_section();
      section = line;
      section_line = number;
    } else if (!line.empty()) {
      section.clear();
    }
  }
  close_section();
}

}  // namespace

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

std::vector<std::string> unwritten_parts(const Exercise& exercise) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(exercise.folder)) {
    if (entry.is_regular_file() && is_text(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<std::string> parts;
  for (const fs::path& file : files) {
    look_through(file, file.lexically_relative(exercise.folder).string(), parts);
  }
  for (const std::string& folder : folders_to_fill(exercise.task)) {
    if (files_with(exercise.folder / folder, {".cpp", ".hpp", ".patch"}).empty()) {
      parts.push_back(folder + ": nothing is in it");
    }
  }
  return parts;
}

}  // namespace watchlab::course
