#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A strategy that walks a tree of all runs, one branch after the other, and knows how far it is.
/// Call these functions only between runs.
class TreeSearch : public Strategy {
 public:
  /// The explored part of the tree, in (0, 1], estimated from the current path: every branch counts
  /// as much as its siblings (Knuth 1975, weighted by the path of the last run). The number of runs
  /// so far divided by it estimates the total.
  [[nodiscard]] virtual double explored() const = 0;
  /// The bound by which the search leaves runs out, as a clause for `ExploreResult::relative_to`;
  /// "" if there is none or it cut nothing off.
  [[nodiscard]] virtual std::string bound_that_cut() const { return ""; }
  /// Whether it relies on objects having the same digest in all runs.
  [[nodiscard]] virtual bool compares_objects() const { return false; }
  /// Whether in any run time could have jumped early once more than allowed.
  [[nodiscard]] virtual bool holds_time_back() const { return false; }
};

/// The scheduler's index of the `value`-th alternative, with tasks ordered by identity instead of
/// arrival: the order of arrival differs between equivalent runs.
[[nodiscard]] std::uint32_t canonical_index(const Choice& choice, std::uint32_t value);

/// What a depth-first search leaves out.
struct DfsBounds {
  static constexpr int kUnbounded = -1;

  int preemptions_max = kUnbounded;
  int delays_max = kUnbounded;
  /// Whether to raise the bound step by step. Otherwise there is one search with the final bound.
  bool iterative = true;
};

/// Enumerates the tree of all choices, of every kind, depth first, by playing each run from its
/// start. Without bounds and reductions this is brute force: each run exactly once.
///
/// *Preemption bound*: leaving a task that could continue counts as one, wherever the run goes;
/// leaving one that waits, has ended, or yields is free, and so is every other choice. *Delay
/// bound*: the alternative with index i, in the order in which the scheduler lists who is ready,
/// counts as i delays, so that a run with few delays stays near `fifo`.
///
/// The iterative search tries the bounds 0, 1, 2, … up to the wanted one, so that the first failure
/// has as few preemptions as possible. Without a wanted bound it goes up to `kStepwiseMax` and then
/// searches everything. A run that a lower bound has shown comes up again under each higher one, a
/// small fraction of it; such a run says `repeated` and counts for nothing.
class DfsStrategy final : public TreeSearch {
 public:
  static constexpr int kStepwiseMax = 3;

  explicit DfsStrategy(const DfsBounds& bounds);

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool repeated() const override { return spent_ <= shown_; }

  /// Under the current bound.
  [[nodiscard]] double explored() const override;
  [[nodiscard]] std::string bound_that_cut() const override;

  /// Preemptions or delays in the last run, whichever is bounded.
  [[nodiscard]] int spent() const { return spent_; }
  /// The bound under which the last run was played; `DfsBounds::kUnbounded` for none.
  [[nodiscard]] int bound() const { return bound_; }

 private:
  struct Node {
    std::uint32_t options;
    std::uint32_t index;  ///< the alternative being explored
    int before;           ///< spent on the way here
    bool costs;           ///< whether alternatives other than 0 cost something
  };

  [[nodiscard]] static bool is_unbounded(int bound) { return bound == DfsBounds::kUnbounded; }
  [[nodiscard]] int cost_of(const Node& node, std::uint32_t index) const;
  [[nodiscard]] bool costs(const Choice& choice) const;
  /// Moves to the next unexplored leaf under the current bound. Returns false if there is none.
  bool backtrack();
  /// How many alternatives of a node the current bound allows.
  [[nodiscard]] std::uint32_t allowed(const Node& node) const;
  /// Raises the bound. Returns false if that would show nothing new.
  bool deepen();

  bool by_delays_;
  int bound_last_;
  int bound_;
  int shown_ = -1;       ///< runs that spend no more than this were played under a lower bound
  bool pruned_ = false;  ///< whether the current bound has cut anything off
  bool started_ = false;
  std::vector<Node> nodes_;
  std::size_t depth_ = 0;
  int spent_ = 0;
};

}  // namespace watchlab::sim
