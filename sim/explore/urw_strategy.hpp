#pragma once

#include <cstdint>

#include "sim/explore/random_numbers.hpp"
#include "sim/explore/remaining_work.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Uniform random walk (Zhao et al., ASPLOS 2025): whose event is next is drawn with a probability
/// in proportion to the events that each task still has before it, its descendants' included. For
/// tasks that never block, every interleaving of their events is then equally likely. What is no
/// event (see `RemainingWork`) is carried out when its task's next event was drawn, or now and then
/// before. The first run is a plain random walk that counts; the next few bring the counts up to
/// date.
class UrwStrategy final : public Strategy {
 public:
  explicit UrwStrategy(std::uint64_t seed) : seed_(seed), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  [[nodiscard]] bool varies_seed() const override { return true; }
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;
  void end(const RunResult& result) override;

 private:
  /// One of those who would do something that is no event; `RemainingWork::kNobody` if there is
  /// none.
  [[nodiscard]] std::uint32_t draw_idle(std::uint32_t options);

  std::uint64_t seed_;
  RandomNumbers numbers_;
  const Scheduler* scheduler_ = nullptr;
  bool profiling_ = true;
  bool learns_ = true;
  RemainingWork work_;
  std::uint64_t drawn_ = 0;  ///< whose event is next; 0 when that is not drawn yet
};

}  // namespace watchlab::sim
