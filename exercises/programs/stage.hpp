#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string_view>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/toolchain.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/sandbox.hpp"

namespace watchlab::course {

/// A separate folder in which one submission is built and run, and which is removed afterwards. Its
/// parts always have the same names, so that a test cannot distinguish variants by them: `work`
/// belongs to the contained programs; `base` and `subject` hold libraries that it may read; only
/// the program that judges reads `judge`, and nothing of the student does; where the student wrote
/// tests, `judge` has the program that loads them, and `server` the one that has the library.
class Stage {
 public:
  /// Throws `std::runtime_error` when the folder cannot be made.
  Stage(const Toolchain& toolchain, const Sandbox& sandbox);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Makes the libraries of that folder the ones under test, and shows them.
  void set_subject(const std::filesystem::path& built);
  /// Hides them from programs that have not loaded them yet: name, size and time of a library would
  /// distinguish it from others.
  void hide_subject();

  /// Makes the library under test that was built in `work` the only one.
  void adopt_subject();

  [[nodiscard]] std::filesystem::path work() const { return folder_ / "work"; }
  [[nodiscard]] std::filesystem::path subject() const { return folder_ / "subject"; }
  [[nodiscard]] std::filesystem::path base() const { return folder_ / "base"; }
  [[nodiscard]] std::filesystem::path judge() const { return folder_ / "judge"; }
  [[nodiscard]] std::filesystem::path server() const { return folder_ / "server"; }
  /// LD_LIBRARY_PATH for a program of this stage.
  [[nodiscard]] std::string library_path() const;
  /// Copies files into `work`, where contained programs may read and change them.
  void bring(const std::vector<std::filesystem::path>& files) const;
  /// Makes `program` the one that judges, or what it is linked with.
  void set_judge(const std::filesystem::path& program) const;
  /// Makes these files the program that has the library under test for a student's tests.
  void set_server(const std::vector<std::filesystem::path>& files) const;

 private:
  const Sandbox& sandbox_;
  std::filesystem::path folder_;
};

/// What all that has to do with one exercise works with. All of it outlives the work.
struct CommandContext {
  const Toolchain& toolchain;
  Sandbox& sandbox;
  const Exercise& exercise;
  std::function<void(std::string_view)> notify;  ///< receives what is being done, for people
  /// When it has to be done with running what students wrote.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

}  // namespace watchlab::course
