#include "exercises/programs/exercise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <utility>

#include "exercises/programs/language.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
using scenarios::choice;
using scenarios::integer;
using scenarios::list_of;
using scenarios::text;
using scenarios::word;

const std::vector<std::pair<std::string, Task>>& task_words() {
  static const std::vector<std::pair<std::string, Task>> kWords{
      {"tour", Task::Tour},
      {"implement", Task::Implement},
      {"tests", Task::Tests},
      {"predict", Task::Predict},
      {"diagnose", Task::Diagnose},
      {"model-check", Task::ModelCheck},
      {"write-scenario", Task::WriteScenario}};
  return kWords;
}

scenarios::Codec<Exercise> grammar() {
  constexpr std::int64_t many = 1'000'000;
  scenarios::Table<Exercise> table("an exercise", "An exercise of the course.");
  table.required("id", &Exercise::id, text("an id"), "E and a number: E01t.")
      .required("title", &Exercise::title, text("a title"), "What it is called.")
      .required("task", &Exercise::task, choice("a task", task_words()), "What the student does.")
      .required("minutes", &Exercise::minutes, integer("minutes", 1, 600), "How long it takes.")
      .required("level", &Exercise::level, word("a level", {"easy", "moderate", "hard"}),
                "How hard it is.")
      .optional("clauses", &Exercise::clauses, list_of("a list of clauses", text("a clause")),
                "The clauses of docs/invariants.md that it is about.")
      .optional("files", &Exercise::files, list_of("a list of files", text("a file name")),
                "What the student hands in.")
      .optional("solution_lines", &Exercise::solution_lines, integer("lines", 0, many),
                "How long the reference solution is.")
      .optional("after", &Exercise::after, list_of("a list of ids", text("an id")),
                "The exercises to do before.")
      .optional("points", &Exercise::points, integer("points", 0, 10'000), "What it is worth.")
      .optional("schedules", &Exercise::schedules, integer("schedules", 1, many),
                "How many random schedules each call of in_every_world plays.")
      .optional("wall_seconds", &Exercise::wall_seconds, integer("seconds", 1, 600),
                "How long a test may be silent.");
  return table.codec();
}

/// `exercise.yaml` cannot know where it lies.
void check(const Exercise& exercise) {
  const std::string start = boost::algorithm::to_lower_copy(exercise.id).substr(1) + "-";
  if (exercise.id.front() != 'E' || !exercise.slug().starts_with(start)) {
    throw BadInput(fmt::format("{}: the id {} wants a folder whose name starts with {}",
                               exercise.folder.string(), exercise.id, start));
  }
  for (const std::string& file : exercise.files) {
    if (file.empty() || file.front() == '.' || file.find('/') != std::string::npos) {
      throw BadInput(fmt::format("{}: '{}' is no plain file name", exercise.folder.string(), file));
    }
  }
}

}  // namespace

std::string to_string(Task task) {
  const auto found = std::find_if(task_words().begin(), task_words().end(),
                                  [&](const auto& entry) { return entry.second == task; });
  return found->first;
}

bool has_cases(const Exercise& exercise) { return fs::exists(exercise.folder / "cases.yaml"); }

bool is_about_controllers(const Exercise& exercise) {
  return exercise.task == Task::WriteScenario && !has_cases(exercise);
}

bool is_in_go(const Exercise& exercise) {
  return exercise.task == Task::Tests && !exercise.files.empty() &&
         exercise.files.front().ends_with(".go");
}

Exercise read_exercise(const fs::path& folder) {
  Exercise exercise = read_by(grammar(), folder / "exercise.yaml");
  exercise.folder = folder;
  check(exercise);
  return exercise;
}

std::vector<Exercise> read_exercises(const fs::path& exercises) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(exercises)) {
    if (fs::exists(entry.path() / "exercise.yaml")) {
      folders.push_back(entry.path());
    }
  }
  std::sort(folders.begin(), folders.end());
  std::vector<Exercise> read;
  for (const fs::path& folder : folders) {
    read.push_back(read_exercise(folder));
  }
  return read;
}

const Exercise& find_exercise(const std::vector<Exercise>& exercises, std::string_view name) {
  const std::string wanted = boost::algorithm::to_lower_copy(std::string(name));
  std::vector<std::string> names;
  for (const Exercise& exercise : exercises) {
    if (boost::algorithm::to_lower_copy(exercise.id) == wanted || exercise.slug() == wanted) {
      return exercise;
    }
    names.push_back(exercise.id);
    names.push_back(exercise.slug());
  }
  const std::string nearest = scenarios::nearest_name(name, names);
  throw BadInput(fmt::format("there is no exercise '{}'{}; watchlab-course list names them", name,
                             nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
}

std::vector<fs::path> headers_of(const Exercise& exercise) {
  return files_with(exercise.folder, {".hpp", ".go"});
}

Hints read_hints(const Exercise& exercise) {
  scenarios::Table<Hints> table("hints", "Hints for an exercise.");
  table
      .required("hints", &Hints::hints, list_of("a list of hints", text("a hint")),
                "The first is the smallest.")
      .required("after", &Hints::after, text("a note"), "For a student who has done it.");
  Hints hints = read_by(table.codec(), in_language(exercise.folder / "hints.yaml", own_language()));
  hints.after = without_folds(hints.after);
  std::ranges::transform(hints.hints, hints.hints.begin(), &without_folds);
  return hints;
}

fs::path instructor_folder(const Exercise& exercise, const fs::path& overlay) {
  const fs::path own = overlay / exercise.slug();
  return !overlay.empty() && fs::is_directory(own) ? fs::absolute(own)
                                                   : exercise.folder / "instructor";
}

fs::path answers_of_instructor(const Exercise& exercise, const fs::path& instructor) {
  const bool is_home = instructor.empty();
  fs::path file = (is_home ? exercise.folder / "instructor" : instructor) / "answers.yaml";
  return is_home && !fs::exists(file) ? fs::path() : file;
}

fs::path hidden_folder(const Exercise& exercise, const fs::path& instructor) {
  const fs::path own = instructor / "hidden";
  return fs::is_directory(own) ? own : exercise.folder / "variants" / "hidden";
}

std::vector<fs::path> files_with(const fs::path& folder,
                                 const std::vector<std::string_view>& endings) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string ending = entry.path().extension().string();
      if (std::ranges::find(endings, ending) != endings.end()) {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> cpp_files_of(const fs::path& folder) {
  return files_with(folder, {".cpp", ".hpp"});
}

}  // namespace watchlab::course
