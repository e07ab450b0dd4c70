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
/// objects are shared) only from their first runs. After that a run depends only on the seed and
/// its number, so it is the same in another job, on another machine, or in a continued campaign. A
/// search that starts later plays the first runs too, and does not count them.
inline constexpr std::size_t kCalibrationRuns = 4;

/// Estimates how many events each actor still has ahead, from counts in earlier runs. An actor's
/// count includes its descendants' until they exist.
///
/// An event is an operation whose place among others' can matter, or one on a certain object. The
/// start of a task is not an event, nor is what continues after a wait that was already counted:
/// these come with the event that follows, or at any time before.
class RemainingWork {
 public:
  static constexpr std::uint32_t kNoActor = UINT32_MAX;

  /// For operations on the object with this identity; for all if 0.
  explicit RemainingWork(std::uint64_t object = 0) : object_(object) {}

  /// A run starts.
  void begin();
  /// Whether the actor's next operation is an event.
  [[nodiscard]] bool counts(const Actor& actor) const;
  /// Registers the first `options` alternatives; call it before each `draw`. What was drawn for a
  /// task may turn out to belong to its new descendant: returns who is meant now, for what was
  /// `drawn` before.
  [[nodiscard]] std::uint64_t add_offered(const Scheduler& scheduler, std::uint32_t options,
                                          RandomNumbers& numbers, std::uint64_t drawn);
  /// One of them, with a probability proportional to what they have ahead; `kNoActor` if none has
  /// anything.
  [[nodiscard]] std::uint32_t draw(const Scheduler& scheduler, std::uint32_t options,
                                   RandomNumbers& numbers) const;
  /// The actor performs an operation.
  void done(const Actor& actor);
  /// The run is over: its counts are used from now on.
  void end();

 private:
  using Counts = boost::unordered_flat_map<std::uint64_t, std::int64_t>;  ///< by identity

  void add(const Actor& actor, RandomNumbers& numbers, std::uint64_t& drawn);
  [[nodiscard]] std::uint64_t weight(const Actor& actor) const;

  std::uint64_t object_;
  Counts expected_;   ///< including descendants, from earlier runs
  Counts seen_;       ///< including descendants, in this run
  Counts remaining_;  ///< of those that this run has offered
};

/// Uniform random walk (Zhao et al., ASPLOS 2025): the task of the next event is drawn with a
/// probability proportional to the events that it still has ahead, including its descendants'. For
/// tasks that never block, every interleaving of their events is then equally likely. What is not
/// an event (see `RemainingWork`) is performed when its task's next event was drawn, or now and
/// then before. The first run is a plain random walk that counts; the next few bring the counts up
/// to date.
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
  /// One of those whose next operation is not an event; `RemainingWork::kNoActor` if there is none.
  [[nodiscard]] std::uint32_t draw_idle(std::uint32_t options);

  bool profiling_ = true;
  bool learns_ = true;
  RemainingWork work_;
  std::uint64_t drawn_ = 0;  ///< whose event is next; 0 if not drawn yet
};

/// Selectively uniform random walk (Zhao et al., ASPLOS 2025): each run picks one shared object and
/// interleaves the operations on it uniformly, while everything else is a random walk. A task whose
/// next operation is on that object is held back until it is its turn, or until the task whose turn
/// it is cannot get there: it waits for something, tasks yield again and again meanwhile, or far
/// more decisions pass than is likely. Then all tasks may move until one uses the object, so that
/// no correct loop spins forever. The first run is a plain random walk; it and the next few find
/// out which objects are shared.
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
  /// What is known about the operations on an object.
  [[nodiscard]] RemainingWork& work_on(std::uint64_t object);
  /// Draws whose turn it is, if not drawn yet. Returns false if no task has anything ahead there.
  bool draw_turn(std::uint32_t options);

  bool learns_ = true;
  /// The actors that have used each object in the first runs; the ordered map makes the pick
  /// repeatable.
  std::map<std::uint64_t, std::set<std::uint64_t>> users_;
  std::uint64_t target_ = 0;    ///< the object of this run; 0 for a plain random walk
  std::uint64_t intended_ = 0;  ///< whose turn it is on the target; 0 if not drawn yet
  bool released_ = false;       ///< no task is held back until the target is used again
  std::size_t held_ = 0;        ///< decisions for which a task was held back, since the last use
  std::size_t held_max_ = 0;    ///< after this many it is released; fewer each time
  std::size_t yields_ = 0;      ///< since the last use of the target
  std::vector<std::uint32_t> free_;              ///< who may move; only in `choose`
  std::map<std::uint64_t, RemainingWork> work_;  ///< by object
};

}  // namespace watchlab::sim
