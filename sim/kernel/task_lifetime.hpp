#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/runtime/time.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/ready_set.hpp"
#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {

/// Tasks from their spawning to the last report that names them: their stacks, their numbers, how
/// many are alive, and what must outlive its owner until the end of the run.
///
/// A task's stack is in use until control has left it for good, so it returns to the pool only once
/// its successor has been found. A task's record outlives the task if a deviation or a report may
/// name it. The run lasts while a task is alive or something holds it open. When the root has
/// ended, the others get a grace period, and after that they are leaks.
class TaskLifetime {
 public:
  /// Gives a new task its number and a stack on which `entry(task)` will run.
  void begin(SimTask& task, void (*entry)(void*));
  /// The task ends; if it is the root, those that live on have until then.
  void end(const SimTask& task, runtime::TimePoint grace_until);
  /// Nothing runs on the stack of an ended task any more, or it is about to be left. Its record is
  /// kept until the next task ends.
  void retire(std::shared_ptr<SimTask> ended);
  /// Takes the stack from a task that will not run again, started or not. What its frames own is
  /// leaked on purpose.
  void drop(SimTask& task);

  /// Work that no task does yet but that keeps the run open: armed asynchronous timers.
  void hold_open(std::ptrdiff_t delta) { held_open_ += delta; }
  [[nodiscard]] bool is_held_open() const { return held_open_ != 0; }
  [[nodiscard]] bool over() const { return live_ == 0 && held_open_ == 0; }
  [[nodiscard]] bool root_ended() const { return root_ended_; }
  /// Whether tasks are still alive whose grace period is over at `time`.
  [[nodiscard]] bool has_leak_at(runtime::TimePoint time) const {
    return root_ended_ && live_ > 0 && time > grace_until_;
  }
  /// Those that have not ended, youngest first: a task may use what is in the frames of those that
  /// started it, so it must end before them.
  [[nodiscard]] static std::vector<std::shared_ptr<SimTask>> in_order_of_death(
      const ReadySet& actors);
  /// Whether a task that started `task`, directly or not, has ended.
  [[nodiscard]] static bool has_ended_ancestor(const SimTask& task);

  /// Whether a task that has not ended was started by `task`, directly or not.
  [[nodiscard]] static bool has_descendant(const ReadySet& actors, const SimTask& task);

  /// Keeps something until the end of the run, because others still point to it.
  void retire(std::unique_ptr<SimObject> object) { retired_.push_back(std::move(object)); }
  /// Releases everything that was kept. Starts a run.
  void reset();

 private:
  static constexpr std::size_t kKeptStacksMax = 16;

  StackPool stacks_;
  std::uint64_t spawned_ = 0;
  std::size_t live_ = 0;
  std::ptrdiff_t held_open_ = 0;
  bool root_ended_ = false;
  std::vector<Stack> kept_stacks_;  // of tasks whose children may live on, see `DeadFrames`
  runtime::TimePoint grace_until_;
  std::shared_ptr<SimTask> last_ended_;          // its fiber may still be the running one
  std::vector<std::shared_ptr<SimTask>> ended_;  // pinned ones
  std::vector<std::unique_ptr<SimObject>> retired_;
};

}  // namespace watchlab::sim
