#include "tests/sim/std/litmus/judges.hpp"

namespace watchlab::litmus {

namespace {

struct State {
  std::vector<std::size_t> next;  ///< the instruction, by thread
  std::vector<int> registers;
  std::vector<int> memory;
  auto operator<=>(const State&) const = default;
};

void step(State& state, const Instruction& one) {
  if (one.op == Op::Fence || !runs(one, state.registers)) {
    return;
  }
  int& cell = state.memory[static_cast<std::size_t>(one.location)];
  const int before = cell;
  if (writes(one, before)) {
    cell = written(one, before);
  }
  if (one.op != Op::Store) {
    state.registers[static_cast<std::size_t>(one.reg)] = before;
  }
}

void continue_from(const Program& program, const State& state, std::set<State>& seen,
                   Outcomes& outcomes) {
  if (!seen.insert(state).second) {
    return;
  }
  bool ended = true;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    if (state.next[thread] < program.threads[thread].size()) {
      State after = state;
      step(after, program.threads[thread][after.next[thread]++]);
      continue_from(program, after, seen, outcomes);
      ended = false;
    }
  }
  if (ended) {
    outcomes.insert(outcome(state.registers, state.memory));
  }
}

}  // namespace

Outcomes sequential_outcomes(const Program& program) {
  Outcomes outcomes;
  std::set<State> seen;
  continue_from(program,
                {.next = std::vector<std::size_t>(program.threads.size()),
                 .registers = std::vector<int>(static_cast<std::size_t>(program.registers), kUnset),
                 .memory = std::vector<int>(static_cast<std::size_t>(program.locations))},
                seen, outcomes);
  return outcomes;
}

}  // namespace watchlab::litmus
