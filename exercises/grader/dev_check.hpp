#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "exercises/grader/grade_tests.hpp"
#include "exercises/programs/stage.hpp"

namespace watchlab::course {

struct DevCheckOptions {
  std::filesystem::path instructor;  ///< the exercise's instructor folder
  std::size_t seeds = 100;           ///< under so many nothing may change
  bool write = false;                ///< write the kill matrix instead of comparing it
};

/// The result of checking an exercise.
struct DevCheck {
  std::vector<std::string> errors;  ///< a message each; empty when it can be handed out
  std::string times;                ///< how long each part of it took
  std::string ranks;                ///< what suites got, the weakest first; "" without suites
};

/// Checks the files of every exercise. Then grades submissions with a known result: the starter,
/// the solution, and suites with a known order. Then makes a bundle and checks that it contains
/// nothing hidden.
[[nodiscard]] DevCheck check_exercise(const CommandContext& context,
                                      const DevCheckOptions& options);

/// Which test notices which defect: one row for each test, one column for each defect, and 1 where
/// it does.
[[nodiscard]] std::string kill_matrix(const SuiteRuns& runs);

/// The faults of a reference suite: tests that do not count, defects that survive, defects that the
/// suite cannot distinguish.
[[nodiscard]] std::vector<std::string> errors_in(const SuiteRuns& runs);

/// In an instructor's folder: the museum's bugs of a component, and which of them tests notice.
inline constexpr const char* kMuseumList = "museum.yaml";

/// The contents of that file.
struct MuseumList {
  std::string of;                    ///< the correct variant that has the component
  std::vector<std::string> core;     ///< the files of core that the component is
  std::vector<std::string> noticed;  ///< the pieces that the exercise's own tests notice
  api::Labels beyond;                ///< the others, and why they break no promise
};

/// What is wrong with the list where these pieces change the component and these are noticed.
[[nodiscard]] std::vector<std::string> errors_in(const MuseumList& list,
                                                 const std::set<std::string>& pieces,
                                                 const std::set<std::string>& noticed);

/// Lets the solution of an exercise, in *implement* its tests, meet the bugs of the museum that
/// are in what a correct variant is made of, as that list says, and gives what is wrong with it, a
/// line each: a bug that tests do not notice, unless it is said what it is beyond, or one that is
/// noticed and not listed. Throws `BadInput`.
[[nodiscard]] std::vector<std::string> errors_with_museum(const CommandContext& context,
                                                          const std::filesystem::path& instructor);

/// Whether a test of an implement exercise fails with the library of the stage: one that is shown,
/// or a hidden one. Plays no further seed once one has failed.
[[nodiscard]] bool fails_tests(const CommandContext& context, Stage& stage,
                               const std::filesystem::path& instructor);

}  // namespace watchlab::course
