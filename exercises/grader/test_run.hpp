#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exercises/programs/stage.hpp"
#include "exercises/sandbox/loaded_program.hpp"
#include "exercises/toolkit/protocol.hpp"

namespace watchlab::course {

/// What is kept of the words of one case.
inline constexpr std::size_t kCaseTextBytesMax = 8 * 1024;

/// How one case of a test program ended with one library.
struct CaseRun {
  enum class Outcome : std::uint8_t {
    NotRun,  ///< the program could not be brought to run it
    Passed,
    Failed,   ///< a check or an expectation was broken
    Hung,     ///< a deadlock, no end within the step limit, or no sign of life
    Crashed,  ///< the program died or ended in it
  };

  std::string name;
  Outcome outcome = Outcome::NotRun;
  bool by_watchdog = false;  ///< of Hung: it was the real clock that said so
  bool by_limit = false;     ///< the grader has ended it: by that clock, or for what it used
  std::string text;          ///< what went wrong, step by step where it is known
  std::string schedule;      ///< what replays it; "" where nothing does
  std::string asked;         ///< what it depends on beside the library: "the time"
  double seconds = 0;        ///< on the clock, from its begin to its end
};

/// "passed", "failed", "hung", "crashed" or "not run".
[[nodiscard]] std::string to_string(CaseRun::Outcome outcome);

/// How a test program got on with one library.
struct TestRun {
  std::vector<CaseRun> cases;  ///< by name
  std::string trouble;         ///< why not all of them could be run; "" when all could
  bool hung_outside = false;   ///< the watchdog ended it, and not in a case
  bool forged = false;         ///< something wrote reports that are not the toolkit's
  std::string output;          ///< of the first process
};

/// Whose the tests are. The other side is the library: each is a program of its own, so that who
/// wrote one of them can neither look at the other nor write what came of it.
enum class Tests : std::uint8_t {
  /// `work/libtests.so` is the student's; the library under test is the stage's subject.
  OfStudent,
  /// `judge/tests` are the course's; the student's library is the stage's subject.
  OfCourse,
};

/// Tests of a stage, and the library that they meet. What was loaded once stays so while others are
/// met: to load a library takes as long as many a run.
class TestProgram {
 public:
  /// `place` and `stage` outlive it.
  TestProgram(const CommandContext& place, Stage& stage, Tests tests);

  /// Runs the tests: in one process as long as that goes well, and in a new one after each case
  /// that ends it. `settings.nonce` and `settings.judges` are set here. From `lot` the process of a
  /// library of the course draws what tests must not know.
  [[nodiscard]] TestRun run(RunSettings settings, std::uint64_t lot = 0);
  /// From here on they meet the library that was built in that folder. A student's library is the
  /// stage's subject, and the only one.
  void meet(const std::filesystem::path& built);

 private:
  class Protocol;

  [[nodiscard]] LoadedProgram::Library library_for(Protocol& protocol, RunSettings settings,
                                                   std::uint64_t lot) const;

  const CommandContext& place_;
  Stage& stage_;
  Tests tests_;
  LoadedProgram program_;
  std::map<std::filesystem::path, std::unique_ptr<LoadedProgram>> libraries_;
  LoadedProgram* library_ = nullptr;  ///< that they meet
};

}  // namespace watchlab::course
