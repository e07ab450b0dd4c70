#pragma once

namespace watchlab::course {

/// Runs the tests that this process has registered, as the settings of its session say; with
/// Boost.Test's own defaults when no grader listens. Gives the status of Boost.Test. `program` is
/// the name that Boost.Test calls it by.
[[nodiscard]] int run_tests(const char* program);

}  // namespace watchlab::course
