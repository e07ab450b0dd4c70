#include "exercises/grader/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "exercises/grader/grading.hpp"
#include "exercises/programs/exercise_set.hpp"
#include "exercises/programs/language.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"
#include "scenarios/command_line/terminal.hpp"

namespace watchlab::course {

void StudentConsole::line(std::string_view text) { Console::line(typeable(in_own_language(text))); }

void StudentConsole::verdict(bool is_good, std::string_view text) {
  const std::string mark = is_good ? "✓" : "✗";
  const std::string words = typeable(in_own_language(fmt::format("{} {}", mark, text)));
  const std::size_t at = std::min(words.find(mark), words.size());
  const std::string found = words.substr(at, mark.size());
  Console::line("  " + words.substr(0, at) + (is_good ? good(found) : bad(found)) +
                words.substr(at + found.size()));
}

void StudentConsole::progress(std::string_view text) {
  const std::string pace = pace_of(text);
  const std::string words = in_own_language(text);
  show_progress(pace.empty() ? words : in_own_language(pace) + "; " + words);
}

int guarded(const std::function<int()>& work) {
  try {
    return work();
  } catch (const BadInput& wrong) {
    scenarios::complain(fmt::format("{}\n", typeable(in_own_language(wrong.what()))));
    return scenarios::kExitUsage;
  } catch (const BadTemporaryFolder& wrong) {
    scenarios::complain(fmt::format("{}\n", wrong.what()));
    return scenarios::kExitUsage;
  } catch (const std::filesystem::filesystem_error& wrong) {
    const std::filesystem::path& path = wrong.path2().empty() ? wrong.path1() : wrong.path2();
    scenarios::complain(
        fmt::format("{}: {}\n", visible_line(path.string()), wrong.code().message()));
    return scenarios::kExitUsage;
  }
}

namespace {

/// The exercise whose files lie in the current folder or in one above it; "" elsewhere.
std::string exercise_here(const std::vector<Exercise>& all, const Homework& homework) {
  const std::filesystem::path here = std::filesystem::current_path();
  for (const Exercise& exercise : all) {
    const std::filesystem::path own =
        std::filesystem::weakly_canonical(homework.folder_of(exercise));
    if (std::ranges::mismatch(own, here).in1 == own.end()) {
      return exercise.id;
    }
  }
  return "";
}

/// The part of a homework that comes next: the first that is not done.
std::string next_part(const ExerciseSet& set, const Homework& homework) {
  const auto open = std::ranges::find_if(set.parts, [&](const ExerciseSet::Part& part) {
    const Progress* const progress = homework.find(part.id);
    return progress == nullptr || !progress->done;
  });
  return open == set.parts.end() ? set.parts.back().id : open->id;
}

}  // namespace

Exercise chosen_exercise(const Toolchain& toolchain, const Homework& homework,
                         const std::string& name) {
  const std::vector<Exercise> all = read_exercises(toolchain.exercises());
  std::string wanted = name.empty() ? exercise_here(all, homework) : name;
  if (wanted.empty()) {
    wanted = homework.current();
  }
  if (wanted.empty()) {
    throw BadInput("no exercise is started yet; watchlab-course list names them");
  }
  const std::vector<ExerciseSet> sets = read_exercise_sets(toolchain.exercises(), all);
  const ExerciseSet* const set = find_set(sets, wanted);
  return find_exercise(all, set == nullptr ? wanted : next_part(*set, homework));
}

Grade grade_of_predictions(const Toolchain& toolchain, const Exercise& exercise,
                           const std::filesystem::path& folder) {
  Sandbox sandbox;
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  return Grading(context, [](const Grade&) {}).grade({.submission = folder});
}

Argument homework_argument(std::string& folder) {
  return {.name = "--homework",
          .target = &folder,
          .help = "The student's folder; default homework",
          .type_name = "DIR"};
}

Argument exercise_argument(std::string& name, bool required) {
  return {.name = "ID",
          .target = &name,
          .help = required ? "The exercise: E01t, its folder's name, or a homework such as trio"
                           : "The exercise; default: that of this folder, else the current one",
          .required = required,
          .type_name = " "};
}

}  // namespace watchlab::course
