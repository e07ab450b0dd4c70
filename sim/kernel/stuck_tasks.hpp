#pragma once

#include <vector>

namespace watchlab::sim {

class Scheduler;
class SimTask;

/// The waiting tasks that nothing can release any more, although the run could go on: each waits,
/// without a time limit, for a task that is stuck too or has ended. In the order of spawning; empty
/// when there are none. A task in the result is certainly stuck:
///
///   - A join is released by one task alone, and so is a lock of watchlab/std, and a mutex that a
///     `runtime::Lock` holds: to unlock it from another task is a finding.
///   - Any other `runtime::Mutex`, and a `runtime::SharedMutex`, may be unlocked by any task, as in
///     Go, so it counts only where all tasks that live are stuck, and nothing outside of the run
///     could start more.
///   - What waits on a channel or a condition is never counted: who else knows it is not known.
[[nodiscard]] std::vector<const SimTask*> stuck_tasks(const Scheduler& scheduler);

}  // namespace watchlab::sim
