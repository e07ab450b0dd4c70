#pragma once

#include <filesystem>
#include <string>

#include "exercises/grader/diagnosis.hpp"
#include "exercises/grader/grade.hpp"
#include "exercises/grader/grade_tests.hpp"
#include "exercises/programs/stage.hpp"

namespace watchlab::course {

/// The lines of a grade of write-scenario: a case counts when the story in `submission` that it
/// names holds with the correct library, on the classic and on the modern machine, undisturbed and
/// under random schedules, and fails on the broken build the same way three times, by a violation
/// or a deadlock. Stories are run in the sandbox, as all that students write. Builds what the
/// patches change; a bundle has it. Throws `BadInput`.
void put_stories(Grade& grade, const CommandContext& context,
                 const std::filesystem::path& submission);

/// What the stories of `submission` did with the controllers, whose programs are built, as if each
/// were a test: it is valid when it holds with all correct ones, undisturbed and under so many
/// random schedules, and it notices a wrong one with which it fails twice. What a controller does
/// otherwise when it is played again does not count; where it does so each time, `given_up` says so
/// and nothing else of the result counts.
[[nodiscard]] SuiteRuns run_stories(const CommandContext& context,
                                    const std::vector<Variant>& controllers,
                                    const std::filesystem::path& submission, std::size_t schedules);

/// The lines of the grade for them.
void put_story_runs(Grade& grade, const SuiteRuns& runs);

}  // namespace watchlab::course
