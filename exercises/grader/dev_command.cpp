#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/algorithm/string/replace.hpp>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <thread>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/dev_check.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct DevOptions {
  std::string action;
  std::vector<std::string> names;
  std::string instructor;
  std::size_t seeds = 100;
  std::size_t jobs = 1;
  bool write = false;
};

std::vector<Exercise> chosen_of(const Toolchain& toolchain, const DevOptions& options) {
  const std::vector<Exercise> all = read_exercises(toolchain.exercises());
  std::vector<Exercise> chosen;
  for (const std::string& name : options.names) {
    chosen.push_back(find_exercise(all, name));
  }
  return chosen.empty() ? all : chosen;
}

int check_here(const DevOptions& options, const Toolchain& toolchain,
               const std::vector<Exercise>& exercises) {
  Console console({});
  Sandbox sandbox;
  bool fine = true;
  for (const Exercise& exercise : exercises) {
    const CommandContext place{toolchain, sandbox, exercise,
                               [&console](std::string_view words) { console.progress(words); }};
    const DevCheck found =
        check_exercise(place, {.instructor = instructor_folder(exercise, options.instructor),
                               .seeds = options.seeds,
                               .write = options.write});
    const bool holds = found.errors.empty();
    console.line(fmt::format("{} {}: {} ({})", holds ? console.good("✓") : console.bad("✗"),
                             exercise.id, exercise.title, found.times));
    if (!found.ranks.empty()) {
      console.line("  " + found.ranks);
    }
    for (const std::string& error : found.errors) {
      console.line("  " + error);
    }
    fine = fine && holds;
  }
  return fine ? scenarios::kExitHeld : scenarios::kExitFound;
}

/// The same call for one exercise.
std::vector<std::string> describe(const DevOptions& options, const Exercise& exercise) {
  std::vector<std::string> words{fs::read_symlink("/proc/self/exe").string(),
                                 "dev",
                                 "check",
                                 exercise.id,
                                 "--seeds",
                                 std::to_string(options.seeds)};
  if (!options.instructor.empty()) {
    words.insert(words.end(), {"--instructor", options.instructor});
  }
  if (options.write) {
    words.emplace_back("--write");
  }
  return words;
}

/// Their numbers, those that take long first: what is begun last should not be waited for.
std::vector<std::size_t> long_ones_first(const std::vector<Exercise>& exercises) {
  const auto weight = [&](std::size_t number) {
    const Task task = exercises[number].task;
    return task == Task::ModelCheck ? 3 : task == Task::Implement ? 2 : task == Task::Tests ? 1 : 0;
  };
  std::vector<std::size_t> order(exercises.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), weight);
  return order;
}

/// A process for each exercise, `options.jobs` at a time; what they say comes in order.
int check_side_by_side(const DevOptions& options, const Toolchain& toolchain,
                       const std::vector<Exercise>& exercises) {
  precompile_headers(toolchain, [](std::string_view) {});  // once, and not in each process
  const std::vector<std::size_t> order = long_ones_first(exercises);
  std::vector<std::promise<ProcessEnd>> ends(exercises.size());
  const fs::path here = fs::current_path();
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < options.jobs; ++i) {
    workers.emplace_back([&] {
      for (std::size_t taken = next++; taken < order.size(); taken = next++) {
        const std::size_t number = order[taken];
        ends[number].set_value(run_plainly(describe(options, exercises[number]), here));
      }
    });
  }
  Console console({});
  std::size_t held = 0;
  for (std::promise<ProcessEnd>& end : ends) {
    const ProcessEnd ended = end.get_future().get();
    fmt::print("{}", ended.output);
    std::fflush(stdout);
    held += ended.status == scenarios::kExitHeld ? 1 : 0;
  }
  console.line(fmt::format("{} passed, {} failed", held, exercises.size() - held));
  return held == exercises.size() ? scenarios::kExitHeld : scenarios::kExitFound;
}

int check(const DevOptions& options) {
  const Toolchain toolchain = own_toolchain();
  const std::vector<Exercise> exercises = chosen_of(toolchain, options);
  return options.jobs > 1 && exercises.size() > 1
             ? check_side_by_side(options, toolchain, exercises)
             : check_here(options, toolchain, exercises);
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
      {"remote.hpp",
       "#pragma once\n\n// How the subject is called from the process of the tests.\n"
       "#include \"exercises/@slug@/subject.hpp\"\n"
       "#include \"exercises/toolkit/remote_peer.hpp\"\n\nnamespace watchlab::exercise {\n\n"
       "/// Its methods stand in angle brackets: `, &Subject::add`, and are overridden here.\n"
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
      {"starter/subject_test.cpp",
       "#include <boost/test/unit_test.hpp>\n\n#include \"exercises/@slug@/subject.hpp\"\n"
       "#include \"exercises/toolkit/worlds.hpp\"\n\nusing namespace watchlab::exercise;\n"},
      {"variants/correct/.gitkeep", ""},
      {"variants/shown/.gitkeep", ""},
      {"variants/hidden/.gitkeep", ""},
      {"instructor/solution/.gitkeep", ""},
      {"instructor/suites/empty/subject_test.cpp",
       "// Nothing: others rank above it.\n"
       "#include <boost/test/unit_test.hpp>\n"},
      {"instructor/suites/happy_path/.gitkeep", ""},
      {"instructor/suites/ported/.gitkeep", ""}};
  return files;
}

std::string filled(std::string text, const std::string& id, const std::string& slug) {
  boost::replace_all(text, "@id@", id);
  boost::replace_all(text, "@slug@", slug);
  return text;
}

int make_new(const DevOptions& options) {
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
    write_output(folder / name, filled(text, id, slug));
  }
  fmt::print("{}\nWrite what docs/exercises.md describes, then: watchlab-course dev check {}\n",
             folder.string(), id);
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command dev_command() {
  const auto options = std::make_shared<DevOptions>();
  return {
      .name = "dev",
      .summary = "for authors: a new exercise, or what is wrong with those that are there",
      .footer =
          "check  refuses unless the solution gets all points and the starter 15 less, the "
          "solution\n"
          "       notices every defect and distinguishes them, weaker suites rank below it, and\n"
          "       nothing changes under many seeds, and the bundle shows nothing that is hidden\n"
          "new    writes the files of a new exercise\n"
          "Examples:\n  watchlab-course dev check E01t\n  watchlab-course dev check --jobs 2\n  "
          "watchlab-course dev new 17-leases",
      .arguments = {{.name = "ACTION",
                     .target = &options->action,
                     .help = "What to do",
                     .required = true,
                     .one_of = {"check", "new"}},
                    {.name = "ID",
                     .target = &options->names,
                     .help =
                         "check: the exercises, all if left out; new: the folder, 17-my-exercise",
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
                    {.name = "--jobs,-j",
                     .target = &options->jobs,
                     .help = "So many exercises at a time",
                     .least = 1,
                     .most = 256},
                    {.name = "--write",
                     .target = &options->write,
                     .help = "Writes instructor/kill_matrix.csv"}},
      .run = [options] {
        return guarded([&] {
          oversee();
          return options->action == "check" ? check(*options) : make_new(*options);
        });
      }};
}

}  // namespace watchlab::course
