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

/// Two accesses to the same plain data, at least one of them a write, that nothing orders; in the
/// order in which they were played.
struct DataRace {
  struct Access {
    std::string task;  ///< its path
    bool writes = false;
    runtime::Location here;
    std::size_t step = 0;  ///< the visible operation that it follows
  };

  std::string data;  ///< "cell 'count'"; without a name "the cell of queue.hpp:12"
  Access first;
  Access second;
};

/// How a run went wrong.
struct Failure {
  /// deadlock, livelock, no end (the step limit was reached), violation, data race, exception, leak
  /// or divergence.
  std::string kind;
  /// What is wrong, in words; for a deadlock or leak with the wait-for graph, a line each.
  std::string sentence;
  /// Replays the run: see `Schedule`.
  std::string schedule;
  /// Visible operations done when it happened.
  std::size_t steps = 0;
  /// Of a data race, where the run is at hand.
  std::optional<DataRace> race{};
  /// It took seconds of real time to be found, as that a program outside does not answer. Another
  /// run would take them again, and find the same.
  bool slow = false;
};

/// An invariant of the code under study was found false. Thrown by a task, it ends the run with a
/// failure of kind violation; its text is the message.
class Violation : public std::runtime_error {
 public:
  /// `slow` is that of the failure.
  explicit Violation(const std::string& message, bool slow = false)
      : std::runtime_error(message), slow_(slow) {}
  [[nodiscard]] bool slow() const { return slow_; }

 private:
  bool slow_;
};

/// One visible operation, for people to read.
struct StepRecord {
  std::size_t step = 0;  ///< counts from 1
  runtime::TimePoint at;
  std::string task;   ///< the path of the task or timer
  std::string label;  ///< what the task said it was doing
  OperationKind kind = OperationKind::Start;
  std::string object;  ///< "mutex 'queue'"; "" when the operation concerns only the task
  runtime::Location here;

  /// "main/a: lock mutex 'queue' (queue.cpp:12)".
  [[nodiscard]] std::string to_string() const;
};

/// Something that core or a story noted.
struct NoteRecord {
  runtime::TimePoint at;
  std::size_t step = 0;  ///< the visible operation that it follows
  std::string task;
  std::string label;
  std::string kind;
  std::string subject;
  std::string text;
  std::string by{};  ///< of a call: the name of the handler, if it has one; no part of digests
};

/// What came of one run.
struct RunResult {
  std::optional<Failure> failure;
  bool abandoned = false;        ///< the strategy ended it early; neither held nor failed
  bool spun = false;             ///< a loop that changed nothing had to let others go
  std::uint32_t loop_turns = 0;  ///< equal turns of a loop that went on and came to its end
  bool made_fair = false;        ///< it was so long that who had gone on had to let others go
  std::uint64_t digest = 0;      ///< of every decision, step, note and moment
  std::size_t steps = 0;         ///< visible operations
  std::size_t decisions = 0;     ///< choices who goes next among two or more
  std::size_t deviations = 0;    ///< decisions that went another way than `fifo`
  std::size_t preemptions = 0;   ///< of those, switches away from a task that could have continued
  bool time_held_back = false;   ///< a task ran while time could have passed, had one more early
                                 ///< advance been allowed
  std::size_t lost_tasks = 0;    ///< that could not unwind: what their frames owned is leaked
  std::string schedule;          ///< of failures and recorded runs; otherwise ""
  runtime::TimePoint started;
  runtime::TimePoint ended;
  std::vector<NoteRecord> notes;        ///< of recorded runs
  std::vector<StepRecord> steps_taken;  ///< of recorded runs
};

}  // namespace watchlab::sim
