#include "sim/explore/turning_points.hpp"

#include <algorithm>

#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

void note(const Actor& actor, std::vector<std::uint64_t>& into) {
  if (const SimObject* const object = actor.pending().object) {
    into.push_back(object->digest());
  }
}

}  // namespace

void TurningPoints::begin(const Scheduler& scheduler) {
  StrategyDecorator::begin(scheduler);
  scheduler_ = &scheduler;
  left_at_.clear();
  awaited_.clear();
}

std::uint32_t TurningPoints::choose(const Choice& choice) {
  const std::uint32_t index = StrategyDecorator::choose(choice);
  if (choice.kind == ChoiceKind::Actor && index != 0) {
    note(*choice.at, left_at_);
  }
  return index;
}

void TurningPoints::idle() {
  StrategyDecorator::idle();
  awaited_.clear();  // only the last time counts, from which the run did not get on
  for (const Actor* const actor : scheduler_->actors()) {
    note(*actor, awaited_);
  }
}

std::vector<std::uint64_t> TurningPoints::objects() const {
  std::vector<std::uint64_t> all = left_at_;
  all.insert(all.end(), awaited_.begin(), awaited_.end());
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

}  // namespace watchlab::sim
