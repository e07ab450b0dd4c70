#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "exercises/grader/grade_tests.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/stage.hpp"
#include "exercises/programs/variant.hpp"

namespace watchlab::course {

/// A student's tests that are written in Go, and what they are run against. Tests and libraries are
/// one program, in which watchlab.Explore orders the goroutines of both. So what a test may import
/// is what keeps it from reading files, ending the program, or asking which library it meets: the
/// compiler is given these packages and no others, not even `unsafe`.
class GoTests {
 public:
  /// Compiles all but the tests, if it is not yet. Throws `NotHere` where there is no Go, or one
  /// that is not known, and `BadInput` when a library does not compile.
  GoTests(const CommandContext& context, const std::vector<Variant>& variants);

  /// Compiles the file of tests, contained, and makes a program of it in the stage.
  [[nodiscard]] Built build(const Stage& stage, const std::filesystem::path& file);
  /// Runs the program with all libraries, contained; of the options, the seed, the rounds and the
  /// cases are looked at.
  [[nodiscard]] SuiteRuns run(const Stage& stage, const SuiteOptions& options) const;

 private:
  struct Go;

  [[nodiscard]] Go go_here() const;
  void compile_libraries(const Go& go) const;
  void write_module() const;
  [[nodiscard]] Built contained(const Stage& stage, std::vector<std::filesystem::path> readable,
                                std::vector<std::string> words) const;
  [[nodiscard]] TestRun run_with(const Stage& stage, const Variant& library, std::uint64_t seed,
                                 const std::vector<std::string>& names) const;

  const CommandContext& context_;
  const std::vector<Variant>& variants_;
  std::filesystem::path folder_;    ///< of what is compiled
  std::filesystem::path compiler_;  ///< and the linker lies beside it
  std::vector<std::string> names_;  ///< of the tests
};

/// What a student reads and plays with, by its place in the homework: a module of Go, in which the
/// wrong libraries that are shown are packages.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> go_module_to_read(
    const Toolchain& toolchain, const Exercise& exercise);

/// Brings what a bundle has of such an exercise into its folder `to`, as sources, and gives back
/// the libraries, by the names that they have there.
[[nodiscard]] std::vector<Variant> bring_go_libraries(const CommandContext& context,
                                                      const std::filesystem::path& out,
                                                      const std::filesystem::path& to);

}  // namespace watchlab::course
