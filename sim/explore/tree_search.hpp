#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A strategy that walks a tree of all runs, one branch after the other, and knows how far it is.
/// Call these between runs only.
class TreeSearch : public Strategy {
 public:
  /// The part of the tree that lies behind, in (0, 1], as far as can be told from the way to where
  /// the search is: every branch counts as large as its siblings (Knuth 1975, weighted by the way
  /// of the last run). Runs so far divided by it estimate how many there are.
  [[nodiscard]] virtual double explored() const = 0;
  /// Where the search is, on one line, so that it can go on in another process.
  [[nodiscard]] virtual std::string state() const = 0;
  /// Goes on from there. Throws `std::invalid_argument` for what is no state of this strategy.
  virtual void restore(std::string_view state) = 0;
  /// Explores only one of `shards` parts, which together are the whole and do not overlap. Throws
  /// `std::invalid_argument` when this strategy cannot be split.
  virtual void split(std::size_t shard, std::size_t shards) = 0;
};

}  // namespace watchlab::sim
