#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What you state: sentences about a queue that are true at every moment of every run.
namespace watchlab::exercise {

enum class Deed : std::uint8_t { Put, Removed, Listed, Resynced, Popped };

/// An object in some state: "a", 2. The version 0 stands for its deletion.
struct Entry {
  std::string name;
  int version = 0;

  bool operator==(const Entry&) const = default;
};

/// One thing that was done to the queue.
struct Step {
  Deed deed = Deed::Put;
  Entry entry;  ///< what was put or removed; a removal has the version 0
  /// What was listed; what came out of a pop, in this order.
  std::vector<Entry> entries;
};

/// A moment of a run: right after a step.
struct Moment {
  std::vector<Step> steps;    ///< all that were done so far, in the order in which they took effect
  std::vector<Entry> stored;  ///< what the store holds, by name
  bool at_rest = false;       ///< whether nothing is queued
};

/// A sentence, and whether it is true at a moment. It must hold for every right queue.
struct Invariant {
  std::string name;  ///< "what_comes_out_was_given"
  std::function<bool(const Moment& moment)> holds;
};

/// All that you state. Written by you, in invariants.cpp.
[[nodiscard]] std::vector<Invariant> invariants();

}  // namespace watchlab::exercise
