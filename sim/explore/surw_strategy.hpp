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
/// task whose next operation is on that object but whose turn it is not is held back until it is,
/// or until whose turn it is does not get there: it waits for something, tasks yield again and
/// again in the meantime, or far more is decided than is likely. Then everybody may move until
/// somebody uses the object, so that no correct loop spins for ever. The first run is a plain
/// random walk; it and the next few find out which objects are shared.
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
  /// What is known of the operations on an object.
  [[nodiscard]] RemainingWork& work_on(std::uint64_t object);
  /// Draws whose turn it is, if that is not drawn yet. False when nobody has anything before him
  /// there.
  bool draw_turn(std::uint32_t options);

  std::uint64_t seed_;
  RandomNumbers numbers_;
  bool learns_ = true;
  const Scheduler* scheduler_ = nullptr;
  /// Who has used each object in the first runs; the ordered map makes the pick repeatable.
  std::map<std::uint64_t, std::set<std::uint64_t>> users_;
  std::uint64_t target_ = 0;    ///< the object of this run; 0 for a plain random walk
  std::uint64_t intended_ = 0;  ///< whose turn it is on the target; 0 when that is not drawn yet
  bool released_ = false;       ///< nobody is held back until the target is used again
  std::size_t held_ = 0;        ///< decisions for which somebody was held back, since the last use
  std::size_t held_max_ = 0;    ///< so many are enough; fewer each time
  std::size_t yields_ = 0;      ///< since the last use of the target
  std::vector<std::uint32_t> free_;              ///< who may move; only in `choose`
  std::map<std::uint64_t, RemainingWork> work_;  ///< by object
};

}  // namespace watchlab::sim
