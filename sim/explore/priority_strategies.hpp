#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): actors get random priorities
/// and the highest ready one runs; at d-1 random decisions the one about to run drops to the
/// bottom. A run hits a bug of depth d with probability at least 1 / (n * k^(d-1)), for n tasks and
/// k decisions. Only decisions with two or more alternatives count, and a yield is a demotion. A
/// run that grows far beyond earlier ones ends as a random walk, so that no spin loop starves the
/// rest. Choices other than who goes next are random.
class PctStrategy final : public SamplingStrategy {
 public:
  /// `depth` is at least 1. With `cycle`, runs take the depths 1 … `depth` in turn, for when the
  /// bug's depth is unknown.
  PctStrategy(std::uint64_t seed, int depth, bool cycle = true)
      : SamplingStrategy(seed), depth_(depth), cycle_(cycle) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  void end(const RunResult& result) override;

 private:
  [[nodiscard]] std::int64_t& priority_of(const Actor& actor);
  [[nodiscard]] std::uint32_t highest();
  void draw_change_points(int depth, std::size_t last);

  int depth_;
  bool cycle_;
  bool learns_ = true;
  std::size_t decisions_max_ = 1;           ///< the most in the first runs: the estimate of k
  std::size_t decisions_ = 0;               ///< in this run
  std::vector<std::size_t> change_points_;  ///< the i-th lowers an actor to i
  std::int64_t lowest_ = 0;
};

/// Partial order sampling (Yuan, Yang, Gu, CAV 2018): every pending operation, not every task, has
/// a random priority, and the highest ready one runs. Then the task's next operation gets a new
/// priority, and so does every pending operation that races with the one that ran. Every other
/// yield has the lowest priority of all; otherwise a polling loop could forever beat one low
/// priority. No parameters.
class PosStrategy final : public SamplingStrategy {
 public:
  using SamplingStrategy::SamplingStrategy;

  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;

 private:
  /// The priority of an actor's pending operation, valid until the operation or its object moves
  /// on.
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

  /// Start of the priorities of those who yield: below all but one in four billion others.
  static constexpr std::uint64_t kLowest = std::uint64_t{1} << 32U;

  [[nodiscard]] std::uint64_t priority_of(const Actor& actor);

  std::uint64_t lowest_ = kLowest;                           ///< of this run
  boost::unordered_flat_map<std::uint64_t, Drawn> drawn_;    ///< by the actor's identity
  boost::unordered_flat_map<std::uint64_t, Epochs> epochs_;  ///< by the object's identity
};

}  // namespace watchlab::sim
