#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/explain/witness.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Plays the first decisions exactly as in an observed run, then leaves the rest to another
/// strategy.
class PrefixStrategy final : public Strategy {
 public:
  /// `seen` and `rest` must outlive this.
  PrefixStrategy(const Witness& seen, std::size_t length, Strategy& rest)
      : seen_(seen), length_(length), rest_(rest) {}

  void begin(const Scheduler& scheduler) override {
    met_ = 0;
    rest_.begin(scheduler);
  }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    return met_ < length_ ? seen_.decisions[met_++].index : rest_.choose(choice);
  }
  [[nodiscard]] bool observes() const override { return rest_.observes(); }
  void executed(const Actor& actor) override {
    if (met_ >= length_) {
      rest_.executed(actor);
    }
  }
  void end(const RunResult& result) override { rest_.end(result); }

 private:
  const Witness& seen_;
  std::size_t length_;
  Strategy& rest_;
  std::size_t met_ = 0;
};

}  // namespace watchlab::sim
