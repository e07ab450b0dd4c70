#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::sim {

/// Where runs of one body went different ways: a node for each decision that was met, below the one
/// before it. Runs that begin alike share their first nodes.
class ExploredTree {
 public:
  struct Node {
    std::string taken;  ///< the alternative that leads here; "" at the root
    std::size_t runs = 0;
    std::map<std::string, std::size_t> failures;  ///< of these runs, by kind
    std::vector<std::size_t> children;  ///< indices of nodes, in the order of the first run

    [[nodiscard]] std::size_t failing() const;
  };

  ExploredTree() : nodes_(1) {}

  /// One run, by the alternatives that it took; `failure` is the kind of its failure, or "".
  void add(const std::vector<std::string>& alternatives, const std::string& failure);

  [[nodiscard]] const Node& root() const { return nodes_.front(); }
  [[nodiscard]] const Node& node(std::size_t index) const { return nodes_[index]; }

 private:
  std::size_t child(std::size_t parent, const std::string& alternative);

  std::vector<Node> nodes_;
};

/// What came of playing a body under many schedules, failing ones included.
struct Explored {
  ExploredTree tree;
  std::string strategy;
  std::size_t blocked = 0;     ///< runs that the strategy gave up because they show nothing new
  bool exhausted = false;      ///< these are all runs that there are
  bool interrupted = false;    ///< `keep_going` said no: there are more
  std::string first_schedule;  ///< of the first failing run; "" when there is none
};

/// Like `explore`, but continues after a failure. `schedules_max` bounds the runs, and so does
/// `keep_going`, which sees nothing of what came of them.
[[nodiscard]] Explored explore_tree(const ExploreOptions& options,
                                    const std::function<void(runtime::Runtime&)>& body);

struct ExploredPictureOptions {
  std::string title;
  std::size_t nodes_max = 60;  ///< boxes; one with … has more below it
};

/// The tree as a picture: a row for each place where runs part, below that from which it branches
/// and to the right of it; in its box how many came there and how many of those fail, behind it the
/// decision. Red ones fail, green ones hold. Decisions at which all runs took the same way are only
/// counted. Branches with failures are opened first, then those with most runs. In the DOT
/// language, in which every node has its position (layout `nop`).
[[nodiscard]] std::string explored_dot(const Explored& explored,
                                       const ExploredPictureOptions& options);

}  // namespace watchlab::sim
