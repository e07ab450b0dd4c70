#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/explore/oracle/model.hpp"

namespace watchlab::sim::oracle {

/// Bounds of what the oracle looks at.
struct Limits {
  std::size_t states_max = 60'000;
  std::size_t classes_max = 3'000'000;  ///< summed over all states
};

/// A step of a run as someone else has seen it.
struct SeenStep {
  int actor;
  std::string picks;
};

/// All runs of a listing, as a graph whose nodes are states: two runs that lead to the same state
/// share what follows.
///
/// *Classes.* Two steps of different actors commute in a state when both can be taken there, each
/// still does the same after the other, and both orders lead to the same state, which holds all
/// observations: this is found by executing both orders. Two runs are of one class when one becomes
/// the other by exchanging neighbouring steps that commute, any number of times (Mazurkiewicz, with
/// dependence of the state as in Katz and Peled). A class of runs from a state begins with one of
/// the steps there and goes on with a class of runs from the next state; where two first steps
/// commute, what goes on after both is one class whichever came first. So the classes of a state
/// are those of its successors, joined: exact, and without looking at the runs one by one.
class Graph {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  Graph(const Listing& listing, const Limits& limits);

  /// Whether all states fit into the limits; without it there is nothing else.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Whether the classes do.
  [[nodiscard]] bool has_classes() const { return has_classes_; }
  [[nodiscard]] std::size_t states() const { return nodes_.size(); }
  [[nodiscard]] std::size_t classes() const { return nodes_[0].classes; }
  [[nodiscard]] const std::set<std::string>& outcomes() const { return outcomes_; }

  /// How many runs there are, at most `kManyRuns`, that leave an actor that could go on, and does
  /// not yield, at most that often; for any number of times without `preemptions`.
  static constexpr std::uint64_t kManyRuns = 1'000'000'000'000;
  [[nodiscard]] std::uint64_t runs() const { return nodes_[0].runs; }
  struct Bounded {
    std::uint64_t runs;
    std::set<std::string> outcomes;
  };
  [[nodiscard]] Bounded bounded(int preemptions) const;

  /// The class of a run; kNone when it is no run of this listing, or not a whole one.
  [[nodiscard]] std::size_t class_of(const std::vector<SeenStep>& run) const;
  /// What a run shows; "" when it is none.
  [[nodiscard]] std::string outcome_of(const std::vector<SeenStep>& run) const;
  /// A run of that class, one step a word: "t0 t1:w1 timer0".
  [[nodiscard]] std::string example(std::size_t wanted) const;

 private:
  struct Edge {
    Step step;
    std::size_t target;
    std::vector<std::uint32_t> classes;  ///< of the target's classes: which one they are here
  };
  struct Node {
    std::vector<Edge> edges;
    std::size_t classes = 0;
    std::uint64_t runs = 0;
    bool ends = false;    ///< all tasks have ended, or wait: a run ends here
    std::string outcome;  ///< if it ends
    std::uint32_t can_step = 0;
    std::uint32_t yields = 0;
  };

  /// A first step, and where its classes begin among those of all first steps.
  struct Begun {
    Edge& edge;
    std::uint32_t begin;
  };
  class Joined;

  void build(const Limits& limits);
  void expand(const State& state, std::size_t node, std::vector<State>& next,
              std::vector<std::size_t>& numbers);
  std::size_t number_of(State&& state, std::vector<State>& next, std::vector<std::size_t>& numbers);
  void count_classes(const Limits& limits);
  void join_pair(const Begun& a, const Begun& b, Joined& joined) const;
  void join_classes(Node& node);
  [[nodiscard]] std::vector<std::size_t> order() const;
  [[nodiscard]] const Edge* find(const Node& node, const SeenStep& step) const;
  /// The node where the run ends; kNone when it is none.
  [[nodiscard]] std::size_t walk(const std::vector<SeenStep>& run,
                                 std::vector<const Edge*>& edges) const;

  Model model_;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t> known_;
  std::set<std::string> outcomes_;
  bool complete_ = false;
  bool has_classes_ = false;
};

}  // namespace watchlab::sim::oracle
