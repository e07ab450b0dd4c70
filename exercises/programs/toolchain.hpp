#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/toolkit/seccomp_filter.hpp"

namespace watchlab::course {

/// How C++ is compiled here, and against what: the file toolchain.yaml beside the program, which
/// the build writes for the repository and `bundle` writes for students.
struct Toolchain {
  std::vector<std::string> compiler;             ///< the program, by its path, and first arguments
  std::vector<std::string> flags;                ///< for everything
  std::filesystem::path root;                    ///< what includes start at; has `exercises`
  std::vector<std::filesystem::path> libraries;  ///< all but the library under test
  std::filesystem::path tree;  ///< the build tree, to build variants in; "" in a bundle
  bool sanitized = false;      ///< whether programs need an address space without limit

  [[nodiscard]] std::filesystem::path exercises() const { return root / "exercises"; }
  [[nodiscard]] bool is_bundle() const { return tree.empty(); }
  /// The program that loads and runs suites of students.
  [[nodiscard]] std::filesystem::path suite_runner() const {
    return is_bundle() ? root / "bin/watchlab-suite" : tree / "exercises/toolkit/watchlab-suite";
  }
  /// What is loaded with each library of a student.
  [[nodiscard]] std::filesystem::path wall() const {
    return (is_bundle() ? root / "lib" : tree / "exercises/toolkit") / kWallLibrary;
  }
  /// The program `watchlab`, which plays stories.
  [[nodiscard]] std::filesystem::path player() const {
    return is_bundle() ? root / "bin/watchlab" : tree / "scenarios/cli/watchlab";
  }
};

/// Relative paths in the file start at its folder. Throws `BadInput`.
[[nodiscard]] Toolchain read_toolchain(const std::filesystem::path& file);

/// That of the running program.
[[nodiscard]] Toolchain own_toolchain();

/// The text with each call of `watchlab-course` as the student types it here: what the launcher or
/// the starter of a bundle was called by stands in WATCHLAB_CALLED_AS, and calls that are about the
/// student's files name the folder that this one was given. Paths stay as they are.
[[nodiscard]] std::string typeable(std::string_view text);
/// From now on these calls carry `option`, as " --homework X"; "" for none.
void carry_homework(std::string option);
/// The same for a student who types `call`.
[[nodiscard]] std::string typeable_as(const std::string& call, std::string_view text);
/// That call alone: "./watchlab course".
[[nodiscard]] std::string own_call();

/// Throws `BadInput`, which says which user can build what is missing for an exercise, unless this
/// process may build in the toolchain's tree: a checkout may belong to another user.
void require_own_tree(const Toolchain& toolchain, const std::string& exercise);

/// Several graders of one exercise find what one of them has built. Where nothing can be written
/// nothing is built, and no lock is needed.
class BuildLock {
 public:
  /// Waits for its turn. `slug` is the exercise's.
  BuildLock(const Toolchain& toolchain, const std::string& slug);
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;
  ~BuildLock();

 private:
  int lock_;
};

}  // namespace watchlab::course
