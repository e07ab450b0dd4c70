#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>

#include "sim/kernel/sim_object.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A digest of one run that is the same for all runs which differ only in the order of steps that
/// commute, and different for others: two runs with one digest are one *partial order*. Comparable
/// between runs, processes and machines.
///
/// Each step folds what it depends on into a digest of its own: what its task has done, and what
/// related steps have done to its object before. Reads commute, so do notifications, waits, and the
/// sends and receives of a channel with a buffer. The digests of all steps add up. That is a few
/// instructions a step and needs no vector clocks. What a step does to a second object (the mutex
/// that a wait gives up) follows from the steps on it that come next, and is left out.
class OrderDigest {
 public:
  /// A run begins.
  void begin();
  /// `actor` is about to carry out its pending operation at that virtual moment.
  void executed(const Actor& actor, std::int64_t moment);
  /// A choice other than who goes next was made.
  void chosen(const Choice& choice, std::uint32_t index);
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  /// What related steps have done to an object so far, by how they commute; see `lane_of`.
  using Lanes = std::array<std::uint64_t, 4>;

  std::uint64_t sum_ = 0;
  boost::unordered_flat_map<std::uint64_t, std::uint64_t> actors_;  ///< what each has done
  boost::unordered_flat_map<std::uint64_t, Lanes> objects_;
};

}  // namespace watchlab::sim
