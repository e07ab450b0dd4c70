#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "core/runtime/time.hpp"
#include "sim/kernel/operation.hpp"

namespace watchlab::sim {

/// Two unordered accesses to the same plain data, at least one of them a write, in the order in
/// which they were played.
struct DataRace {
  struct Access {
    std::string task;  ///< its path
    bool writes = false;
    runtime::Location here;
    std::size_t step = 0;  ///< the visible operation before it
  };

  std::string data;  ///< "cell 'count'"; without a name "the cell of queue.hpp:12"
  Access first;
  Access second;
};

/// How a run failed.
struct Failure {
  /// deadlock, livelock, no end (the step limit was reached), violation, data race, exception, leak
  /// or divergence.
  std::string kind;
  /// What is wrong, in words. For a deadlock or leak it includes the wait-for graph, one edge per
  /// line.
  std::string sentence;
  /// Replays the run: see `Schedule`.
  std::string schedule;
  /// How many visible operations had been done when it failed.
  std::size_t steps = 0;
  /// For a data race, if the run is available.
  std::optional<DataRace> race{};
  /// Finding this failure took seconds of real time, for example because an external program did
  /// not respond. Another run would take as long and find the same.
  bool slow = false;
};

/// Thrown by a task when an invariant of the code under test is false. It ends the run with a
/// failure of kind violation, with its text as the message.
class Violation : public std::runtime_error {
 public:
  /// `slow` is passed on to the failure.
  explicit Violation(const std::string& message, bool slow = false)
      : std::runtime_error(message), slow_(slow) {}
  [[nodiscard]] bool slow() const { return slow_; }

 private:
  bool slow_;
};

/// Thrown by a task when what it was told to do makes no sense: no finding about the code under
/// test. It ends the run with a failure of kind exception that says only this text.
class RunMistake : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One visible operation, in readable form.
struct StepRecord {
  std::size_t step = 0;  ///< counts from 1
  runtime::TimePoint at;
  std::string task;   ///< the path of the task or timer
  std::string label;  ///< the label that the task has set
  OperationKind kind = OperationKind::Start;
  std::string object;  ///< "mutex 'queue'"; "" if the operation concerns only the task
  runtime::Location here;

  /// "main/a: lock mutex 'queue' (queue.cpp:12)".
  [[nodiscard]] std::string to_string() const;
};

/// A note from core or from a story: lines for people, see `visible_line`.
struct NoteRecord {
  runtime::TimePoint at;
  std::size_t step = 0;  ///< the visible operation before it
  std::string task;
  std::string label;
  std::string kind;
  std::string subject;
  std::string text;
  std::string by{};  ///< for a call: the name of the handler, if it has one; not part of digests
};

/// The result of one run.
struct RunResult {
  std::optional<Failure> failure;
  bool abandoned = false;        ///< the strategy ended it early: neither passed nor failed
  bool spun = false;             ///< a loop that changed nothing had to let others run
  std::uint32_t loop_turns = 0;  ///< equal turns of a loop that went on and then ended
  bool made_fair = false;        ///< it was so long that running tasks had to let others run
  std::uint64_t digest = 0;      ///< over every decision, step, note and time
  std::size_t steps = 0;         ///< visible operations
  std::size_t decisions = 0;     ///< choices of who goes next among two or more
  std::size_t deviations = 0;    ///< decisions that differ from `fifo`
  std::size_t preemptions = 0;   ///< of those, switches away from a task that could have continued
  bool time_held_back = false;   ///< a task ran while time could have passed, had one more early
                                 ///< advance been allowed
  std::size_t lost_tasks = 0;    ///< tasks that were not unwound; their frames leak
  std::string schedule;          ///< for failures and recorded runs; otherwise ""
  runtime::TimePoint started;
  runtime::TimePoint ended;
  std::vector<NoteRecord> notes;        ///< for recorded runs
  std::vector<StepRecord> steps_taken;  ///< for recorded runs
};

}  // namespace watchlab::sim
