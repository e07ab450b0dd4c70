#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"

namespace watchlab::sim {

/// A task that could not continue.
struct WaitingTask {
  std::string task;
  std::string wants;     ///< "lock", "wait on", "sleep"
  std::string place;     ///< "queue.cpp:12"
  std::string object;    ///< "mutex 'queue'"; "" if it concerns only the task
  std::string identity;  ///< of the object, because two may have the same name
  std::string because;   ///< "which main/one holds since step 3 (queue.cpp:9)"; may be ""
  std::vector<std::string> releasers;  ///< the tasks that could unblock it
  bool in_circle = false;              ///< it waits for itself, through others
};

/// Who waits for whom at one moment of a run.
struct Waits {
  std::size_t step = 0;  ///< the steps before it are done
  bool indefinite = false;
  std::vector<WaitingTask> waiting;  ///< in spawning order
  std::vector<std::string> ready;    ///< tasks that can continue
};

/// Plays the schedule and reports who waits just before `step`. Without a step: who waits forever
/// if the run ends in a deadlock or a leak, otherwise who waits at the first moment when most tasks
/// wait. Returns nothing if the run has no such step. Throws `InvalidSchedule` if the text is not a
/// schedule, and `std::invalid_argument` if the body does not follow it.
[[nodiscard]] std::optional<Waits> find_waits(std::string_view schedule,
                                              const std::function<void(runtime::Runtime&)>& body,
                                              std::optional<std::size_t> step);

/// A picture: a box for each task and an ellipse for each thing that it waits for, with arrows to
/// the tasks that could unblock it; a cycle is red. In the DOT language, for the layout `dot`.
[[nodiscard]] std::string waits_dot(const Waits& waits, const std::string& title);

}  // namespace watchlab::sim
