#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Generated programs beyond listings: a theme is a table of operations, and everything else is
/// shared. What a theme's programs show is judged by brute force on the simulated world, and where
/// each operation says what it does by a state machine of its own, too. See judgement.hpp.
namespace watchlab::sim::oracle {

class Player;
class ModelTask;
struct Op;

/// What an operation works on; each kind has its own numbers.
enum class Kind : std::uint8_t {
  None,
  Atomic,
  Flag,
  Mutex,
  TimedMutex,
  RecursiveMutex,
  RecursiveTimedMutex,
  SharedMutex,
  Semaphore,
  Latch,
  Barrier,
  Condition,
  ConditionAny,
  Once,
  Promise,
  Call,
  Source,
  Watched,
  // those of core
  Cell,
  Lock,
  Table,
  Signal,
  Channel,
  Timer,
  Group,
  Task,
};
constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::Task) + 1;

/// An operation that programs are made of.
struct Word {
  /// As one reads it: {o} is the object's number, {n} a number, {v} a value of that place alone.
  std::string_view text;
  Kind kind = Kind::None;
  int objects = 1;  ///< at most so many
  int numbers = 1;  ///< `number` is below that
  void (*play)(Player& player, const Op& op) = nullptr;
  /// The same as one step of a state machine; false when it cannot be taken now. Null where the
  /// state machine does not know it: then brute force judges alone.
  bool (*model)(ModelTask& task, const Op& op) = nullptr;
  std::string_view undo = "";  ///< the text of what takes it back at the end of the task
};

/// Whether an operation is carried out; otherwise it is passed over without a step.
enum class When : std::uint8_t {
  Always,
  Seen,    ///< what the task has seen last is not 0
  Unseen,  ///< it is 0
};

struct Op {
  const Word* word = nullptr;
  int object = 0;
  int number = 0;
  When when = When::Always;
};

/// Where the objects of a program come from.
enum class Storage : std::uint8_t {
  Root,   ///< the root makes them
  Older,  ///< they are older than the world, as static ones are
  Once,   ///< who needs one first makes it, within a `call_once`
};

/// Operations that belong together. A word that stands twice comes twice as often.
using WordGroup = std::vector<Word>;

struct Theme {
  std::string_view name;
  std::vector<WordGroup> groups;
  bool advances = false;  ///< time may pass early: up to twice
  bool is_core = false;   ///< runtime::Runtime and not watchlab/std: objects are the root's
  bool polls = false;     ///< tasks may read one atomic again and again
  bool fails = false;     ///< programs may fail and forget to give back what they hold
};

/// All of them.
[[nodiscard]] const std::vector<Theme>& program_themes();
/// Throws `std::invalid_argument`, naming all.
[[nodiscard]] const Theme& program_theme(std::string_view name);

struct Program {
  const Theme* theme = nullptr;
  std::uint64_t seed = 0;
  std::vector<std::vector<Op>> tasks;
  Storage storage = Storage::Root;
  bool joins = true;  ///< whether the root waits for the tasks
  int advances = 0;   ///< how often time may pass while tasks are ready

  /// One more than the greatest number of an object of that kind.
  [[nodiscard]] int count(Kind kind) const;
  /// How many operations there are on that object whose text holds `part`.
  [[nodiscard]] int mentions(Kind kind, int object, std::string_view part) const;
  /// With what the object begins.
  [[nodiscard]] int initial(Kind kind, int object) const;
  /// Whether another task starts it.
  [[nodiscard]] bool is_spawned(std::size_t task) const;
  [[nodiscard]] std::size_t size() const;
};

/// A value that no other place of a program carries.
[[nodiscard]] constexpr int program_value(std::size_t task, std::size_t place) {
  return static_cast<int>(100 * (task + 1) + place);
}

/// The program of that seed: two to four tasks that say a few words each.
[[nodiscard]] Program write_program(const Theme& theme, std::uint64_t seed);
/// A program to read, a task a line.
[[nodiscard]] std::string to_string(const Program& program);

/// The outcomes by the state machine. Not complete where a word is not known to it or there are too
/// many states.
struct Modelled {
  bool complete = false;
  std::set<std::string> outcomes = {};
};
[[nodiscard]] Modelled model_outcomes(const Program& program, std::size_t states_max);

}  // namespace watchlab::sim::oracle
