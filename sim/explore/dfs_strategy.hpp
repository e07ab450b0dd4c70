#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A strategy that walks a tree of all runs, one branch after the other, and knows how far it is.
/// Call these between runs only.
class TreeSearch : public Strategy {
 public:
  /// The part of the tree that lies behind, in (0, 1], as far as the way to where the search
  /// is shows: every branch counts as large as its siblings (Knuth 1975, weighted by the way
  /// of the last run). Runs so far divided by it estimate how many there are.
  [[nodiscard]] virtual double explored() const = 0;
  /// Where the search is, on one line, so that it can continue in another process.
  [[nodiscard]] virtual std::string state() const = 0;
  /// Continues from there. Throws `std::invalid_argument` for what is no state of this strategy.
  virtual void restore(std::string_view state) = 0;
  /// Explores only one of `shards` parts, which together are the whole and do not overlap. Throws
  /// `std::invalid_argument` when this strategy cannot be split.
  virtual void split(std::size_t shard, std::size_t shards) = 0;
  /// Says, before the first run, that parts will be given away.
  virtual void share() = 0;
  /// Gives a part of what is left away, the largest that can be had: no longer explores it, and
  /// returns a state that explores it and nothing else. Nothing when there is none, or none now.
  /// What the part finds is never needed here, and the other way round. Only after a run of a
  /// search that was `share`d.
  [[nodiscard]] virtual std::optional<std::string> give_away() = 0;
  /// By what bound the search leaves runs out, as a clause for `ExploreResult::relative_to`; "" for
  /// none, or where the bound cut nothing off.
  [[nodiscard]] virtual std::string bound_that_cut() const { return ""; }
  /// Whether it relies on it that an object has one digest in all runs.
  [[nodiscard]] virtual bool compares_objects() const { return false; }
  /// Whether time could have passed early once more than the search has let it, in any run.
  [[nodiscard]] virtual bool holds_time_back() const { return false; }
  /// After a run: whether the first one since `restore` did not come to where the part begins by
  /// the way that led there when it was given away. Then the part is one of another body or build,
  /// and nothing that is explored here counts.
  [[nodiscard]] bool is_astray() const { return astray_; }

 protected:
  /// The next run has to go the way that is known.
  void expect_known_way() { on_known_way_ = true; }
  /// What has happened in the run before a decision, and how many alternatives that has.
  [[nodiscard]] std::uint64_t way_to(const Choice& choice) const;
  /// At each decision, with what `way_to` said of it when it was met first; `last` says that the
  /// known way ends here. False when the run has come here in another way.
  [[nodiscard]] bool follows_way(std::uint64_t way, const Choice& choice, bool last) {
    return !on_known_way_ || is_known_way(way, choice, last);
  }
  /// At the end of each run.
  void end_way() { astray_ = astray_ || on_known_way_; }

 private:
  [[nodiscard]] bool is_known_way(std::uint64_t way, const Choice& choice, bool last);

  bool on_known_way_ = false;
  bool astray_ = false;
};

/// The index that the scheduler has for the `value`-th alternative, when alternatives that stand
/// for tasks are ordered by identity and not by arrival: the order of arrival differs between runs
/// that are otherwise equivalent.
[[nodiscard]] std::uint32_t canonical_index(const Choice& choice, std::uint32_t value);

/// What a depth-first search leaves out.
struct DfsBounds {
  static constexpr int kUnbounded = -1;

  int preemptions_max = kUnbounded;
  int delays_max = kUnbounded;
  /// Whether to raise the bound step by step. Without it, one search with the final bound.
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
/// small fraction of it; such a run says `repeated` and counts for nothing. So does, in a search
/// that is split among shards, a run that falls to another one; it is left at `kSplitDepth`.
class DfsStrategy final : public TreeSearch {
 public:
  static constexpr int kStepwiseMax = 3;
  /// How many first decisions say which shard a run falls to.
  static constexpr std::size_t kSplitDepth = 8;

  explicit DfsStrategy(const DfsBounds& bounds);

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  void end(const RunResult& /*result*/) override { end_way(); }
  [[nodiscard]] bool repeated() const override { return spent_ <= shown_ || is_foreign(); }

  /// Under the present bound.
  [[nodiscard]] double explored() const override;
  [[nodiscard]] std::string state() const override;
  void restore(std::string_view state) override;
  /// Leaves to others whatever does not begin in one of the ways that fall to `shard`.
  void split(std::size_t shard, std::size_t shards) override;
  /// Searches under the final bound at once.
  void share() override {
    shared_ = true;
    bound_ = bound_last_;
  }
  /// All alternatives that are left of the first decision that has any.
  [[nodiscard]] std::optional<std::string> give_away() override;
  [[nodiscard]] std::string bound_that_cut() const override;

  /// Preemptions or delays in the last run, whichever is bounded.
  [[nodiscard]] int spent() const { return spent_; }
  /// The bound under which the last run was played; `DfsBounds::kUnbounded` for none.
  [[nodiscard]] int bound() const { return bound_; }

 private:
  struct Node {
    std::uint32_t options;
    std::uint32_t index;  ///< the alternative that is being explored
    int before;           ///< what was spent on the way here
    bool costs;           ///< whether alternatives other than 0 do
    std::uint64_t way;    ///< `way_to` it
  };

  [[nodiscard]] static bool is_unbounded(int bound) { return bound == DfsBounds::kUnbounded; }
  [[nodiscard]] int cost_of(const Node& node, std::uint32_t index) const;
  [[nodiscard]] bool costs(const Choice& choice) const;
  /// Moves to the next unexplored leaf under the present bound. False when there is none.
  bool backtrack();
  /// How many alternatives of a node the present bound allows.
  [[nodiscard]] std::uint32_t allowed(const Node& node) const;
  /// Whether what the first decisions led to falls to another shard.
  [[nodiscard]] bool is_foreign() const;
  /// Raises the bound. False when that would show nothing new.
  bool deepen();

  bool by_delays_;
  int bound_last_;
  int bound_;
  int shown_ = -1;       ///< runs that spend no more than this were played under a lower bound
  bool pruned_ = false;  ///< whether the present bound has cut anything off
  bool started_ = false;
  std::vector<Node> nodes_;
  std::size_t depth_ = 0;
  int spent_ = 0;
  std::size_t shard_ = 0;
  std::size_t shards_ = 1;
  bool shared_ = false;
  std::size_t floor_ = 0;  ///< the first so many decisions are made; other parts have the rest
};

}  // namespace watchlab::sim
