#include "sim/explore/dfs_strategy.hpp"

#include <algorithm>

#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

DfsStrategy::DfsStrategy(const DfsBounds& bounds)
    : by_delays_(!is_unbounded(bounds.delays_max)),
      bound_last_(by_delays_ ? bounds.delays_max : bounds.preemptions_max),
      bound_(bounds.iterative ? 0 : bound_last_) {}

bool DfsStrategy::prepare(std::size_t /*run*/) {
  if (!started_) {
    started_ = true;
    return true;
  }
  return backtrack() || deepen();
}

void DfsStrategy::begin(const Scheduler& scheduler) {
  scheduler_ = &scheduler;
  depth_ = 0;
  spent_ = 0;
}

std::uint32_t DfsStrategy::choose(const Choice& choice) {
  if (depth_ == nodes_.size()) {
    nodes_.push_back(
        {.options = choice.options, .index = 0, .before = spent_, .costs = costs(choice)});
  }
  const Node& node = nodes_[depth_++];
  spent_ = node.before + cost_of(node, node.index);
  // A body that is not deterministic may offer less than last time; explore finds that out.
  return std::min(node.index, choice.options - 1);
}

bool DfsStrategy::costs(const Choice& choice) const {
  if (choice.kind != ChoiceKind::Actor) {
    return false;
  }
  return by_delays_ || &scheduler_->option(0) == choice.at;
}

int DfsStrategy::cost_of(const Node& node, std::uint32_t index) const {
  if (!node.costs || index == 0) {
    return 0;
  }
  return by_delays_ ? static_cast<int>(index) : 1;
}

bool DfsStrategy::backtrack() {
  for (; !nodes_.empty(); nodes_.pop_back()) {
    Node& node = nodes_.back();
    if (node.index + 1 == node.options) {
      continue;
    }
    if (!is_unbounded(bound_) && node.before + cost_of(node, node.index + 1) > bound_) {
      pruned_ = true;
      continue;
    }
    ++node.index;
    return true;
  }
  return false;
}

bool DfsStrategy::deepen() {
  if (!pruned_ || bound_ == bound_last_) {
    return false;
  }
  shown_ = bound_;
  const bool stepwise = !is_unbounded(bound_last_) || bound_ < kStepwiseMax;
  bound_ = stepwise ? bound_ + 1 : DfsBounds::kUnbounded;
  pruned_ = false;
  return true;
}

}  // namespace watchlab::sim
