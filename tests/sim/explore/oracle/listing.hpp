#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// An oracle for exploration that shares nothing with sim/explore: small programs as text, a state
/// machine of its own that carries them out, and the classes of all their runs. See comparison.hpp.
namespace watchlab::sim::oracle {

/// What an instruction does. `object` numbers the cells, mutexes, conditions, channels … of its
/// kind.
enum class Verb : std::uint8_t {
  Load,
  Store,     ///< a value that no other instruction stores
  Add,       ///< 1
  Exchange,  ///< against a value that no other instruction stores
  Cas,       ///< from `number` to such a value
  Lock,
  Unlock,
  TryLock,
  Touch,  ///< plain data that the mutex guards: reads it and counts it up
  ReadLock,
  ReadUnlock,
  WriteLock,
  WriteUnlock,
  Wait,     ///< on condition `object` under mutex `number`
  WaitFor,  ///< the same for `delay` milliseconds
  NotifyOne,
  NotifyAll,
  Send,
  Receive,
  TrySend,
  TryReceive,
  Close,
  Size,
  Select,
  Poll,
  GroupAdd,  ///< `object`
  GroupDone,
  GroupWait,
  TimerStop,
  TimerReset,  ///< to `delay` milliseconds from now
  Sleep,
  Yield,
  Choose,  ///< one of `object` values
  Order,   ///< of two things
  Spawn,   ///< the task number `object`
  Join,
  Ended,
};

/// An arm of a select.
struct Arm {
  bool sends;
  int channel;
};

struct Instruction {
  Verb verb = Verb::Yield;
  int object = 0;
  int number = 0;
  int delay = 0;
  std::vector<Arm> arms = {};
};

/// Channel N has capacity N for N = 0, 1, 2; channel 3 has none; 4 is the nil channel; 5 and 6 are
/// those of timers 0 and 1.
constexpr int kChannels = 7;
constexpr int kNilChannel = 4;
constexpr int kFirstTimerChannel = 5;
constexpr int kTimers = 2;
[[nodiscard]] constexpr int capacity_of(int channel) {
  return channel >= kFirstTimerChannel ? 1 : channel % 3;
}

/// What the tasks of a program do. Instructions that are impossible for their task are skipped
/// without a step: an unlock of what it does not hold, a lock of what it does, a wait without its
/// mutex, a join of what it has not started. So every part of a listing is a listing.
struct Listing {
  std::vector<std::vector<Instruction>> tasks;
  std::vector<int> timers =
      std::vector<int>(kTimers, 0);  ///< armed with that many ms; 0 is unarmed

  [[nodiscard]] bool has(Verb verb) const;
  /// Whether a task starts it; all others are there from the start.
  [[nodiscard]] bool is_spawned(std::size_t task) const;
  /// How many objects of the kind that these verbs act on: one more than the greatest number.
  [[nodiscard]] int count(Verb first, Verb last) const;
  /// What the wait group counts down from: as often as an instruction does so.
  [[nodiscard]] int group_count() const;
  /// The same with each task letting go at its end of what it may hold.
  [[nodiscard]] Listing released() const;
  /// Instructions of all tasks.
  [[nodiscard]] std::size_t size() const;
};

/// What a store, an exchange or a send of that place in the listing carries.
[[nodiscard]] constexpr int value_at(std::size_t task, std::size_t place) {
  return static_cast<int>(100 * (task + 1) + place);
}

/// "timers 1 2 | store 0; load 1 | select s0 r1; sleep 1": tasks between bars, in order.
[[nodiscard]] std::string to_string(const Listing& listing);
/// Throws `std::invalid_argument` for what is no listing.
[[nodiscard]] Listing parse_listing(std::string_view text);

/// The listing of that seed: two to six tasks, at most twelve instructions in all, over everything
/// that there is a `Verb` for. A seed picks a theme first, so that what belongs together meets.
/// (generator.cpp)
[[nodiscard]] Listing generate(std::uint64_t seed);

}  // namespace watchlab::sim::oracle
