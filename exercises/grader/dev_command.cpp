#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/dev_check.hpp"
#include "exercises/grader/grading.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string action;
  std::vector<std::string> names;
  std::string instructor;
  std::size_t seeds = 100;
  bool write = false;
};

int check(const Options& options) {
  const Toolchain toolchain = own_toolchain();
  const std::vector<Exercise> all = read_exercises(toolchain.exercises());
  std::vector<Exercise> chosen;
  for (const std::string& name : options.names) {
    chosen.push_back(find_exercise(all, name));
  }
  Console console({});
  Sandbox sandbox;
  bool fine = true;
  for (const Exercise& exercise : chosen.empty() ? all : chosen) {
    const Workplace place{toolchain, sandbox, exercise,
                          [&console](std::string_view words) { console.progress(words); }};
    const auto complaints =
        check_exercise(place, {.instructor = instructor_folder(exercise, options.instructor),
                               .seeds = options.seeds,
                               .write = options.write});
    console.line(fmt::format("{} {}: {}", complaints.empty() ? console.good("✓") : console.bad("✗"),
                             exercise.id, exercise.title));
    for (const std::string& complaint : complaints) {
      console.line("  " + complaint);
    }
    fine = fine && complaints.empty();
  }
  return fine ? scenarios::exit_held : scenarios::exit_found;
}

/// The files of a new exercise, with what its author is to write.
const std::vector<std::pair<std::string, std::string>>& scaffold() {
  static const std::vector<std::pair<std::string, std::string>> files{
      {"exercise.yaml",
       "id: @id@\ntitle: What it is called\ntask: tests\nminutes: 60\nlevel: moderate\n"
       "clauses: [C1]\nfiles: [subject_test.cpp]\nsolution_lines: 100\n"},
      {"README.md",
       "# @id@: what it is called\n\n## Why\n\n## The idea\n\n## What is graded\n\n## Notes\n"},
      {"hints.yaml",
       "hints:\n  - A question that points to a clause.\n  - Where to look.\n"
       "  - A near miss on another example.\nafter: Why this is the rule.\n"},
      {"subject.hpp",
       "#pragma once\n\n#include <memory>\n\n#include \"core/runtime/runtime.hpp\"\n\n"
       "namespace watchlab::exercise {\n\n/// What it promises.\nclass Subject {\n public:\n"
       "  virtual ~Subject() = default;\n};\n\n"
       "[[nodiscard]] std::unique_ptr<Subject> make_subject(runtime::Runtime& runtime);\n\n"
       "}  // namespace watchlab::exercise\n"},
      {"starter/subject_test.cpp",
       "#include <boost/test/unit_test.hpp>\n\n#include \"exercises/@slug@/subject.hpp\"\n"
       "#include \"exercises/toolkit/worlds.hpp\"\n\nusing namespace watchlab::exercise;\n"},
      {"variants/correct/.gitkeep", ""},
      {"variants/shown/.gitkeep", ""},
      {"variants/hidden/.gitkeep", ""},
      {"instructor/solution/.gitkeep", ""},
      {"instructor/suites/happy_path/.gitkeep", ""},
      {"instructor/suites/ported/.gitkeep", ""}};
  return files;
}

std::string filled(std::string text, const std::string& id, const std::string& slug) {
  for (const auto& [mark, value] : {std::pair{std::string("@id@"), id}, {"@slug@", slug}}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

int make_new(const Options& options) {
  if (options.names.size() != 1 || options.names.front().find('-') == std::string::npos) {
    throw BadInput(
        "dev new wants the name of a folder: its number, a dash, a name: 17-my-exercise");
  }
  const std::string& slug = options.names.front();
  const fs::path folder = own_toolchain().exercises() / slug;
  if (fs::exists(folder)) {
    throw BadInput(fmt::format("{} is there already", folder.string()));
  }
  const std::string id = "E" + slug.substr(0, slug.find('-'));
  for (const auto& [name, text] : scaffold()) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << filled(text, id, slug);
  }
  fmt::print("{}\nWrite what docs/exercises.md describes, then: watchlab-course dev check {}\n",
             folder.string(), id);
  return scenarios::exit_held;
}

}  // namespace

scenarios::Command dev_command() {
  const auto options = std::make_shared<Options>();
  return {
      .name = "dev",
      .summary = "for authors: a new exercise, or what is wrong with those that are there",
      .footer =
          "check  refuses unless the starter fails, the solution gets all points, the solution\n"
          "       notices every defect and tells them apart, weaker suites rank below it, and\n"
          "       nothing changes under many seeds\n"
          "new    writes the files of a new exercise\n"
          "Examples:\n  watchlab-course dev check E01t\n  watchlab-course dev new 17-leases",
      .arguments = {{.name = "ACTION",
                     .target = &options->action,
                     .help = "What to do",
                     .required = true,
                     .one_of = {"check", "new"}},
                    {.name = "ID",
                     .target = &options->names,
                     .help = "The exercises; all if left out",
                     .type_name = " "},
                    {.name = "--instructor",
                     .target = &options->instructor,
                     .help = "A folder whose NN-slug folders take the place of instructor/",
                     .type_name = "DIR"},
                    {.name = "--seeds",
                     .target = &options->seeds,
                     .help = "Under so many seeds nothing may change; 100 if left out",
                     .least = 3,
                     .most = 10'000},
                    {.name = "--write",
                     .target = &options->write,
                     .help = "Writes instructor/kill_matrix.csv"}},
      .run = [options] {
        return guarded(
            [&] { return options->action == "check" ? check(*options) : make_new(*options); });
      }};
}

}  // namespace watchlab::course
