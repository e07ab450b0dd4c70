#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/programs/stage.hpp"

namespace watchlab::course {

/// A build with a bug, and the story that shows it under some schedule.
struct DiagnosedCase {
  std::string id;
  std::string patch;     ///< from the root of the repository
  std::string scenario;  ///< from the exercise's folder; of write-scenario what is handed in
  std::int64_t points = 1;
  std::int64_t deviations_max = 1000;  ///< a longer schedule costs a fifth
};

/// The folder of the broken builds, with one folder for each.
[[nodiscard]] std::filesystem::path builds_folder(const CommandContext& context);
/// The folder with the libraries of one of them, up to date. Throws `BadInput`.
[[nodiscard]] std::filesystem::path broken_build(const CommandContext& context,
                                                 const DiagnosedCase& diagnosed);

/// Whether the broken build behaves correctly in the default order. That of a cold case does: its
/// bug appears only under other schedules. Throws `BadInput`.
[[nodiscard]] bool holds_undisturbed(const CommandContext& context, const DiagnosedCase& diagnosed);

/// cases.yaml. Throws `BadInput`.
[[nodiscard]] std::vector<DiagnosedCase> read_cases(const Exercise& exercise);

/// A student's, or the instructor's, answer to a case.
struct Diagnosis {
  std::string clause;
  std::string schedule;
};
using Diagnoses = std::map<std::string, Diagnosis>;

/// answers.yaml of a diagnose exercise. Throws `BadInput`.
[[nodiscard]] Diagnoses read_diagnoses(const std::filesystem::path& file);

/// The lines of a grade: for each case 7 of 10 points for a schedule with which the broken build
/// fails in the same way three times and the correct one does not, as far as the schedule fits it;
/// 3 for the clause that `right` names. Builds what the patches change; a bundle has it.
void put_diagnoses(Grade& grade, const CommandContext& context, const Diagnoses& given,
                   const Diagnoses& right);

}  // namespace watchlab::course
