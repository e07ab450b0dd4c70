#pragma once

#include <atomic>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::litmus {

/// Registers that no instruction has written, and those of a weak exchange that read the value it
/// expected and failed all the same.
constexpr int kUnset = -1;
constexpr int kFailed = -2;

enum class Op : unsigned char { Load, Store, Add, Exchange, Strong, Weak, Fence };

/// One access of an atomic, or a fence. `Strong` and `Weak` are the two compare-exchanges.
struct Instruction {
  Op op = Op::Load;
  int location = 0;
  int reg = kUnset;  ///< takes the value read, for all that read
  int value = 0;     ///< stored, added, or desired
  int expected = 0;
  std::memory_order order = std::memory_order_relaxed;
  std::memory_order failure = std::memory_order_relaxed;
  int guard = kUnset;  ///< a register of the same thread; skipped unless it holds `guard_value`
  int guard_value = 0;
};

/// A litmus test: some threads without loops, all locations zero at the beginning. As text, threads
/// are separated by `||` and instructions by `;`. Locations are x, y, z and w, registers are a to
/// m:
///
///     x=1 rel            store              a=x acq             load
///     a=x+1 rlx          fetch_add          a=x<-1 acq_rel      exchange
///     a=x?0:1 sc rlx     strong exchange from 0 to 1, order of its success and of its failure
///     a=x~0:1 sc rlx     the same, weak
///     fence sc           atomic_thread_fence
///     if a=1 b=x rlx     the rest only if a is 1
struct Program {
  std::vector<std::vector<Instruction>> threads;
  int locations = 0;
  int registers = 0;
};

/// Throws `std::invalid_argument` for a text that is none.
[[nodiscard]] Program parsed(std::string_view text);
/// What `parsed` reads.
[[nodiscard]] std::string to_string(const Program& program);

/// How a run can end: the registers in alphabetical order, `|`, the last values of the locations in
/// the order above; `-` for `kUnset` and `f` for `kFailed`.
using Outcomes = std::set<std::string>;
[[nodiscard]] std::string outcome(const std::vector<int>& registers,
                                  const std::vector<int>& memory);

/// What an instruction does that can run: whether a read of `value` makes it write, and what.
[[nodiscard]] bool writes(const Instruction& instruction, int value);
[[nodiscard]] int written(const Instruction& instruction, int value);
/// Whether its guard lets it run.
[[nodiscard]] bool runs(const Instruction& instruction, const std::vector<int>& registers);

}  // namespace watchlab::litmus
