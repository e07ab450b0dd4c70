#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/sim_object.hpp"

namespace watchlab::sim {

/// Guesses how many events each actor still has before it in a run, from what was counted in
/// earlier runs. An actor's count includes its descendants' until they are there themselves.
///
/// An event is an operation whose place among others' can matter, or one on a certain object. The
/// start of a task is none, nor is what goes on after a wait for what was counted already: these
/// come with the event that follows, or at any moment before.
class RemainingWork {
 public:
  static constexpr std::uint32_t kNobody = UINT32_MAX;

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
  /// One of them, with a probability in proportion to what they have before them; `kNobody` where
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

}  // namespace watchlab::sim
