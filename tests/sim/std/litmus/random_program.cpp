#include "tests/sim/std/litmus/random_program.hpp"

#include <initializer_list>

#include "sim/explore/random_numbers.hpp"

namespace watchlab::litmus {

namespace {

using enum std::memory_order;

class Generator {
 public:
  explicit Generator(std::uint64_t seed)
      : numbers_(seed), sc_percent_(below(3) * 40), locations_(1 + below(3)) {}

  Program program() {
    Program program{.threads = {}, .locations = locations_};
    const int threads = 2 + below(2);
    for (int thread = 0; thread < threads; ++thread) {
      program.threads.push_back(drawn_thread());
    }
    program.registers = registers_;
    return program;
  }

 private:
  int below(int bound) {
    return static_cast<int>(numbers_.below(static_cast<std::uint32_t>(bound)));
  }
  bool in_percent(int share) { return below(100) < share; }

  /// Sequentially consistent in this program's share, otherwise one of those.
  std::memory_order drawn_order(std::initializer_list<std::memory_order> others) {
    return in_percent(sc_percent_) ? seq_cst
                                   : others.begin()[below(static_cast<int>(others.size()))];
  }

  std::vector<Instruction> drawn_thread() {
    std::vector<Instruction> thread;
    const int first_register = registers_;
    const int accesses = 1 + below(3);
    for (int i = 0; i < accesses; ++i) {
      if (i > 0 && in_percent(25)) {
        thread.push_back(
            {.op = Op::Fence, .order = drawn_order({acquire, release, acq_rel, seq_cst})});
      }
      // The guard is drawn first, so that it is a register of an earlier instruction.
      const int guard = registers_ > first_register && in_percent(20)
                            ? first_register + below(registers_ - first_register)
                            : kUnset;
      thread.push_back(drawn_access());
      if (guard != kUnset) {
        thread.back().guard = guard;
        thread.back().guard_value = below(3);
      }
    }
    return thread;
  }

  Instruction drawn_access() {
    Instruction one{.location = below(locations_), .value = 1 + below(2)};
    const int kind = below(100);
    if (kind < 35) {
      one.op = Op::Store;
      one.order = drawn_order({relaxed, release});
      return one;
    }
    one.reg = registers_++;
    if (kind < 75) {
      one.op = Op::Load;
      one.order = drawn_order({relaxed, acquire});
      return one;
    }
    one.op = kind < 83 ? Op::Add : kind < 90 ? Op::Exchange : kind < 97 ? Op::Strong : Op::Weak;
    one.order = drawn_order({relaxed, acquire, release, acq_rel});
    if (one.op == Op::Strong || one.op == Op::Weak) {
      one.expected = below(3);
      one.failure = drawn_order({relaxed, acquire});
    }
    return one;
  }

  sim::RandomNumbers numbers_;
  int sc_percent_;
  int locations_;
  int registers_ = 0;
};

}  // namespace

Program random_program(std::uint64_t seed) { return Generator(seed).program(); }

}  // namespace watchlab::litmus
