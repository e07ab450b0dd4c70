#include "sim/kernel/stuck_tasks.hpp"

#include <algorithm>

#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/wait_for_graph.hpp"

namespace watchlab::sim {
namespace {

bool has_edge(const std::vector<WaitEdge>& edges, const SimTask* task) {
  return std::any_of(edges.begin(), edges.end(),
                     [&](const WaitEdge& edge) { return edge.task == task; });
}

/// Takes away all who may be released by one who is not among them, until none is left of these.
std::vector<WaitEdge> closed_part_of(std::vector<WaitEdge> edges) {
  std::size_t before = 0;
  do {
    before = edges.size();
    const std::vector<WaitEdge> all = edges;
    std::erase_if(edges, [&](const WaitEdge& edge) {
      return edge.releasers.empty() ||
             std::any_of(edge.releasers.begin(), edge.releasers.end(), [&](const SimTask* other) {
               return other->state != SimTask::State::Ended && !has_edge(all, other);
             });
    });
  } while (edges.size() < before);
  return edges;
}

/// Whether it waits for another task alone.
bool waits(const Scheduler& scheduler, const SimTask& task) {
  return !scheduler.is_ready(task) && task.pending().object != nullptr && !task.deadline.armed() &&
         task.pending().kind != OperationKind::Await;  // it looks again and again
}

/// Said quickly, for this is asked often and mostly false: nobody is stuck where no task waits for
/// a holder, and not all wait.
bool may_be_stuck(const Scheduler& scheduler) {
  bool all_wait = true;
  for (const Actor* const actor : scheduler.actors()) {
    const auto* const task = actor->is_task() ? static_cast<const SimTask*>(actor) : nullptr;
    if (task == nullptr || task->state == SimTask::State::Ended) {
      continue;
    }
    if (!waits(scheduler, *task)) {
      all_wait = false;
    } else if (task->pending().object->is_released_by_holder()) {
      return true;
    }
  }
  return all_wait;
}

}  // namespace

std::vector<const SimTask*> stuck_tasks(const Scheduler& scheduler) {
  if (!may_be_stuck(scheduler)) {
    return {};
  }
  std::vector<WaitEdge> waiting = wait_for_graph(scheduler);
  std::erase_if(waiting, [&](const WaitEdge& edge) { return !waits(scheduler, *edge.task); });
  std::vector<WaitEdge> stuck = closed_part_of(waiting);
  const std::vector<const Actor*> actors = scheduler.actors();
  const auto lives = [](const Actor* actor) {
    return actor->is_task() && static_cast<const SimTask*>(actor)->state != SimTask::State::Ended;
  };
  const auto live = std::count_if(actors.begin(), actors.end(), lives);
  if (static_cast<std::size_t>(live) != stuck.size() || !scheduler.is_closed()) {
    std::erase_if(stuck,
                  [](const WaitEdge& edge) { return !edge.object->is_released_by_holder(); });
    stuck = closed_part_of(std::move(stuck));
  }
  std::vector<const SimTask*> tasks;
  for (const WaitEdge& edge : stuck) {
    tasks.push_back(edge.task);
  }
  return tasks;
}

}  // namespace watchlab::sim
