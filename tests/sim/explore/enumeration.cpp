#include "tests/sim/explore/enumeration.hpp"

#include "sim/explore/dfs_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {

void Outcome::add(runtime::Runtime& runtime, const std::string& task, const std::string& text) {
  if (!dynamic_cast<World&>(runtime).scheduler().stopping()) {
    lines_[task] += text + " ";
  }
}

std::string Outcome::to_string() const {
  std::string text;
  for (const auto& [task, line] : lines_) {
    text += task + ": " + line + "| ";
  }
  return text;
}

Enumeration enumerate(Strategy& strategy, const Program& program, std::size_t runs_max) {
  World world;
  Enumeration found;
  for (std::size_t run = 0; run < runs_max; ++run) {
    if (!strategy.prepare(run)) {
      found.exhausted = true;
      break;
    }
    const RunResult result = world.run(strategy, program.body);
    if (result.abandoned) {
      ++found.blocked;
    } else if (strategy.repeated()) {
      ++found.repeated;
    } else {
      ++found.executions;
      found.stuck += result.failure ? 1 : 0;
      found.digests.insert(result.digest);
      found.outcomes.insert(program.outcome->to_string() +
                            (result.failure ? result.failure->kind : ""));
    }
  }
  return found;
}

Enumeration brute_force(const Program& program, std::size_t runs_max) {
  DfsStrategy strategy({.iterative = false});
  return enumerate(strategy, program, runs_max);
}

}  // namespace watchlab::sim
