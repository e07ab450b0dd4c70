#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A uniformly random alternative, but for early jumps of time, which at one half each would use up
/// their budget at the first decisions of every run; and where memory is weak the newest store
/// comes as often as all older ones, and what has no cause is rare.
[[nodiscard]] inline std::uint32_t random_alternative(const Choice& choice,
                                                      RandomNumbers& numbers) {
  if (choice.kind == ChoiceKind::Actor) [[likely]] {
    return numbers.below(choice.options);
  }
  constexpr std::uint32_t kAdvanceOneIn = 32;
  if (choice.kind == ChoiceKind::Advance) {
    return numbers.below(kAdvanceOneIn) == 0 ? 1 : 0;
  }
  constexpr std::uint32_t kSpuriousOneIn = 8;
  if (choice.kind == ChoiceKind::Spurious) {
    return numbers.below(kSpuriousOneIn) == 0 ? 1 : 0;
  }
  if (choice.kind == ChoiceKind::Memory) {
    const std::uint32_t index = numbers.below(2) == 0 ? 0 : 1 + numbers.below(choice.options - 1);
    return choice.is_possible(index) ? index : 0;
  }
  return numbers.below(choice.options);
}

/// A strategy that draws at random: each run uses numbers that depend on the seed and the run's
/// number.
class SamplingStrategy : public Strategy {
 public:
  explicit SamplingStrategy(std::uint64_t seed) : seed_(seed), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override {
    numbers_ = RandomNumbers(seed_of_run(seed_, run));
    return true;
  }
  [[nodiscard]] bool varies_seed() const override { return true; }

 protected:
  [[nodiscard]] RandomNumbers& numbers() { return numbers_; }

 private:
  std::uint64_t seed_;
  RandomNumbers numbers_;
};

/// A random walk: at every decision all alternatives are equally likely, except for early time
/// jumps, which would otherwise use up their budget at once.
class RandomStrategy final : public SamplingStrategy {
 public:
  using SamplingStrategy::SamplingStrategy;

  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    return random_alternative(choice, numbers());
  }
};

/// Random runs with a limited number of preemptions: the successor of a task that waits or has
/// ended is random, and a task that could continue is preempted at places drawn from all those of
/// the previous run. In a program with many tasks this finds a failure that needs few preemptions,
/// where a systematic search would be busy forever with the orders of the tasks.
class BoundedRandomStrategy final : public SamplingStrategy {
 public:
  BoundedRandomStrategy(std::uint64_t seed, std::size_t preemptions)
      : SamplingStrategy(seed), places_(preemptions) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;

 private:
  std::vector<std::uint32_t> places_;  ///< which of the decisions that may preempt do so
  std::uint32_t seen_ = 1;             ///< decisions in this run that may preempt
};

}  // namespace watchlab::sim
