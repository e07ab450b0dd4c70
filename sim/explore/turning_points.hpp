#pragma once

#include <cstdint>
#include <vector>

#include "sim/explore/strategy_decorator.hpp"

namespace watchlab::sim {

/// Passes everything on to another strategy, and notes on which objects a failing run turns: those
/// that a task was about to act on when the run left its ordinary way, and those for which tasks
/// wait at the end. A shorter way to the same failure turns on the same objects, as a rule.
class TurningPoints final : public StrategyDecorator {
 public:
  using StrategyDecorator::StrategyDecorator;

  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  void idle() override;

  /// The identities of the last run's, sorted. Call after the run.
  [[nodiscard]] std::vector<std::uint64_t> objects() const;

 private:
  const Scheduler* scheduler_ = nullptr;
  std::vector<std::uint64_t> left_at_;
  std::vector<std::uint64_t> awaited_;
};

}  // namespace watchlab::sim
