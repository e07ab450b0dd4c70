#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exercises/grader/loaded_program.hpp"
#include "exercises/grader/stage.hpp"
#include "exercises/grader/workplace.hpp"
#include "exercises/toolkit/protocol.hpp"

namespace watchlab::course {

/// What is kept of the words of one case.
inline constexpr std::size_t case_text_bytes_max = 8 * 1024;

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
  std::string text;          ///< what went wrong, step by step where it is known
  std::string schedule;      ///< what replays it; "" where nothing does
  std::string asked;         ///< what it depends on beside the library: "the time"
};

/// "passed", "failed", "hung", "crashed" or "not run".
[[nodiscard]] std::string word_for(CaseRun::Outcome outcome);

/// How a test program got on with one library.
struct TestRun {
  std::vector<CaseRun> cases;  ///< by name
  std::string trouble;         ///< why not all of them could be run; "" when all could
  bool hung_outside = false;   ///< the watchdog ended it, and not in a case
  bool forged = false;         ///< something wrote reports that are not the toolkit's
  std::string output;          ///< of the first process
};

/// How the tests of a program come to the library that they test.
enum class Placement : std::uint8_t {
  /// The tests are the student's: `work/libtests.so` with the subject, in one process, which
  /// `judge/watchlab-suite` loads one after the other.
  Together,
  /// The library is the student's: `judge/tests` in one process, `work/host` with the subject in
  /// another, which so cannot write what came of it.
  Apart,
};

/// A program of tests of a stage with the stage's subject, as they are when it is first run. The
/// subject must stay as long as this lives.
class TestProgram {
 public:
  TestProgram(const Workplace& place, Stage& stage, Placement placement = Placement::Together);

  /// Runs it: in one process as long as that goes well, and in a new one after each case that ends
  /// it. `settings.nonce` is set here.
  [[nodiscard]] TestRun run(RunSettings settings);

 private:
  LoadedProgram program_;
  std::unique_ptr<LoadedProgram> library_;  ///< when it is apart
  std::chrono::steady_clock::time_point until_;
};

}  // namespace watchlab::course
