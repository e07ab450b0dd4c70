#include "tests/sim/explore/program_listing.hpp"

#include <array>
#include <utility>

#include "sim/explore/random_numbers.hpp"

namespace watchlab::sim {
namespace {

constexpr std::array<std::string_view, 34> kOpNames{
    "section",       "nested",         "try_lock",
    "wait",          "wait_while",     "wait_for",
    "notify_one",    "notify_all",     "set_and_notify",
    "send",          "receive",        "try_send",
    "try_receive",   "select_receive", "select_mixed",
    "poll_mixed",    "size",           "close_done",
    "receive_done",  "load",           "store",
    "add",           "sleep",          "timer_or_receive",
    "timer_stop",    "timer_drain",    "read_section",
    "write_section", "group_done",     "group_wait",
    "yield",         "choose",         "spawn_join",
    "spawn_ask"};

/// What instructions a program is made of.
const std::vector<std::vector<Op>>& themes() {
  static const std::vector<std::vector<Op>> kThemes{
      {Op::Section, Op::Nested, Op::TryLock, Op::Load},
      {Op::Wait, Op::WaitWhile, Op::NotifyOne, Op::NotifyAll, Op::SetAndNotify, Op::Section},
      {Op::WaitFor, Op::Wait, Op::NotifyOne, Op::SetAndNotify, Op::Sleep, Op::NotifyAll},
      {Op::Send, Op::Receive, Op::Send, Op::Receive, Op::Section, Op::Load},
      {Op::Send, Op::Receive, Op::TrySend, Op::TryReceive, Op::Size},
      {Op::Send, Op::Receive, Op::SelectReceive, Op::SelectMixed},
      {Op::Send, Op::PollMixed, Op::SelectReceive, Op::CloseDone, Op::ReceiveDone},
      {Op::Load, Op::Store, Op::Add, Op::Store, Op::Load, Op::Section},
      {Op::Sleep, Op::TimerOrReceive, Op::TimerStop, Op::Send, Op::Store, Op::Load},
      {Op::ReadSection, Op::WriteSection, Op::Section, Op::ReadSection},
      {Op::GroupDone, Op::GroupWait, Op::Store, Op::Load},
      {Op::Yield, Op::Choose, Op::SpawnJoin, Op::SpawnAsk, Op::Store, Op::Load},
  };
  return kThemes;
}

/// The nearest thing that Go has.
Op in_go(Op op) {
  switch (op) {
    case Op::WaitFor:
      return Op::Wait;
    case Op::Choose:
      return Op::Yield;
    case Op::SpawnAsk:
      return Op::SpawnJoin;
    case Op::TimerStop:
      return Op::TimerDrain;
    default:
      return op;
  }
}

}  // namespace

std::string_view to_string(Op op) { return kOpNames.at(static_cast<std::size_t>(op)); }

Listing list_program(std::uint64_t seed) {
  RandomNumbers random(seed);
  const auto& all = themes();
  const std::uint32_t theme = random.below(static_cast<std::uint32_t>(all.size()) + 2);
  const auto pick = [&] {
    const auto& ops =
        all[theme < all.size() ? theme : random.below(static_cast<std::uint32_t>(all.size()))];
    return ops[random.below(static_cast<std::uint32_t>(ops.size()))];
  };
  Listing listing;
  listing.tasks.resize(2 + random.below(3));
  const std::uint32_t length_max = listing.tasks.size() == 2 ? 4 : 2;
  bool closes = false;
  for (std::vector<Instruction>& task : listing.tasks) {
    for (std::uint32_t left = 1 + random.below(length_max); left > 0; --left) {
      Op op = pick();
      if (op == Op::CloseDone && std::exchange(closes, true)) {
        op = Op::ReceiveDone;  // to close twice would be a failure
      }
      listing.group_count += op == Op::GroupDone ? 1 : 0;
      task.push_back({op, random.below(8)});
    }
  }
  return listing;
}

Listing list_go_program(std::uint64_t seed) {
  Listing listing = list_program(seed);
  for (std::vector<Instruction>& task : listing.tasks) {
    for (Instruction& instruction : task) {
      instruction.op = in_go(instruction.op);
    }
  }
  return listing;
}

}  // namespace watchlab::sim
