#include "sim/explore/dfs_strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/mix.hpp"
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

std::uint64_t TreeSearch::way_to(const Choice& choice) const {
  return mix(scheduler().digest(), choice.options);
}

bool TreeSearch::is_known_way(std::uint64_t way, const Choice& choice, bool last) {
  astray_ = way != way_to(choice);
  on_known_way_ = !astray_ && !last;
  return !astray_;
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
  if (depth_ == kSplitDepth && is_foreign()) {
    nodes_.resize(depth_);
    return kAbandon;
  }
  if (depth_ == nodes_.size()) {
    nodes_.push_back({.options = possible_options(choice),
                      .index = 0,
                      .before = spent_,
                      .costs = costs(choice),
                      .way = way_to(choice)});
  }
  Node& node = nodes_[depth_++];
  while (node.index + 1 < node.options && !choice.is_possible(node.index)) {
    ++node.index;
  }
  if (!follows_way(node.way, choice, depth_ == nodes_.size())) {
    return kAbandon;
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
  for (std::size_t i = floor_; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const double each = weight / allowed(node);
    behind += each * node.index;
    weight = each;
  }
  return behind + weight;
}

void DfsStrategy::split(std::size_t shard, std::size_t shards) {
  runtime::ensure(shard < shards, "a shard is one of so many");
  shard_ = shard;
  shards_ = shards;
}

bool DfsStrategy::is_foreign() const {
  if (shards_ == 1) {
    return false;
  }
  std::uint64_t digest = 0;
  for (std::size_t i = 0; i < std::min({depth_, kSplitDepth, nodes_.size()}); ++i) {
    digest = mix(digest, nodes_[i].index + 1);
  }
  return mix(digest, 0) % shards_ != shard_;
}

std::string DfsStrategy::state() const {
  std::string text = fmt::format("dfs2 {} {} {} {} {} {} {}", bound_, shown_, pruned_ ? 1 : 0,
                                 started_ ? 1 : 0, shard_, shards_, floor_);
  for (const Node& node : nodes_) {
    text += fmt::format(" {} {} {} {} {}", node.options, node.index, node.before,
                        node.costs ? 1 : 0, node.way);
  }
  return text;
}

void DfsStrategy::restore(std::string_view state) {
  std::istringstream in{std::string(state)};
  std::string version;
  in >> version >> bound_ >> shown_ >> pruned_ >> started_ >> shard_ >> shards_ >> floor_;
  if (!in || version != "dfs2" || shards_ == 0 || shard_ >= shards_) {
    throw std::invalid_argument("this is not the state of a search by dfs");
  }
  nodes_.clear();
  bool is_whole = true;
  for (Node node{}; is_whole && in >> node.options; nodes_.push_back(node)) {
    is_whole = !(in >> node.index >> node.before >> node.costs >> node.way).fail();
  }
  if (!is_whole || !in.eof() || floor_ > nodes_.size()) {
    throw std::invalid_argument("this is not the state of a search by dfs");
  }
  if (shared_ && !nodes_.empty()) {
    expect_known_way();
  }
}

/// The part begins with the next alternative; this search keeps the one that it is in, and does not
/// come back to the decision.
std::optional<std::string> DfsStrategy::give_away() {
  for (std::size_t i = floor_; i < nodes_.size(); ++i) {
    if (nodes_[i].index + 1 < allowed(nodes_[i])) {
      DfsStrategy part({});
      part.restore(state());
      part.nodes_.resize(i + 1);
      ++part.nodes_.back().index;
      part.floor_ = i;
      part.started_ = false;
      floor_ = i + 1;
      return part.state();
    }
  }
  return std::nullopt;
}

std::string DfsStrategy::bound_that_cut() const {
  if (is_unbounded(bound_last_) || bound_ != bound_last_ || !pruned_) {
    return "";
  }
  return fmt::format("at most {} {}{}", bound_last_, by_delays_ ? "delay" : "preemption",
                     bound_last_ == 1 ? "" : "s");
}

bool DfsStrategy::backtrack() {
  for (; nodes_.size() > floor_; nodes_.pop_back()) {
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
