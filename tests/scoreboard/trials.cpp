#include "tests/scoreboard/trials.hpp"

#include "sim/explore/explore.hpp"

namespace watchlab::scoreboard {

bool is_systematic(std::string_view strategy) { return strategy == "dfs" || strategy == "dpor"; }

bool is_of(const Program& program, std::string_view kind) {
  return program.kind.find(kind) != std::string_view::npos;
}

std::vector<Trial> play(const Program& program, const Plan& plan) {
  std::vector<Trial> trials;
  const int count = is_systematic(plan.strategy) ? 1 : plan.trials;
  for (int i = 0; i < count; ++i) {
    const sim::ExploreResult result =
        sim::explore({.strategy = plan.strategy, .seed = plan.seed + i, .schedules_max = plan.cap},
                     [&](runtime::Runtime&) { program.body(); });
    Trial trial{.schedules = result.executions + result.blocked, .exhausted = result.exhausted};
    if (result.failure) {
      trial.kind = result.failure->kind;
    }
    trials.push_back(trial);
  }
  return trials;
}

}  // namespace watchlab::scoreboard
