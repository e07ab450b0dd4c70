#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/sim_object.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Sampling strategies learn about the program (how many decisions, how much each task does, which
/// objects are shared) from their first runs only. From then on a run depends on the seed and its
/// number alone, so that it is the same in another job, on another machine, or in a campaign that
/// continues later. A search that begins further on plays the first runs too, and does not count
/// them.
inline constexpr std::size_t kCalibrationRuns = 4;

/// Guesses how many events each actor still has before it in a run, from what was counted in
/// earlier runs. An actor's count includes its descendants' until they are there themselves.
///
/// An event is an operation whose place among others' can matter, or one on a certain object. The
/// start of a task is none, nor is what continues after a wait for what was counted already: these
/// come with the event that follows, or at any moment before.
class RemainingWork {
 public:
  static constexpr std::uint32_t kNoActor = UINT32_MAX;

  /// Of the operations on the object with this identity; of all for 0.
  explicit RemainingWork(std::uint64_t object = 0) : object_(object) {}

  /// A run begins.
  void begin();
  /// Whether what the actor does next is an event.
  [[nodiscard]] bool counts(const Actor& actor) const;
  /// Looks at the first `options` alternatives; before each `draw`. What was drawn for a task may
  /// turn out to be its new descendant's: returns who is meant now, when it was `drawn` before.
  [[nodiscard]] std::uint64_t meet(const Scheduler& scheduler, std::uint32_t options,
                                   RandomNumbers& numbers, std::uint64_t drawn);
  /// One of them, with a probability in proportion to what they have before them; `kNoActor` where
  /// none of them has anything.
  [[nodiscard]] std::uint32_t draw(const Scheduler& scheduler, std::uint32_t options,
                                   RandomNumbers& numbers) const;
  /// The actor carries out an operation.
  void done(const Actor& actor);
  /// The run is over: its counts are used from now on.
  void end();

 private:
  using Counts = boost::unordered_flat_map<std::uint64_t, std::int64_t>;  ///< by identity

  void meet(const Actor& actor, RandomNumbers& numbers, std::uint64_t& drawn);
  [[nodiscard]] std::uint64_t weight(const Actor& actor) const;

  std::uint64_t object_;
  Counts expected_;   ///< with descendants, from earlier runs
  Counts seen_;       ///< with descendants, of this run
  Counts remaining_;  ///< of those that this run has met
};

/// Uniform random walk (Zhao et al., ASPLOS 2025): whose event is next is drawn with a probability
/// in proportion to the events that each task still has before it, its descendants' included. For
/// tasks that never block, every interleaving of their events is then equally likely. What is no
/// event (see `RemainingWork`) is carried out when its task's next event was drawn, or now and then
/// before. The first run is a plain random walk that counts; the next few bring the counts up to
/// date.
class UrwStrategy final : public SamplingStrategy {
 public:
  using SamplingStrategy::SamplingStrategy;

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;
  void end(const RunResult& result) override;

 private:
  /// One of those that would do something that is no event; `RemainingWork::kNoActor` if there is
  /// none.
  [[nodiscard]] std::uint32_t draw_idle(std::uint32_t options);

  bool profiling_ = true;
  bool learns_ = true;
  RemainingWork work_;
  std::uint64_t drawn_ = 0;  ///< whose event is next; 0 when that is not drawn yet
};

/// Selectively uniform random walk (Zhao et al., ASPLOS 2025): each run picks one shared object and
/// interleaves the operations on it uniformly, while everything else moves as in a random walk. A
/// task whose next operation is on that object but whose turn it is not is held back until it is,
/// or until whose turn it is does not get there: it waits for something, tasks yield again and
/// again in the meantime, or far more is decided than is likely. Then all tasks may move until
/// one uses the object, so that no correct loop spins indefinitely. The first run is a plain
/// random walk; it and the next few find out which objects are shared.
class SurwStrategy final : public SamplingStrategy {
 public:
  using SamplingStrategy::SamplingStrategy;

  [[nodiscard]] bool prepare(std::size_t run) override;
  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;
  void end(const RunResult& result) override;

 private:
  [[nodiscard]] bool is_interesting(const Actor& actor) const;
  /// What is known of the operations on an object.
  [[nodiscard]] RemainingWork& work_on(std::uint64_t object);
  /// Draws whose turn it is, if that is not drawn yet. False when no task has anything before it
  /// there.
  bool draw_turn(std::uint32_t options);

  bool learns_ = true;
  /// The actors that have used each object in the first runs; the ordered map makes the pick
  /// repeatable.
  std::map<std::uint64_t, std::set<std::uint64_t>> users_;
  std::uint64_t target_ = 0;    ///< the object of this run; 0 for a plain random walk
  std::uint64_t intended_ = 0;  ///< whose turn it is on the target; 0 when that is not drawn yet
  bool released_ = false;       ///< no task is held back until the target is used again
  std::size_t held_ = 0;        ///< decisions for which a task was held back, since the last use
  std::size_t held_max_ = 0;    ///< so many are enough; fewer each time
  std::size_t yields_ = 0;      ///< since the last use of the target
  std::vector<std::uint32_t> free_;              ///< who may move; only in `choose`
  std::map<std::uint64_t, RemainingWork> work_;  ///< by object
};

}  // namespace watchlab::sim
