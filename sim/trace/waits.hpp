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
  std::string object;    ///< "mutex 'queue'"; "" when it concerns only the task
  std::string identity;  ///< of the object: two may have one name
  std::string because;   ///< "which main/one holds since step 3 (queue.cpp:9)"; may be ""
  std::vector<std::string> releasers;  ///< the tasks that could let it continue
  bool in_circle = false;              ///< it waits for itself, through others
};

/// Who waits for whom at one moment of a run.
struct Waits {
  std::size_t step = 0;  ///< those before it are done
  bool indefinite = false;
  std::vector<WaitingTask> waiting;  ///< in the order of spawning
  std::vector<std::string> ready;    ///< tasks that can continue
};

/// Plays the schedule and looks at who waits just before `step`; without one, at those who wait for
/// ever when the run ends in a deadlock or a leak, and otherwise at the first moment at which most
/// tasks wait. Nothing when the run has no such step. Throws `InvalidSchedule` when the text is no
/// schedule, and `std::invalid_argument` when the body does not follow it.
[[nodiscard]] std::optional<Waits> find_waits(std::string_view schedule,
                                              const std::function<void(runtime::Runtime&)>& body,
                                              std::optional<std::size_t> step);

/// A picture: a box for each task and an ellipse for each thing that it waits for, with arrows to
/// the tasks that could let it continue; a circle is red. In the DOT language, for the layout
/// `dot`.
[[nodiscard]] std::string waits_dot(const Waits& waits, const std::string& title);

}  // namespace watchlab::sim
