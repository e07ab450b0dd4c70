#pragma once

#include <string>

namespace watchlab::course {

/// Runs the tests that this process has registered, as the settings of its session say; with
/// Boost.Test's own defaults when no grader listens. Gives the status of Boost.Test. `program` is
/// the name that Boost.Test calls it by.
[[nodiscard]] int run_tests(const char* program);

/// The log of Boost.Test for the running test, if a grader listens; otherwise "".
[[nodiscard]] std::string log_of_checks();

/// Runs a student's suite of tests: a program of the course that loads the suite.
struct LoadedSuite {
  const char* program = nullptr;  ///< its own name
  /// The path of the library that forwards calls to the library under test in another process.
  const char* subject = nullptr;
  const char* suite = nullptr;  ///< the path of the student's tests, a shared library
};

/// Loads the forwarding library, waits for settings (`settings_of_this_copy`), and only then loads
/// the suite and runs its tests. Nothing of the suite runs before, not even what the loader calls.
/// Its symbols are looked up after those of the program, the toolkit, Boost.Test and the C library,
/// so it cannot replace those. It can open no files but its own. Gives the status of Boost.Test.
/// Exits with 1 and a message on standard error when something cannot be loaded.
[[nodiscard]] int run_loaded_suite(const LoadedSuite& suite);

/// Loads the library at `path`, which serves a student's library to a judge, or the library under
/// test to a student's suite, waits for settings if that did not happen yet, and lets it serve
/// (`watchlab_serve`).
[[nodiscard]] int serve_loaded_host(const char* path);

}  // namespace watchlab::course
