#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/sim/explore/oracle/listing.hpp"

namespace watchlab::sim::oracle {

/// What kind of choice stands within a step; the values are those of the recorded text.
enum class Pick : char { Waiter = 'w', Case = 'c', Partner = 'p', Parked = 'k', Value = 'v' };

/// Answers the choices within one step, and goes through all ways to answer them.
class Picks {
 public:
  /// One of `options`; not asked when there is but one.
  int pick(Pick kind, std::size_t options);
  /// Moves to the next way; false when there is none.
  [[nodiscard]] bool advance();
  /// Begins again from the first choice.
  void rewind() { next_ = 0; }
  /// "w1k0": each choice that was asked and its answer.
  [[nodiscard]] std::string to_string() const;

 private:
  struct Answer {
    Pick kind;
    int options;
    int value;
  };
  std::vector<Answer> answers_;
  std::size_t next_ = 0;
};

[[nodiscard]] constexpr std::uint64_t bit(int number) {
  return std::uint64_t{1} << static_cast<unsigned>(number);
}

/// Where a task stands with its present instruction.
enum class Phase : std::uint8_t {
  Unborn,
  Begin,      ///< has been started and has not run
  Pending,    ///< the instruction's first step is next
  Parked,     ///< waits to be released
  Released,   ///< goes on
  Relocking,  ///< wants its mutex again after a wait on a condition
  Completed,  ///< another task has carried out its send or receive
  Gone,
};

struct TaskState {
  Phase phase = Phase::Unborn;
  int place = 0;           ///< of the instruction in the listing
  std::uint64_t held = 0;  ///< mutexes
  bool reads = false;      ///< holds the readers-writer lock so
  bool writes = false;
  bool notified = false;  ///< of the wait that it relocks after
  std::uint32_t started = 0;
  int deadline = -1;  ///< of a sleep or a wait, in ms; -1 for none
  int arm = 0;        ///< when completed
  int value = 0;      ///< what came through that arm
  std::vector<int> seen = {};
};

struct ChannelState {
  bool closed = false;
  std::vector<int> buffer = {};
};

struct TimerState {
  int deadline = -1;
  bool due = false;
};

/// Everything that can make a difference to what happens from here on, or has been observed.
struct State {
  int now = 0;
  std::vector<TaskState> tasks;
  std::vector<int> cells;
  std::vector<int> data;     ///< guarded by the mutexes
  std::uint64_t locked = 0;  ///< mutexes
  bool turn_taken = false;   ///< a writer holds the readers-writer lock or waits for its readers
  std::uint32_t readers = 0;
  std::vector<ChannelState> channels;
  int group = 0;
  std::vector<TimerState> timers;

  /// Equal for equal states only.
  [[nodiscard]] std::string key() const;
};

/// A step of one actor, with everything that was picked within it.
struct Step {
  int actor = 0;           ///< a task's number; a timer's counts on from the number of tasks
  std::string label;       ///< what happened: which arm, which partner, which waiter, which value
  std::string picks;       ///< how the choices on the way were answered
  int partner = -1;        ///< of a rendezvous that it carries out
  bool completed = false;  ///< goes on after a rendezvous that another task has carried out
};

/// The programs as a state machine: what the primitives promise (core/runtime), at the grain of the
/// simulated runtime, where a task's step is one visible operation together with what the task does
/// up to its next one, which is then published. Time passes when no actor can take a step.
class Model {
 public:
  explicit Model(const Listing& listing);

  [[nodiscard]] State initial() const;
  [[nodiscard]] int actors() const;
  /// Whether the actor can take a step.
  [[nodiscard]] bool can_step(const State& state, int actor) const;
  /// Carries out the actor's step in `state`.
  [[nodiscard]] Step step(State& state, int actor, Picks& picks) const;
  /// Whether all tasks have ended.
  [[nodiscard]] bool has_ended(const State& state) const;
  /// Whether leaving this actor for another is free, though it could go on.
  [[nodiscard]] bool yields(const State& state, int actor) const;
  /// What the run shows: the observations of each task, and who has not ended.
  [[nodiscard]] static std::string outcome(const State& state);

 private:
  /// What is picked within a step, and what is known of it so far.
  struct Doing {
    Picks& picks;
    Step& step;
  };
  struct Partner {
    int task;
    int arm;
  };

  [[nodiscard]] const Instruction* present(const State& state, int task) const;
  [[nodiscard]] const std::vector<Arm>& arms(const Instruction& instruction) const;
  [[nodiscard]] bool is_skipped(const TaskState& me, const Instruction& instruction) const;
  [[nodiscard]] bool pending_can_step(const State& state, int task) const;
  [[nodiscard]] std::string arrive(State& state, int task, Picks& picks) const;
  [[nodiscard]] bool does_locally(State& state, int task, Picks& picks, std::string& label) const;
  void publish(State& state, int task) const;
  void forget_difference(State& state) const;
  void pass_time(State& state) const;
  void fire(State& state, int timer) const;

  [[nodiscard]] bool carry_out(State& state, int task, const Doing& doing) const;
  void use_cell(State& state, int task, const Instruction& instruction) const;
  void use_mutex(State& state, int task, const Instruction& instruction) const;
  [[nodiscard]] bool use_table(State& state, int task, const Instruction& instruction) const;
  [[nodiscard]] std::string notify(State& state, const Instruction& instruction,
                                   Picks& picks) const;
  [[nodiscard]] bool wait(State& state, int task, const Instruction& instruction) const;
  void use_time(State& state, int task, const Instruction& instruction) const;
  void close(State& state, int task, const Instruction& instruction) const;

  [[nodiscard]] bool open_alone(const State& state, const Arm& arm) const;
  [[nodiscard]] std::vector<Partner> partners(const State& state, int task, const Arm& arm,
                                              bool polls) const;
  [[nodiscard]] bool is_ready(const State& state, int task) const;
  [[nodiscard]] std::string select(State& state, int task, const Doing& doing) const;
  [[nodiscard]] std::string carry_out_arm(State& state, int task, int arm,
                                          const Doing& doing) const;
  void show_select(State& state, int task, int arm, int value) const;

  Listing listing_;
  std::vector<bool> spawned_;
  int cells_;
  int mutexes_;
};

}  // namespace watchlab::sim::oracle
