#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// Small generated programs as data: what they do, but not on what.
namespace watchlab::sim {

/// What an instruction does; the names say it as Go would.
enum class Op : std::uint8_t {
  Section,
  Nested,
  TryLock,
  Wait,
  WaitWhile,
  WaitFor,
  NotifyOne,
  NotifyAll,
  SetAndNotify,
  Send,
  Receive,
  TrySend,
  TryReceive,
  SelectReceive,
  SelectMixed,
  PollMixed,
  Size,
  CloseDone,
  ReceiveDone,
  Load,
  Store,
  Add,
  Sleep,
  TimerOrReceive,
  TimerStop,
  TimerDrain,
  ReadSection,
  WriteSection,
  GroupDone,
  GroupWait,
  Yield,
  Choose,
  SpawnJoin,
  SpawnAsk,
};

/// "timer_or_receive"; how the Go programs of tests/conformance know it.
[[nodiscard]] std::string_view to_string(Op op);

struct Instruction {
  Op op;
  std::uint32_t which;  ///< of the objects, and other details
};

struct Listing {
  std::vector<std::vector<Instruction>> tasks;
  int group_count = 0;  ///< what the wait group counts down from
};

/// The program of that seed.
[[nodiscard]] Listing list_program(std::uint64_t seed);
/// The same without what Go does not have: waiting for a condition with a deadline, a choice of the
/// runtime, a look whether a task has ended, and a timer whose value stays after it was stopped.
[[nodiscard]] Listing list_go_program(std::uint64_t seed);

}  // namespace watchlab::sim
