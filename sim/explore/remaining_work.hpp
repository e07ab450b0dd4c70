#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/sim_object.hpp"

namespace watchlab::sim {

/// Guesses how many operations each actor still has before it in a run, from what was counted in
/// earlier runs. An actor's count includes its descendants' until they are there themselves.
class RemainingWork {
 public:
  /// A run begins.
  void begin();
  /// One of the first `options` alternatives, with a probability in proportion to `remaining`.
  [[nodiscard]] std::uint32_t draw(const Scheduler& scheduler, std::uint32_t options,
                                   RandomNumbers& numbers);
  /// The actor carries out one operation that counts.
  void done(const Actor& actor);
  /// The run is over: its counts are used from now on.
  void end();

 private:
  using Counts = boost::unordered_flat_map<std::uint64_t, std::int64_t>;  ///< by identity

  void meet(const Actor& actor);
  /// At least 1.
  [[nodiscard]] std::uint64_t remaining(const Actor& actor) const;

  Counts expected_;   ///< with descendants, from earlier runs
  Counts seen_;       ///< with descendants, of this run
  Counts remaining_;  ///< of those that this run has met
};

}  // namespace watchlab::sim
