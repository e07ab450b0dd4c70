#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/explore/remaining_work.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Selectively uniform random walk (Zhao et al., ASPLOS 2025): each run picks one shared object and
/// interleaves the operations on it uniformly, while everything else moves as in a random walk. A
/// task whose next operation is on that object but whose turn it is not is held back until it is.
/// The first run is a plain random walk; it and the next few find out which objects are shared.
class SurwStrategy final : public Strategy {
 public:
  explicit SurwStrategy(std::uint64_t seed) : seed_(seed), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  [[nodiscard]] bool varies_seed() const override { return true; }
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;
  void end(const RunResult& result) override;

 private:
  [[nodiscard]] bool is_interesting(const Actor& actor) const;

  std::uint64_t seed_;
  RandomNumbers numbers_;
  bool learns_ = true;
  const Scheduler* scheduler_ = nullptr;
  /// Who has used each object in the first runs; the ordered map makes the pick repeatable.
  std::map<std::uint64_t, std::set<std::uint64_t>> users_;
  std::uint64_t target_ = 0;    ///< the object of this run; 0 for a plain random walk
  std::uint64_t intended_ = 0;  ///< whose turn it is on the target; 0 when that is not drawn yet
  std::map<std::uint64_t, RemainingWork> work_;  ///< by object
};

}  // namespace watchlab::sim
