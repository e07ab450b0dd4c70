#pragma once

#include "sim/explore/order_digest.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// Lets another strategy decide and works out which partial order each run shows.
class OrderObserver final : public StrategyDecorator {
 public:
  using StrategyDecorator::StrategyDecorator;

  void begin(const Scheduler& scheduler) override {
    scheduler_ = &scheduler;
    digest_.begin();
    StrategyDecorator::begin(scheduler);
  }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    const std::uint32_t index = StrategyDecorator::choose(choice);
    digest_.chosen(choice, index);
    return index;
  }
  void executed(const Actor& actor) override {
    digest_.executed(actor, scheduler_->now().time_since_epoch().count());
    StrategyDecorator::executed(actor);
  }

  /// Of the last run.
  [[nodiscard]] std::uint64_t order() const { return digest_.value(); }

 private:
  const Scheduler* scheduler_ = nullptr;
  OrderDigest digest_;
};

}  // namespace watchlab::sim
