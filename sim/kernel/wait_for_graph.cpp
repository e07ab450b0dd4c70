#include "sim/kernel/wait_for_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/path_text.hpp"
#include "sim/kernel/primitives/sim_channel.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

/// Of several waits of one kind, whatever the channels.
constexpr std::string_view kForever = ", which blocks forever";

std::string name_and_label(const SimTask& task) {
  std::string text = task.identity().readable_path();
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

std::string describe_with_place(const Operation& operation) {
  const bool has_place = operation.here.line() != 0;  // operators of atomics have none
  return describe(operation) + (has_place ? fmt::format(" ({})", place_text(operation.here)) : "");
}

/// What a task that spins does in each turn.
std::string describe_turn(const SimTask& task) {
  std::string text;
  task.spinning->visit_turn([&](const IdleOperation& look) {
    text += text.empty() ? "" : ", ";
    text += describe_with_place(
        {.kind = look.kind, .object = const_cast<SimObject*>(look.object), .here = look.here});
  });
  return text.empty() ? "read the clock" : text;
}

/// `is_final` says that no task can end the wait any more.
std::string describe_edge(const WaitEdge& edge, bool is_final) {
  const Operation& operation = edge.task->pending();
  std::string line = fmt::format("\n  {}", name_and_label(*edge.task));
  if (operation.kind == OperationKind::Await) {
    return line + fmt::format(" repeats: {}", describe_turn(*edge.task));
  }
  if (operation.kind == OperationKind::Select) {
    return line + fmt::format(" waits in select at {} {}{}", place_text(operation.here),
                              describe_arms(*edge.task),
                              waits_forever(*edge.task) ? kForever
                              : is_final
                                  ? ", and no task is left that would make one of them possible"
                                  : "");
  }
  const bool on_channel =
      operation.kind == OperationKind::Send || operation.kind == OperationKind::Receive;
  if (edge.object == nullptr && on_channel) {
    return line + fmt::format(" {} a nil channel ({}){}", waiting_phrase(operation.kind),
                              place_text(operation.here), kForever);
  }
  if (edge.object == nullptr) {
    return line + fmt::format(" cannot continue: {} ({})", verb_for(operation.kind),
                              place_text(operation.here));
  }
  line += fmt::format(" {} {} ({})", waiting_phrase(operation.kind), edge.object->describe(),
                      place_text(operation.here));
  const std::string because = edge.object->blocked_because(*edge.task);
  const bool is_untrue = !is_final && because.starts_with("and no task is left");
  return because.empty() || is_untrue ? line : line + ", " + because;
}

std::string describe_edges(const std::vector<WaitEdge>& graph, bool are_final = true) {
  std::string lines;
  for (const WaitEdge& edge : graph) {
    lines += describe_edge(edge, are_final);
  }
  return lines;
}

std::string join_paths(const std::vector<const SimTask*>& tasks, std::string_view between) {
  std::string text;
  for (const SimTask* const task : tasks) {
    text += (text.empty() ? "" : std::string(between)) + task->identity().readable_path();
  }
  return text;
}

const WaitEdge* edge_of(const std::vector<WaitEdge>& graph, const SimTask* task) {
  const auto found = std::find_if(graph.begin(), graph.end(),
                                  [&](const WaitEdge& edge) { return edge.task == task; });
  return found == graph.end() ? nullptr : &*found;
}

/// Extends a path of tasks, of which each waits for the next, until one comes again: depth first,
/// because what several hold is free only when all of them have let it go.
bool close_circle(const std::vector<WaitEdge>& graph, const WaitEdge& edge,
                  std::vector<const SimTask*>& path, std::vector<const SimTask*>& seen) {
  const auto again = std::ranges::find(path, edge.task);
  if (again != path.end()) {
    path.erase(path.begin(), again);
    return true;
  }
  if (std::ranges::find(seen, edge.task) != seen.end()) {
    return false;
  }
  seen.push_back(edge.task);
  path.push_back(edge.task);
  for (const SimTask* const releaser : edge.releasers) {
    const WaitEdge* const next = edge_of(graph, releaser);
    if (next != nullptr && close_circle(graph, *next, path, seen)) {
      return true;
    }
  }
  path.pop_back();
  return false;
}

/// "main/a -> main/b -> main/a wait for each other in a circle", of one task "main waits for
/// itself";
/// "" without a circle.
std::string describe_circle(const std::vector<WaitEdge>& graph) {
  const std::vector<const SimTask*> circle = find_cycle(graph);
  if (circle.empty()) {
    return "";
  }
  if (circle.size() == 1) {
    return fmt::format("{} waits for itself", circle.front()->identity().readable_path());
  }
  return fmt::format("{} -> {} wait for each other in a circle", join_paths(circle, " -> "),
                     circle.front()->identity().readable_path());
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
  std::vector<const SimTask*> path;
  std::vector<const SimTask*> seen;
  for (const WaitEdge& start : graph) {
    if (close_circle(graph, start, path, seen)) {
      return path;
    }
  }
  return {};
}

std::string describe_deadlock(const Scheduler& scheduler) {
  return describe_deadlock(scheduler, {});
}

std::string describe_deadlock(const Scheduler& scheduler,
                              const std::vector<const SimTask*>& stuck) {
  std::vector<WaitEdge> graph = wait_for_graph(scheduler);
  std::erase_if(graph, [&](const WaitEdge& edge) {
    return !stuck.empty() && std::find(stuck.begin(), stuck.end(), edge.task) == stuck.end();
  });
  const std::string circle = describe_circle(graph);
  return fmt::format("deadlock at step {}: {}", scheduler.steps(),
                     circle.empty() ? "no task can continue" : circle) +
         describe_edges(graph);
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
  const std::vector<WaitEdge> graph = wait_for_graph(scheduler);
  const std::string circle = describe_circle(graph);
  text += circle.empty() ? "" : "; " + circle;
  for (const SimTask* const task : leaked) {
    text += fmt::format("\n  {} was started at {}", task->identity().readable_path(),
                        place_text(task->made()));
  }
  return text + describe_edges(graph);
}

std::string describe_livelock(const Scheduler& scheduler) {
  return fmt::format(
             "livelock at step {}: every task that can run repeats what it did, and "
             "nothing can change any more",
             scheduler.steps()) +
         describe_edges(wait_for_graph(scheduler), true);
}

std::string describe_endless(const Scheduler& scheduler) {
  std::string text = fmt::format("no end within {} steps", scheduler.steps() - 1);
  for (const Actor* const actor : scheduler.actors()) {
    if (actor->is_task() && scheduler.is_ready(*actor)) {
      const Operation& operation = actor->pending();
      text += fmt::format("\n  {} continues: {}", actor->identity().readable_path(),
                          describe_with_place(operation));
    }
  }
  return text + describe_edges(wait_for_graph(scheduler), false);
}

}  // namespace watchlab::sim
