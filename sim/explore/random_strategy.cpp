#include "sim/explore/random_strategy.hpp"

#include <algorithm>

#include "sim/kernel/mix.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

bool BoundedRandomStrategy::prepare(std::size_t run) {
  (void)SamplingStrategy::prepare(run);
  for (std::uint32_t& place : places_) {
    place = numbers().below(std::max(seen_, 1U));
  }
  return true;
}

void BoundedRandomStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
  seen_ = 0;
}

std::uint32_t BoundedRandomStrategy::choose(const Choice& choice) {
  const bool preempts = choice.kind == ChoiceKind::Actor && &scheduler().option(0) == choice.at;
  if (!preempts) {
    return random_alternative(choice, numbers());
  }
  const bool leaves = std::ranges::find(places_, seen_++) != places_.end();
  return leaves ? 1 + numbers().below(choice.options - 1) : 0;
}

}  // namespace watchlab::sim
