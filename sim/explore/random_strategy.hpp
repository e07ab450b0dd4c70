#pragma once

#include "sim/explore/random_choice.hpp"
#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A random walk: every alternative of every decision is equally likely, but for early jumps of
/// time, which would otherwise use up their budget at once.
class RandomStrategy final : public Strategy {
 public:
  explicit RandomStrategy(std::uint64_t seed) : seed_(seed), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override {
    numbers_ = RandomNumbers(mix(seed_, run));
    return true;
  }
  [[nodiscard]] bool varies_seed() const override { return true; }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    return random_alternative(choice, numbers_);
  }

 private:
  std::uint64_t seed_;
  RandomNumbers numbers_;
};

}  // namespace watchlab::sim
