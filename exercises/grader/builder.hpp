#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exercises/grader/exercise.hpp"
#include "exercises/grader/sandbox.hpp"
#include "exercises/grader/stage.hpp"
#include "exercises/grader/toolchain.hpp"
#include "exercises/grader/variant.hpp"

namespace watchlab::course {

/// The name that every library under test has.
inline constexpr const char* subject_library = "libwatchlab-subject.so";
/// What test programs are linked with.
inline constexpr const char* toolkit_library = "libwatchlab-toolkit.so";
/// The name of a test program of the course.
inline constexpr const char* test_program = "tests";
/// The name of a student's suite of tests, which `suite_program` loads.
inline constexpr const char* suite_library = "libtests.so";
/// The name of the program that loads and runs suites.
inline constexpr const char* suite_program = "watchlab-suite";
/// The name of what runs a student's library for a test program, or the library under test for a
/// student's suite; `suite_program` loads it.
inline constexpr const char* host_library = "libhost.so";

/// What came of a compilation.
struct Built {
  bool fine = false;
  std::string log;  ///< of the compiler, with paths as short as the student knows them
};

/// Compiles what students hand in, contained, in a stage. Files of the course that a student must
/// not see cannot be included: the compiler reaches the system's files, the libraries' headers and
/// the stage.
class Builder {
 public:
  Builder(const Toolchain& toolchain, Sandbox& sandbox)
      : toolchain_(toolchain), sandbox_(sandbox) {}

  /// A suite of `sources`, which lie in the stage's `work`; what stands for the library under test
  /// must lie in `judge`, for its names.
  /// Leaves `work/libtests.so`.
  [[nodiscard]] Built suite_of(const Exercise& exercise, const Stage& stage,
                               const std::vector<std::string>& sources);
  /// The library under test out of `sources` in `work`. Leaves `work/libwatchlab-subject.so`.
  [[nodiscard]] Built subject_of(const Exercise& exercise, const Stage& stage,
                                 const std::vector<std::string>& sources);

 private:
  /// What makes a library of sources: the words that compile each, and those that link the objects.
  struct Steps {
    std::vector<std::string> compiling;
    std::vector<std::string> linking;
  };
  [[nodiscard]] Built build(const Exercise& exercise, const Stage& stage, const Steps& steps,
                            const std::vector<std::string>& sources);
  [[nodiscard]] Built run(const Stage& stage, const Confinement& confinement,
                          const std::vector<std::string>& words);

  const Toolchain& toolchain_;
  Sandbox& sandbox_;
};

/// The words that compile anything of the course.
[[nodiscard]] std::vector<std::string> compiler_words(const Toolchain& toolchain);
/// The words that compile a program of tests.
[[nodiscard]] std::vector<std::string> test_words(const Toolchain& toolchain);
/// The words that compile a part of a library.
[[nodiscard]] std::vector<std::string> library_words(const Toolchain& toolchain);
/// The words that make a library under test of what follows, with the libraries that it needs.
[[nodiscard]] std::vector<std::string> subject_words(const Toolchain& toolchain,
                                                     const std::filesystem::path& out);

}  // namespace watchlab::course
