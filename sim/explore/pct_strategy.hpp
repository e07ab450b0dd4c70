#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): actors get random priorities
/// and the highest ready one runs; at d-1 random decisions the one about to run falls to the
/// bottom. A bug of depth d is hit with probability at least 1 / (n * k^(d-1)) a run, for n tasks
/// and k decisions. Only decisions with two or more alternatives count, a yield is a demotion, and
/// a run that grows far beyond what was seen before ends as a random walk, so that no spin loop
/// starves the rest. Other choices than who goes next are random.
class PctStrategy final : public Strategy {
 public:
  /// `depth` at least 1. With `cycle`, runs take the depths 1 … `depth` in turn, for when the bug's
  /// depth is unknown.
  PctStrategy(std::uint64_t seed, int depth, bool cycle = true)
      : seed_(seed), depth_(depth), cycle_(cycle), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  [[nodiscard]] bool varies_seed() const override { return true; }
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  void end(const RunResult& result) override;

 private:
  [[nodiscard]] std::int64_t& priority_of(const Actor& actor);
  [[nodiscard]] std::uint32_t highest();
  void draw_change_points(int depth, std::size_t last);

  std::uint64_t seed_;
  int depth_;
  bool cycle_;
  RandomNumbers numbers_;
  bool learns_ = true;
  const Scheduler* scheduler_ = nullptr;
  std::size_t decisions_max_ = 1;           ///< the most that the first runs had: the estimate of k
  std::size_t decisions_ = 0;               ///< of this run
  std::vector<std::size_t> change_points_;  ///< the i-th lowers somebody to i
  std::int64_t lowest_ = 0;
};

}  // namespace watchlab::sim
