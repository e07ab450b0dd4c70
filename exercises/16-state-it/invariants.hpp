#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What you state: sentences about a queue that are true at every moment of every run.
namespace watchlab::exercise {

enum class Deed : std::uint8_t { Added, Removed, Popped };

/// An object in some state: "a", 2.
struct Entry {
  std::string name;
  int version = 0;

  bool operator==(const Entry&) const = default;
};

/// One thing that was done to the queue.
struct Step {
  Deed deed = Deed::Added;
  /// What was added or removed; what came out of a pop. A pop that gives nothing is ("", 0). The
  /// version of a removal means nothing.
  Entry entry;
};

/// A moment of a run: right after a step.
struct Moment {
  std::vector<Step> steps;  ///< all that were done so far, in the order in which they took effect
  std::vector<Entry> waiting;  ///< what the queue says that waits, by name
};

/// A sentence, and whether it is true at a moment. It must hold for every right queue.
struct Invariant {
  std::string name;  ///< "what_is_popped_was_added"
  std::function<bool(const Moment& moment)> holds;
};

/// All that you state. Written by you, in invariants.cpp.
[[nodiscard]] std::vector<Invariant> invariants();

}  // namespace watchlab::exercise
