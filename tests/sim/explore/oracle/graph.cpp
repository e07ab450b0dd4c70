#include "tests/sim/explore/oracle/graph.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace watchlab::sim::oracle {
namespace {

constexpr std::uint32_t actor_bit(int actor) {
  return std::uint32_t{1} << static_cast<unsigned>(actor);
}

bool does_the_same(const Step& a, const Step& b) {
  return a.actor == b.actor && a.label == b.label;
}

/// Whether a, then ab is b, then ba in another order, when both lead to the same state: two steps
/// that commute, or one rendezvous that either of its partners may carry out.
bool are_one(const Step& a, const Step& ab, const Step& b, const Step& ba) {
  const bool commute = does_the_same(ab, b) && does_the_same(ba, a);
  const bool meet = a.partner == b.actor && b.partner == a.actor && ab.completed &&
                    ab.actor == b.actor && ba.completed && ba.actor == a.actor;
  return commute || meet;
}

}  // namespace

/// Sets that grow together (Tarjan 1975).
class Graph::Joined {
 public:
  explicit Joined(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t first = root(a);
    const std::uint32_t second = root(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

Graph::Graph(const Listing& listing, const Limits& limits) : model_(listing) {
  build(limits);
  known_.clear();
  if (complete_) {
    count_classes(limits);
  }
}

void Graph::build(const Limits& limits) {
  std::vector<State> states;
  std::vector<std::size_t> numbers;
  number_of(model_.initial(), states, numbers);
  while (!states.empty() && nodes_.size() <= limits.states_max) {
    const State state = std::move(states.back());
    const std::size_t node = numbers.back();
    states.pop_back();
    numbers.pop_back();
    expand(state, node, states, numbers);
  }
  complete_ = states.empty();
}

std::size_t Graph::number_of(State&& state, std::vector<State>& next,
                             std::vector<std::size_t>& numbers) {
  const auto [found, is_new] = known_.try_emplace(state.key(), nodes_.size());
  if (is_new) {
    nodes_.emplace_back();
    numbers.push_back(found->second);
    next.push_back(std::move(state));
  }
  return found->second;
}

void Graph::expand(const State& state, std::size_t node, std::vector<State>& next,
                   std::vector<std::size_t>& numbers) {
  std::vector<Edge> edges;
  const int tasks = static_cast<int>(state.tasks.size());
  for (int actor = 0; actor < model_.actors(); ++actor) {
    if (!model_.can_step(state, actor)) {
      continue;
    }
    nodes_[node].can_step |= actor_bit(actor);
    nodes_[node].yields |= actor < tasks && model_.yields(state, actor) ? actor_bit(actor) : 0;
    Picks picks;
    do {
      State after = state;
      Step step = model_.step(after, actor, picks);
      const std::size_t target = number_of(std::move(after), next, numbers);
      edges.push_back({.step = std::move(step), .target = target, .classes = {}});
    } while (picks.advance());
  }
  nodes_[node].ends = edges.empty() || model_.has_ended(state);
  if (nodes_[node].ends) {
    nodes_[node].outcome = Model::outcome(state);
    outcomes_.insert(nodes_[node].outcome);
  }
  nodes_[node].edges = std::move(edges);
}

/// Every node after all that it leads to.
std::vector<std::size_t> Graph::order() const {
  std::vector<std::size_t> order;
  std::vector<bool> seen(nodes_.size());
  std::vector<std::pair<std::size_t, std::size_t>> path{{0, 0}};
  seen[0] = true;
  while (!path.empty()) {
    auto& [node, edge] = path.back();
    if (edge == nodes_[node].edges.size()) {
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const std::size_t target = nodes_[node].edges[edge++].target;
    if (!seen[target]) {
      seen[target] = true;
      path.emplace_back(target, 0);
    }
  }
  return order;
}

void Graph::count_classes(const Limits& limits) {
  std::size_t sum = 0;
  has_classes_ = true;
  for (const std::size_t number : order()) {
    Node& node = nodes_[number];
    node.runs = node.ends ? 1 : 0;
    for (const Edge& edge : node.edges) {
      node.runs += node.ends ? 0 : nodes_[edge.target].runs;
      node.runs = std::min(kManyRuns, node.runs);
      sum += nodes_[edge.target].classes;
    }
    has_classes_ = has_classes_ && sum <= limits.classes_max;
    if (has_classes_) {
      join_classes(node);
    }
  }
}

/// Joins the classes that begin with one of these steps where they begin with both.
void Graph::join_pair(const Begun& a, const Begun& b, Joined& joined) const {
  const Step& first = a.edge.step;
  const Step& second = b.edge.step;
  if (does_the_same(first, second) && a.edge.target == b.edge.target) {
    for (std::uint32_t c = 0; c < nodes_[a.edge.target].classes; ++c) {
      joined.join(a.begin + c, b.begin + c);
    }
  }
  if (first.actor == second.actor) {
    return;
  }
  for (const Edge& ab : nodes_[a.edge.target].edges) {
    for (const Edge& ba : nodes_[b.edge.target].edges) {
      const bool one = ab.target == ba.target && are_one(first, ab.step, second, ba.step);
      for (std::size_t c = 0; one && c < ab.classes.size(); ++c) {
        joined.join(a.begin + ab.classes[c], b.begin + ba.classes[c]);
      }
    }
  }
}

void Graph::join_classes(Node& node) {
  if (node.edges.empty()) {
    node.classes = 1;
    return;
  }
  std::vector<Begun> begun;
  std::uint32_t all = 0;
  for (Edge& edge : node.edges) {
    begun.push_back({.edge = edge, .begin = all});
    all += static_cast<std::uint32_t>(nodes_[edge.target].classes);
  }
  Joined joined(all);
  for (std::size_t i = 0; i < begun.size(); ++i) {
    for (std::size_t j = i + 1; j < begun.size(); ++j) {
      join_pair(begun[i], begun[j], joined);
    }
  }
  std::vector<std::uint32_t> number(all, UINT32_MAX);
  for (const Begun& first : begun) {
    for (std::uint32_t c = 0; c < nodes_[first.edge.target].classes; ++c) {
      std::uint32_t& mine = number[joined.root(first.begin + c)];
      if (mine == UINT32_MAX) {
        mine = static_cast<std::uint32_t>(node.classes++);
      }
      first.edge.classes.push_back(mine);
    }
  }
}

Graph::Bounded Graph::bounded(int preemptions) const {
  constexpr int kFree = -1;
  struct Search {
    const Graph& graph;
    std::map<std::tuple<std::size_t, int, int>, std::uint64_t> known = {};
    std::set<std::string> outcomes = {};

    /// `last` took the step to this node.
    std::uint64_t runs(std::size_t number, int last, int left) {
      const Node& node = graph.nodes_[number];
      if (node.ends) {
        outcomes.insert(node.outcome);
        return 1;
      }
      if (last != kFree && ((node.can_step & ~node.yields) & actor_bit(last)) == 0) {
        last = kFree;
      }
      const auto place = known.find({number, last, left});
      if (place != known.end()) {
        return place->second;
      }
      std::uint64_t sum = 0;
      for (const Edge& edge : node.edges) {
        const int cost = last != kFree && edge.step.actor != last ? 1 : 0;
        if (cost <= left) {
          const bool is_task = edge.step.actor < graph.model_.actors() - kTimers;
          sum = std::min(kManyRuns,
                         sum + runs(edge.target, is_task ? edge.step.actor : kFree, left - cost));
        }
      }
      known[{number, last, left}] = sum;
      return sum;
    }
  };
  Search search{*this};
  const std::uint64_t runs = search.runs(0, kFree, preemptions);
  return {.runs = runs, .outcomes = std::move(search.outcomes)};
}

const Graph::Edge* Graph::find(const Node& node, const SeenStep& step) const {
  for (const Edge& edge : node.edges) {
    if (edge.step.actor == step.actor && edge.step.picks == step.picks) {
      return &edge;
    }
  }
  return nullptr;
}

std::size_t Graph::walk(const std::vector<SeenStep>& run, std::vector<const Edge*>& edges) const {
  std::size_t node = 0;
  for (const SeenStep& step : run) {
    const Edge* const edge = find(nodes_[node], step);
    if (edge == nullptr) {
      return kNone;
    }
    edges.push_back(edge);
    node = edge->target;
  }
  return nodes_[node].ends ? node : kNone;
}

std::size_t Graph::class_of(const std::vector<SeenStep>& run) const {
  std::vector<const Edge*> edges;
  std::size_t node = walk(run, edges);
  if (node == kNone) {
    return kNone;
  }
  for (; !nodes_[node].edges.empty(); node = edges.back()->target) {
    edges.push_back(&nodes_[node].edges.front());  // a timer that is due
  }
  std::size_t number = 0;
  for (std::size_t i = edges.size(); i-- > 0;) {
    number = edges[i]->classes[number];
  }
  return number;
}

std::string Graph::outcome_of(const std::vector<SeenStep>& run) const {
  std::vector<const Edge*> edges;
  const std::size_t node = walk(run, edges);
  return node != kNone ? nodes_[node].outcome : "";
}

std::string Graph::example(std::size_t wanted) const {
  std::string text;
  const int tasks = model_.actors() - kTimers;
  for (std::size_t node = 0; !nodes_[node].edges.empty();) {
    for (const Edge& edge : nodes_[node].edges) {
      const auto found = std::ranges::find(edge.classes, static_cast<std::uint32_t>(wanted));
      if (found != edge.classes.end()) {
        const int actor = edge.step.actor;
        text += (actor < tasks ? "t" + std::to_string(actor)
                               : "timer" + std::to_string(actor - tasks)) +
                (edge.step.picks.empty() ? " " : ":" + edge.step.picks + " ");
        wanted = static_cast<std::size_t>(found - edge.classes.begin());
        node = edge.target;
        break;
      }
    }
  }
  return text;
}

}  // namespace watchlab::sim::oracle
