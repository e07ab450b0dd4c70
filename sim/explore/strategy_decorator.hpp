#pragma once

#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A strategy that passes everything on to another; a base class for those that extend one.
class StrategyDecorator : public Strategy {
 public:
  /// `inner` must outlive it.
  explicit StrategyDecorator(Strategy& inner) : inner_(inner) {}

  [[nodiscard]] bool prepare(std::size_t run) override { return inner_.prepare(run); }
  [[nodiscard]] bool varies_seed() const override { return inner_.varies_seed(); }
  void begin(const Scheduler& scheduler) override {
    Strategy::begin(scheduler);
    inner_observes_ = inner_.observes();
    inner_.begin(scheduler);
  }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    return inner_.choose(choice);
  }
  [[nodiscard]] bool asks_for_single_actor() const override {
    return inner_.asks_for_single_actor();
  }
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override {
    if (inner_observes_) {
      inner_.executed(actor);
    }
  }
  void retired(const Actor& timer) override { inner_.retired(timer); }
  void timed() override {
    if (inner_observes_) {
      inner_.timed();
    }
  }
  void idle() override {
    if (inner_observes_) {
      inner_.idle();
    }
  }
  void end(const RunResult& result) override { inner_.end(result); }
  [[nodiscard]] bool repeated() const override { return inner_.repeated(); }

 private:
  Strategy& inner_;
  bool inner_observes_ = false;
};

}  // namespace watchlab::sim
