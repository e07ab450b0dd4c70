#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Feedback-guided search (after FEST, NSDI 2026): a run is a list of choices; one that showed an
/// order of hand-overs on some object that no run had shown before is kept, and later runs play it
/// again with a few choices changed. Where the list ends, choices are random.
class FeedbackStrategy final : public Strategy {
 public:
  explicit FeedbackStrategy(std::uint64_t seed) : seed_(seed), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;
  void end(const RunResult& result) override;

  /// Hand-overs between two actors on one object that were seen so far.
  [[nodiscard]] std::size_t coverage() const { return seen_.size(); }

 private:
  struct Kept {
    std::vector<std::uint32_t> choices;
    int mutants_left = 0;
  };

  void mutate(Kept& kept);

  std::uint64_t seed_;
  RandomNumbers numbers_;
  std::vector<Kept> corpus_;
  std::size_t next_kept_ = 0;
  std::vector<std::uint32_t> plan_;   ///< what to choose, as far as it goes
  std::vector<std::uint32_t> taken_;  ///< what was chosen
  bool found_new_ = false;
  boost::unordered_flat_set<std::uint64_t> seen_;
  boost::unordered_flat_map<std::uint64_t, std::uint64_t> last_user_;  ///< of each object
};

}  // namespace watchlab::sim
