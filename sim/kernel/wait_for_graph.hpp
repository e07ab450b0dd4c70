#pragma once

#include <string>
#include <vector>

namespace watchlab::sim {

class Scheduler;
class SimObject;
class SimTask;

/// One blocked task and what it waits for.
struct WaitEdge {
  const SimTask* task = nullptr;
  const SimObject* object = nullptr;      ///< null when it only sleeps
  std::vector<const SimTask*> releasers;  ///< that could unblock it; may be empty
};

/// Every currently blocked task, in spawning order.
[[nodiscard]] std::vector<WaitEdge> wait_for_graph(const Scheduler& scheduler);

/// Tasks of which each waits for the next and the last for the first; empty if there is no cycle.
[[nodiscard]] std::vector<const SimTask*> find_cycle(const std::vector<WaitEdge>& graph);

/// The graph in words: a headline, then one line per waiting task.
[[nodiscard]] std::string describe_deadlock(const Scheduler& scheduler);
/// The same for only these tasks, which are stuck while others may go on.
[[nodiscard]] std::string describe_deadlock(const Scheduler& scheduler,
                                            const std::vector<const SimTask*>& stuck);
[[nodiscard]] std::string describe_leak(const Scheduler& scheduler);
[[nodiscard]] std::string describe_livelock(const Scheduler& scheduler);
/// Who goes on, and who waits, if the step limit ended the run.
[[nodiscard]] std::string describe_endless(const Scheduler& scheduler);

}  // namespace watchlab::sim
