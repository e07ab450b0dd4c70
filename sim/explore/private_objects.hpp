#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>

#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// Spares a sampling strategy the decisions that cannot matter: a running task that is about to use
/// a lock, condition, group or cell which no other task has used continues without a question.
///
/// When an object turns out to be shared after decisions about it were left out, the object is
/// marked and the run must be played again, unless it fails. The first runs of
/// an exploration mark for good; a later one marks for itself alone, so that a run depends only on
/// its number and not on which others were played before. To continue is what `fifo` does: nothing
/// is left out of a schedule, and a replay needs none of this. Not for dfs and dpor, which promise
/// to show everything and know better what commutes.
class PrivateObjects final : public StrategyDecorator {
 public:
  using StrategyDecorator::StrategyDecorator;

  /// Whether what the coming runs mark stays marked.
  void learn(bool learning) { learning_ = learning; }

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  void executed(const Actor& actor) override;
  void end(const RunResult& result) override;

  /// After a run that has not failed: whether an object was not private after all, so that the
  /// run does not count.
  [[nodiscard]] bool must_restart() const { return must_restart_; }
  /// How many decisions were left out in the last run.
  [[nodiscard]] std::size_t spared() const { return spared_; }

 private:
  [[nodiscard]] bool is_marked(std::uint64_t object) const {
    return shared_.contains(object) || shared_in_this_run_.contains(object);
  }
  [[nodiscard]] bool may_continue(const Actor& actor);
  /// Whether a task other than `actor` has used the object; notes that `actor` does.
  [[nodiscard]] bool is_used_by_others(const SimObject& object, const Actor& actor);

  bool learning_ = true;
  bool must_restart_ = false;
  std::size_t run_ = SIZE_MAX;
  std::size_t spared_ = 0;
  boost::unordered_flat_set<std::uint64_t> shared_;
  boost::unordered_flat_set<std::uint64_t> shared_in_this_run_;
};

}  // namespace watchlab::sim
