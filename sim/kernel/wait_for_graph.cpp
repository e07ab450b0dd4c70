#include "sim/kernel/wait_for_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/path_text.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

std::string name_and_label(const SimTask& task) {
  std::string text = task.identity().path();
  if (!task.label.empty()) {
    text += fmt::format(" ({})", task.label);
  }
  return text;
}

std::string_view waiting_phrase(OperationKind kind) {
  switch (kind) {
    case OperationKind::CondWait:
      return "waits on";
    case OperationKind::Lock:
    case OperationKind::WriteLock:
    case OperationKind::GroupWait:
      return "waits for";
    case OperationKind::Relock:
      return "was woken and waits for";
    case OperationKind::Join:
      return "waits for the end of";
    case OperationKind::Send:
      return "waits to send on";
    case OperationKind::Receive:
      return "waits to receive from";
    case OperationKind::ReadGranted:
      return "waits to read-lock";
    case OperationKind::WriteGranted:
      return "waits for the readers to leave";
    default:
      return "waits for";
  }
}

std::string describe_edge(const WaitEdge& edge) {
  const Operation& operation = edge.task->pending();
  std::string line = fmt::format("\n  {}", name_and_label(*edge.task));
  const bool on_channel =
      operation.kind == OperationKind::Send || operation.kind == OperationKind::Receive;
  if (edge.object == nullptr && on_channel) {
    return line + fmt::format(" {} a nil channel ({}), which blocks indefinitely",
                              waiting_phrase(operation.kind), place_text(operation.here));
  }
  if (edge.object == nullptr) {
    return line + fmt::format(" cannot continue: {} ({})", verb_for(operation.kind),
                              place_text(operation.here));
  }
  line += fmt::format(" {} {} ({})", waiting_phrase(operation.kind), edge.object->describe(),
                      place_text(operation.here));
  const std::string because = edge.object->blocked_because(*edge.task);
  return because.empty() ? line : line + ", " + because;
}

std::string describe_edges(const std::vector<WaitEdge>& graph) {
  std::string lines;
  for (const WaitEdge& edge : graph) {
    lines += describe_edge(edge);
  }
  return lines;
}

std::string join_paths(const std::vector<const SimTask*>& tasks, std::string_view between) {
  std::string text;
  for (const SimTask* const task : tasks) {
    text += (text.empty() ? "" : std::string(between)) + task->identity().path();
  }
  return text;
}

const WaitEdge* edge_of(const std::vector<WaitEdge>& graph, const SimTask* task) {
  const auto found = std::find_if(graph.begin(), graph.end(),
                                  [&](const WaitEdge& edge) { return edge.task == task; });
  return found == graph.end() ? nullptr : &*found;
}

}  // namespace

std::vector<WaitEdge> wait_for_graph(const Scheduler& scheduler) {
  std::vector<WaitEdge> graph;
  for (const Actor* const actor : scheduler.actors()) {
    if (!actor->is_task() || scheduler.is_ready(*actor)) {
      continue;
    }
    const auto* const task = static_cast<const SimTask*>(actor);
    if (task->state == SimTask::State::Ended) {
      continue;
    }
    WaitEdge edge{.task = task, .object = task->pending().object, .releasers = {}};
    if (edge.object != nullptr) {
      edge.releasers = edge.object->releasers(*task);
    }
    graph.push_back(std::move(edge));
  }
  std::sort(graph.begin(), graph.end(),
            [](const WaitEdge& a, const WaitEdge& b) { return a.task->number < b.task->number; });
  return graph;
}

std::vector<const SimTask*> find_cycle(const std::vector<WaitEdge>& graph) {
  for (const WaitEdge& start : graph) {
    std::vector<const SimTask*> path;
    const WaitEdge* edge = &start;
    while (edge != nullptr && std::find(path.begin(), path.end(), edge->task) == path.end()) {
      path.push_back(edge->task);
      edge = edge->releasers.empty() ? nullptr : edge_of(graph, edge->releasers.front());
    }
    if (edge != nullptr) {
      path.erase(path.begin(), std::find(path.begin(), path.end(), edge->task));
      return path;
    }
  }
  return {};
}

std::string describe_deadlock(const Scheduler& scheduler) {
  const std::vector<WaitEdge> graph = wait_for_graph(scheduler);
  const std::vector<const SimTask*> cycle = find_cycle(graph);
  std::string text = fmt::format("deadlock at step {}: ", scheduler.steps());
  if (cycle.empty()) {
    text += "no task can continue";
  } else {
    text += fmt::format("{} -> {} wait for each other in a circle", join_paths(cycle, " -> "),
                        cycle.front()->identity().path());
  }
  return text + describe_edges(graph);
}

std::string describe_leak(const Scheduler& scheduler) {
  std::vector<const SimTask*> leaked;
  for (const Actor* const actor : scheduler.actors()) {
    const auto* const task = actor->is_task() ? static_cast<const SimTask*>(actor) : nullptr;
    if (task != nullptr && task->state != SimTask::State::Ended) {
      leaked.push_back(task);
    }
  }
  std::sort(leaked.begin(), leaked.end(),
            [](const SimTask* a, const SimTask* b) { return a->number < b->number; });
  std::string text = fmt::format("leak: the root task has ended, and {} still {}: {}",
                                 leaked.size() == 1 ? "a task" : "tasks",
                                 leaked.size() == 1 ? "lives" : "live", join_paths(leaked, ", "));
  for (const SimTask* const task : leaked) {
    text +=
        fmt::format("\n  {} was started at {}", task->identity().path(), place_text(task->made()));
  }
  return text + describe_edges(wait_for_graph(scheduler));
}

std::string describe_livelock(const Scheduler& scheduler) {
  std::string text =
      fmt::format("livelock: the run did not end within {} steps", scheduler.steps() - 1);
  std::string busy;
  for (const Actor* const actor : scheduler.actors()) {
    if (actor->is_task() && scheduler.is_ready(*actor)) {
      const Operation& operation = actor->pending();
      const bool has_place = operation.here.line() != 0;  // operators of atomics have none
      busy += fmt::format("\n  {} continues: {} {}{}", actor->identity().path(),
                          verb_for(operation.kind),
                          operation.object != nullptr ? operation.object->describe() : "",
                          has_place ? fmt::format(" ({})", place_text(operation.here)) : "");
    }
  }
  return text + busy + describe_edges(wait_for_graph(scheduler));
}

}  // namespace watchlab::sim
