#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/sim_object.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A digest of one run that is the same for all runs which differ only in the order of commuting
/// steps, and different for all others: two runs with the same digest are one *partial order*.
/// Comparable between runs, processes and machines.
///
/// Each step folds what it depends on into its own digest: what its task has done, and what related
/// steps have done to its object before. Reads commute; so do notifications, waits, and the sends
/// and receives of a buffered channel. The digests of all steps are added up. That takes a few
/// instructions per step and no vector clocks. What a step does to a second object (the mutex that
/// a wait releases) follows from the next steps on that object, and is left out.
class OrderDigest {
 public:
  /// A run starts.
  void begin();
  /// `actor` is about to perform its pending operation at this virtual time.
  void executed(const Actor& actor, std::int64_t moment);
  /// A choice other than who goes next was made.
  void chosen(const Choice& choice, std::uint32_t index);
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  /// What related steps have done to an object so far, by how they commute; see `lane_of`.
  using Lanes = std::array<std::uint64_t, 4>;

  /// Digests are already good hashes.
  struct IdentityHash {
    using is_avalanching = void;
    std::size_t operator()(std::uint64_t digest) const { return digest; }
  };
  template <typename Value>
  using ByDigest = boost::unordered_flat_map<std::uint64_t, Value, IdentityHash>;

  std::uint64_t sum_ = 0;
  ByDigest<std::uint64_t> actors_;  ///< what each has done
  ByDigest<Lanes> objects_;
};

/// Lets another strategy decide, and computes the partial order of each run.
class OrderObserver final : public StrategyDecorator {
 public:
  using StrategyDecorator::StrategyDecorator;

  void begin(const Scheduler& scheduler) override {
    digest_.begin();
    StrategyDecorator::begin(scheduler);
  }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    const std::uint32_t index = StrategyDecorator::choose(choice);
    digest_.chosen(choice, index);
    return index;
  }
  void executed(const Actor& actor) override {
    digest_.executed(actor, scheduler().now().time_since_epoch().count());
    StrategyDecorator::executed(actor);
  }

  /// Of the last run.
  [[nodiscard]] std::uint64_t order() const { return digest_.value(); }

 private:
  OrderDigest digest_;
};

/// Feedback-guided search (after FEST, NSDI 2026). A run is a list of choices. A run that shows a
/// new order of accesses by two actors to some object is kept, and later runs replay it with a few
/// choices changed. After the end of the list, choices are random.
class FeedbackStrategy final : public Strategy {
 public:
  explicit FeedbackStrategy(std::uint64_t seed) : seed_(seed), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;
  void end(const RunResult& result) override;

  /// Successions of two actors on one object that were seen so far.
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
  boost::unordered_flat_map<std::uint64_t, std::uint64_t> last_user_;  ///< for each object
};

}  // namespace watchlab::sim
