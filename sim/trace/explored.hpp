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

/// Where runs of one body diverge: a node for each decision, below the previous one. Runs with the
/// same start share their first nodes.
class ExploredTree {
 public:
  struct Node {
    std::string taken;  ///< the alternative that leads here; "" for the root
    std::size_t runs = 0;
    std::map<std::string, std::size_t> failures;  ///< of these runs, by kind
    std::vector<std::size_t> children;  ///< indices of nodes, in the order of their first runs

    [[nodiscard]] std::size_t failing() const;
  };

  ExploredTree() : nodes_(1) {}

  /// Adds one run, as the alternatives that it took; `failure` is the kind of its failure, or "".
  void add(const std::vector<std::string>& alternatives, const std::string& failure);

  [[nodiscard]] const Node& root() const { return nodes_.front(); }
  [[nodiscard]] const Node& node(std::size_t index) const { return nodes_[index]; }

 private:
  std::size_t child(std::size_t parent, const std::string& alternative);

  std::vector<Node> nodes_;
};

/// The result of playing a body under many schedules, including failing ones.
struct Explored {
  ExploredTree tree;
  std::string strategy;
  std::size_t blocked = 0;     ///< runs that the strategy abandoned because they show nothing new
  bool exhausted = false;      ///< these are all runs
  bool interrupted = false;    ///< `keep_going` returned false: there are more
  std::string first_schedule;  ///< of the first failing run; "" if there is none
};

/// Like `explore`, but goes on after a failure. `schedules_max` and `keep_going` bound the runs;
/// `keep_going` does not see results.
[[nodiscard]] Explored explore_tree(const ExploreOptions& options,
                                    const std::function<void(runtime::Runtime&)>& body);

struct ExploredPictureOptions {
  std::string title;
  std::size_t nodes_max = 60;  ///< boxes; one with … has more below it
};

/// The tree as a picture. There is a row for each place where runs diverge, below the one from
/// which it branches and to the right of it. Its box shows how many runs came there and how many of
/// them fail, followed by the decision. Red ones fail, green ones pass. Decisions at which all runs
/// went the same way are only counted. Branches with failures are opened first, then those with
/// most runs. In the DOT language, with a position for every node (layout `nop`).
[[nodiscard]] std::string explored_dot(const Explored& explored,
                                       const ExploredPictureOptions& options);

}  // namespace watchlab::sim
