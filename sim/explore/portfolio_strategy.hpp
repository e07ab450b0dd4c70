#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// No deviation: the running task continues while it can, then the ready one in the lowest slot
/// goes; everything else takes its default alternative. The baseline for all other schedules.
class FifoStrategy final : public Strategy {
 public:
  [[nodiscard]] bool prepare(std::size_t run) override { return run == 0; }
  [[nodiscard]] std::uint32_t choose(const Choice& /*choice*/) override { return 0; }
  [[nodiscard]] bool reorders() const override { return false; }
};

/// Several strategies in turn, one run each. It is rarely known in advance which of them finds a
/// bug first, and taking turns costs at most a factor of their number compared with the best.
class PortfolioStrategy final : public Strategy {
 public:
  /// At least one.
  explicit PortfolioStrategy(std::vector<std::unique_ptr<Strategy>> members)
      : members_(std::move(members)) {
    runtime::ensure(!members_.empty(), "a portfolio needs a strategy");
  }

  [[nodiscard]] bool prepare(std::size_t run) override {
    active_ = run % members_.size();
    return active().prepare(run / members_.size());
  }
  [[nodiscard]] bool varies_seed() const override { return true; }
  void begin(const Scheduler& scheduler) override { active().begin(scheduler); }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    return active().choose(choice);
  }
  [[nodiscard]] bool observes() const override { return members_[active_]->observes(); }
  void executed(const Actor& actor) override { active().executed(actor); }
  void end(const RunResult& result) override { active().end(result); }

 private:
  [[nodiscard]] Strategy& active() { return *members_[active_]; }

  std::vector<std::unique_ptr<Strategy>> members_;
  std::size_t active_ = 0;
};

}  // namespace watchlab::sim
