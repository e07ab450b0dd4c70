#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace watchlab::sim {

/// Sequences of steps that remain to be explored, as trees. One object holds the trees of all nodes
/// of a search; a tree is identified by its first branch.
class WakeupTree {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// A step: who takes it, what it chooses within, and what it touches.
  struct Branch {
    std::uint32_t actor = 0;
    std::uint32_t label = 0;
    std::uint32_t footprint = 0;
    bool certain = true;    ///< whether the step is certainly possible here
    bool doubtful = false;  ///< a skipped step may cover the sequence that ends here
    std::uint32_t first_child = kNone;
    std::uint32_t next = kNone;  ///< the sibling to be explored after it
  };

  [[nodiscard]] const Branch& operator[](std::uint32_t branch) const { return branches_[branch]; }

  /// Appends a branch to the list that starts at `first`.
  std::uint32_t append(std::uint32_t& first, const Branch& branch) {
    const std::uint32_t added = take(branch);
    if (first == kNone) {
      first = added;
      return added;
    }
    std::uint32_t last = first;
    while (branches_[last].next != kNone) {
      last = branches_[last].next;
    }
    branches_[last].next = added;
    return added;
  }
  /// Moves the branch of this step to the front of a list; adds it if there is none.
  void bring_forward(std::uint32_t& first, const Branch& branch) {
    std::uint32_t before = kNone;
    std::uint32_t found = first;
    while (found != kNone &&
           (branches_[found].actor != branch.actor || branches_[found].label != branch.label)) {
      before = found;
      found = branches_[found].next;
    }
    if (found == kNone) {
      found = take(branch);
    } else if (before != kNone) {
      branches_[before].next = branches_[found].next;
    } else {
      return;
    }
    branches_[found].next = first;
    first = found;
  }
  /// Adds a branch as the only child of another, which has none.
  std::uint32_t extend(std::uint32_t parent, const Branch& branch) {
    const std::uint32_t added = take(branch);
    branches_[parent].first_child = added;
    return added;
  }
  /// Removes the first branch of a list and frees it; its children become a separate list.
  Branch take_first(std::uint32_t& first) {
    const std::uint32_t taken = first;
    first = branches_[taken].next;
    free_.push_back(taken);
    return branches_[taken];
  }
  /// Frees a list and everything below it.
  void discard(std::uint32_t first) {
    while (first != kNone) {
      const Branch branch = take_first(first);
      discard(branch.first_child);
    }
  }

 private:
  std::uint32_t take(Branch branch) {
    branch.first_child = kNone;
    branch.next = kNone;
    if (free_.empty()) {
      branches_.push_back(branch);
      return static_cast<std::uint32_t>(branches_.size() - 1);
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    branches_[place] = branch;
    return place;
  }

  std::vector<Branch> branches_;
  std::vector<std::uint32_t> free_;
};

}  // namespace watchlab::sim
