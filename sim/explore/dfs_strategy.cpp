#include "sim/explore/dfs_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/sim_object.hpp"

namespace watchlab::sim {

std::uint32_t canonical_index(const Choice& choice, std::uint32_t value) {
  if (choice.candidates.empty()) {
    return value;
  }
  std::vector<std::uint32_t> indices(choice.candidates.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(), [&](std::uint32_t a, std::uint32_t b) {
    return choice.candidates[a]->digest() < choice.candidates[b]->digest();
  });
  return value < indices.size() ? indices[value] : 0;
}

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
  Strategy::begin(scheduler);
  depth_ = 0;
  spent_ = 0;
}

namespace {

/// How many there are without the impossible ones at the end.
std::uint32_t possible_options(const Choice& choice) {
  std::uint32_t options = choice.options;
  while (options > 1 && !choice.is_possible(options - 1)) {
    --options;
  }
  return options;
}

}  // namespace

std::uint32_t DfsStrategy::choose(const Choice& choice) {
  if (depth_ == nodes_.size()) {
    nodes_.push_back({.options = possible_options(choice),
                      .index = 0,
                      .before = spent_,
                      .costs = costs(choice)});
  }
  Node& node = nodes_[depth_++];
  while (node.index + 1 < node.options && !choice.is_possible(node.index)) {
    ++node.index;
  }
  spent_ = node.before + cost_of(node, node.index);
  // A body that is not deterministic may offer less than last time; explore finds that out.
  return std::min(node.index, choice.options - 1);
}

bool DfsStrategy::costs(const Choice& choice) const {
  if (choice.kind != ChoiceKind::Actor) {
    return false;
  }
  return by_delays_ || &scheduler().option(0) == choice.at;
}

int DfsStrategy::cost_of(const Node& node, std::uint32_t index) const {
  if (!node.costs || index == 0) {
    return 0;
  }
  return by_delays_ ? static_cast<int>(index) : 1;
}

std::uint32_t DfsStrategy::allowed(const Node& node) const {
  if (is_unbounded(bound_) || !node.costs) {
    return node.options;
  }
  const int left = bound_ - node.before;
  const auto affordable = static_cast<std::uint32_t>(std::max(left, 0)) + 1;
  return by_delays_ ? std::min(node.options, affordable) : left > 0 ? node.options : 1;
}

double DfsStrategy::explored() const {
  double behind = 0;
  double weight = 1;  // of the subtree of the node, as if all its siblings were of one size
  for (const Node& node : nodes_) {
    const double each = weight / allowed(node);
    behind += each * node.index;
    weight = each;
  }
  return behind + weight;
}

std::string DfsStrategy::bound_that_cut() const {
  if (is_unbounded(bound_last_) || bound_ != bound_last_ || !pruned_) {
    return "";
  }
  return fmt::format("at most {} {}{}", bound_last_, by_delays_ ? "delay" : "preemption",
                     bound_last_ == 1 ? "" : "s");
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
