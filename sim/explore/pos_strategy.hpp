#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Partial order sampling (Yuan, Yang, Gu, CAV 2018): every pending operation, not every task, has
/// a random priority, and the highest ready one runs. Then the task's next operation gets a fresh
/// one, and so does every pending operation that races with the one that ran. Every other yield
/// has the lowest priority of all, or a loop that polls could outdo one low priority for ever. No
/// parameters.
class PosStrategy final : public Strategy {
 public:
  explicit PosStrategy(std::uint64_t seed) : seed_(seed), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  [[nodiscard]] bool varies_seed() const override { return true; }
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;

 private:
  /// The priority of an actor's pending operation, good until the operation or its object moves on.
  struct Drawn {
    std::uint32_t operation = UINT32_MAX;
    std::uint64_t epoch = 0;
    std::uint64_t priority = 0;
  };
  /// How often an object was used, and how often in a way that races with reads.
  struct Epochs {
    std::uint64_t uses = 0;
    std::uint64_t writes = 0;
  };

  /// Where the priorities of those who give way begin: below all but one in four billion others.
  static constexpr std::uint64_t kLowest = std::uint64_t{1} << 32U;

  [[nodiscard]] std::uint64_t priority_of(const Actor& actor);

  std::uint64_t seed_;
  RandomNumbers numbers_;
  const Scheduler* scheduler_ = nullptr;
  std::uint64_t lowest_ = kLowest;                           ///< of this run
  boost::unordered_flat_map<std::uint64_t, Drawn> drawn_;    ///< by the actor's identity
  boost::unordered_flat_map<std::uint64_t, Epochs> epochs_;  ///< by the object's identity
};

}  // namespace watchlab::sim
