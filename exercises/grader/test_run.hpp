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

/// How much of the output of one case is kept.
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

/// The result of a test program with one library.
struct TestRun {
  std::vector<CaseRun> cases;  ///< by name
  std::string trouble;         ///< why not all of them could be run; "" when all could
  bool hung_outside = false;   ///< the watchdog ended it, and not in a case
  bool forged = false;         ///< something wrote reports that are not the toolkit's
  std::string output;          ///< of the first process
};

/// Who wrote the tests. The tests and the library are separate programs, so that the author of one
/// of them can neither read the other nor write its result.
enum class Tests : std::uint8_t {
  /// `work/libtests.so` is the student's; the library under test is the stage's subject.
  OfStudent,
  /// `judge/tests` are the course's; the student's library is the stage's subject.
  OfCourse,
};

/// Tests of a stage, and the library that they run against. A library stays loaded while others are
/// run, because loading takes as long as many runs.
class TestProgram {
 public:
  /// `place` and `stage` outlive it.
  TestProgram(const CommandContext& context, Stage& stage, Tests tests);

  /// Runs the tests in one process, and continues in a new one after each case that ends the
  /// process. `settings.nonce` and `settings.judges` are set here. A suite gets a digest
  /// of the seed, from which that of the worlds does not follow.
  [[nodiscard]] TestRun run(RunSettings settings);
  /// From here on they run against the library that was built in that folder. A student's library
  /// is the stage's subject, and the only one.
  void run_against(const std::filesystem::path& built);

 private:
  class Protocol;

  [[nodiscard]] LoadedProgram::Library library_for(Protocol& protocol, RunSettings settings) const;

  const CommandContext& context_;
  Stage& stage_;
  Tests tests_;
  LoadedProgram program_;
  std::map<std::filesystem::path, std::unique_ptr<LoadedProgram>> libraries_;
  LoadedProgram* library_ = nullptr;  ///< that they meet
};

}  // namespace watchlab::course
