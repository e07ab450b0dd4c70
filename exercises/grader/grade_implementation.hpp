#pragma once

#include <string>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/grader/stage.hpp"
#include "exercises/grader/test_run.hpp"
#include "exercises/grader/workplace.hpp"

namespace watchlab::course {

/// How the library in a stage got on with one test program.
struct ImplementationRuns {
  std::vector<CaseRun> cases;  ///< the worst run of each case, by name
  std::string trouble;         ///< why the program could not be run; "" when it could
  bool forged = false;
};

/// Copies the program into the stage and runs it against the stage's subject, with each seed.
[[nodiscard]] ImplementationRuns run_implementation(const Workplace& place, Stage& stage,
                                                    const std::filesystem::path& program,
                                                    const std::vector<std::uint64_t>& seeds);

/// The lines of a grade for both programs: each case has the same points, whether visible or not.
void put_implementation(Grade& grade, const ImplementationRuns& visible,
                        const ImplementationRuns& hidden);

}  // namespace watchlab::course
