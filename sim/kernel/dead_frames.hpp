#pragma once

#include <memory>
#include <vector>

#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {

class Scheduler;

/// Lets the tasks of a run that failed unwind although tasks that started them have ended. What
/// lay in the frames of those is gone, and a destructor may look at it. While this lives, those
/// frames cannot be touched: where an unwinding task does, it is left as it stands, and what its
/// frames still own is leaked. Guards let go of nothing then (`runtime::guards_are_void`).
class DeadFrames {
 public:
  explicit DeadFrames(Scheduler& scheduler) : scheduler_(scheduler) {}
  DeadFrames(const DeadFrames&) = delete;
  DeadFrames& operator=(const DeadFrames&) = delete;
  ~DeadFrames();

  /// Whether `task`, one of those that live, can be unwound; makes the frames of the tasks that
  /// started it and have ended untouchable. Not where a task that lives uses their stack again, nor
  /// under sanitizers, which know nothing of this, nor on Windows, which has no signals, nor where
  /// one died of an exception before this task could end.
  [[nodiscard]] bool protect_from(const SimTask& task,
                                  const std::vector<std::shared_ptr<SimTask>>& live);

 private:
  [[nodiscard]] bool protect(const Stack& stack);

  Scheduler& scheduler_;
  std::vector<Stack> stacks_;
};

}  // namespace watchlab::sim
