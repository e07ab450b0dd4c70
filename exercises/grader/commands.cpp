#include "exercises/grader/commands.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "exercises/grader/grading.hpp"
#include "exercises/programs/language.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {

void StudentConsole::line(std::string_view text) { Console::line(typeable(in_own_language(text))); }

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
    scenarios::complain(fmt::format("{}: {}\n", plain_line(path.string()), wrong.code().message()));
    return scenarios::kExitUsage;
  }
}

Exercise chosen_exercise(const Toolchain& toolchain, const Homework& homework,
                         const std::string& name) {
  const std::string wanted = name.empty() ? homework.current() : name;
  if (wanted.empty()) {
    throw BadInput("no exercise is started yet; watchlab-course list names them");
  }
  return find_exercise(read_exercises(toolchain.exercises()), wanted);
}

Grade grade_of_predictions(const Toolchain& toolchain, const Exercise& exercise,
                           const std::filesystem::path& folder) {
  Sandbox sandbox;
  const CommandContext place{toolchain, sandbox, exercise, [](std::string_view) {}};
  return Grading(place, [](const Grade&) {}).grade({.submission = folder});
}

Argument homework_argument(std::string& folder) {
  return {.name = "--homework",
          .target = &folder,
          .help = "The student's folder; homework if left out",
          .type_name = "DIR"};
}

Argument exercise_argument(std::string& name, bool required) {
  return {.name = "ID",
          .target = &name,
          .help = required ? "The exercise: E01t, or its folder's name"
                           : "The exercise; the current one if left out",
          .required = required,
          .type_name = " "};
}

}  // namespace watchlab::course
