#include "tests/sim/std/litmus/world_outcomes.hpp"

#include <deque>

#include "sim/std/atomic.hpp"
#include "sim/std/thread.hpp"

namespace watchlab::litmus {

namespace {

using Cells = std::deque<stdx::atomic<int>>;

int exchanged(const Instruction& one, stdx::atomic<int>& cell) {
  int expected = one.expected;
  const bool done = one.op == Op::Strong
                        ? cell.compare_exchange_strong(expected, one.value, one.order, one.failure)
                        : cell.compare_exchange_weak(expected, one.value, one.order, one.failure);
  return !done && expected == one.expected ? kFailed : expected;
}

int read_value(const Instruction& one, stdx::atomic<int>& cell) {
  switch (one.op) {
    case Op::Load:
      return cell.load(one.order);
    case Op::Add:
      return cell.fetch_add(one.value, one.order);
    case Op::Exchange:
      return cell.exchange(one.value, one.order);
    case Op::Strong:
    case Op::Weak:
      return exchanged(one, cell);
    case Op::Store:
    case Op::Fence:
      break;
  }
  return kUnset;
}

void play(const std::vector<Instruction>& thread, Cells& cells, std::vector<int>& registers) {
  for (const Instruction& one : thread) {
    if (!runs(one, registers)) {
      continue;
    }
    stdx::atomic<int>& cell = cells[static_cast<std::size_t>(one.location)];
    if (one.op == Op::Fence) {
      stdx::atomic_thread_fence(one.order);
    } else if (one.op == Op::Store) {
      cell.store(one.value, one.order);
    } else {
      registers[static_cast<std::size_t>(one.reg)] = read_value(one, cell);
    }
  }
}

/// The first thread of the program is that which starts and joins the others, and at last reads
/// what they have left: all their writes happen before these reads, so each has one value to read.
std::string played(const Program& program) {
  Cells cells;
  for (int i = 0; i < program.locations; ++i) {
    cells.emplace_back(0);
  }
  std::vector<int> registers(static_cast<std::size_t>(program.registers), kUnset);
  std::vector<stdx::thread> others;
  others.reserve(program.threads.size());
  for (std::size_t i = 1; i < program.threads.size(); ++i) {
    others.emplace_back([&, i] { play(program.threads[i], cells, registers); });
  }
  play(program.threads[0], cells, registers);
  for (stdx::thread& other : others) {
    other.join();
  }
  std::vector<int> memory;
  for (const auto& cell : cells) {
    memory.push_back(cell.load(std::memory_order_relaxed));
  }
  return outcome(registers, memory);
}

}  // namespace

Explored explored(const Program& program, sim::Memory memory, const std::string& strategy) {
  Explored result;
  const sim::ExploreResult search =
      sim::explore({.strategy = strategy, .schedules_max = 5'000'000, .memory = memory},
                   [&](runtime::Runtime&) { result.outcomes.insert(played(program)); });
  result.whole = search.exhausted && !search.failure;
  result.executions = search.executions;
  if (search.failure) {
    result.failure = search.failure->sentence;
  }
  return result;
}

}  // namespace watchlab::litmus
