#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>

#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// Skips decisions of a sampling strategy that make no difference: a running task that is about to
/// use a lock, condition, group or cell which no other task has used continues without a decision.
///
/// If an object turns out to be shared after such decisions were skipped, the object is marked and
/// the run must be played again, unless it fails. Marks made in the first runs of an exploration
/// are permanent. A later run marks only for itself, so that it depends only on its number and not
/// on which others were played before. A task that continues is also the choice of `fifo`, so a
/// schedule is complete without these decisions, and a replay does not need this class. Not for dfs
/// and dpor, which promise to show everything and use more exact rules about which steps commute.
class PrivateObjects final : public StrategyDecorator {
 public:
  using StrategyDecorator::StrategyDecorator;

  /// Whether marks of the coming runs are permanent.
  void learn(bool learning) { learning_ = learning; }

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  void executed(const Actor& actor) override;
  void end(const RunResult& result) override;

  /// After a run that has not failed: whether an object turned out to be shared, so that the run
  /// does not count.
  [[nodiscard]] bool must_restart() const { return must_restart_; }
  /// How many decisions were skipped in the last run.
  [[nodiscard]] std::size_t spared() const { return spared_; }

 private:
  [[nodiscard]] bool is_marked(std::uint64_t object) const {
    return shared_.contains(object) || shared_in_this_run_.contains(object);
  }
  [[nodiscard]] bool may_continue(const Actor& actor);
  /// Whether a task other than `actor` has used the object; records that `actor` uses it.
  [[nodiscard]] bool is_used_by_others(const SimObject& object, const Actor& actor);

  bool learning_ = true;
  bool must_restart_ = false;
  std::size_t run_ = SIZE_MAX;
  std::size_t spared_ = 0;
  boost::unordered_flat_set<std::uint64_t> shared_;
  boost::unordered_flat_set<std::uint64_t> shared_in_this_run_;
};

}  // namespace watchlab::sim
