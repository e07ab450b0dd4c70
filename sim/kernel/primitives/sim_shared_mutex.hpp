#pragma once

#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/holder.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A readers-writer lock of a simulated world, with the precedence of Go's sync.RWMutex. A writer
/// first takes its turn among writers, which blocks new readers, and then waits for the readers
/// inside. When it leaves, every waiting reader gets in before the next writer.
class SimSharedMutex final : public runtime::SharedMutexBackend, public SimObject {
 public:
  using SimObject::SimObject;

  void lock(runtime::Location here) override;
  void unlock(runtime::Location here) override;
  void lock_shared(runtime::Location here) override;
  void unlock_shared(runtime::Location here) override;
  void unlock_guard(runtime::Location locked) noexcept override;
  void unlock_shared_guard(runtime::Location locked) noexcept override;
  void retire() noexcept override;

  /// Steps of a condition's wait, see `SimHeldLock`. Leaving is part of the running step; entering
  /// follows the decision of a task that has published that it wants to enter.
  void leave_as_writer(runtime::Location here);
  void leave_as_reader(runtime::Location here);
  void enter_as_writer(SimTask& me, runtime::Location here);
  void enter_as_reader(SimTask& me, runtime::Location here);
  /// Announces that `task` wants to enter: a writer waits for its turn; a reader has always
  /// arrived.
  void await(SimTask& task, bool reads);
  [[nodiscard]] std::size_t held_since_step(const SimTask& me, bool reads) const;

  /// Whether a writer writes or waits for readers to leave, so that all others wait.
  [[nodiscard]] bool turn_taken() const { return turn_taken_; }
  [[nodiscard]] std::vector<const SimTask*> releasers(const SimTask& task) const override;
  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;

 private:
  void erase_reader(SimTask& me, runtime::Location here);
  [[nodiscard]] Holder writer() const { return {writer_, writer_since_step_, writer_since_}; }
  void notify_destroyed();

  SimTask* writer_ = nullptr;  ///< has its turn: writes, or waits for readers to leave
  std::size_t writer_since_step_ = 0;
  runtime::Location writer_since_;
  LastOperation unlocked_;       ///< by a writer
  LastOperation read_unlocked_;  ///< by a reader
  bool writing_ = false;
  bool turn_taken_ = false;
  SyncPoint written_;                    ///< from writers to all tasks
  SyncPoint read_;                       ///< from readers to writers
  std::vector<SimTask*> writers_;        ///< have published that they want a turn
  std::vector<Holder> waiting_readers_;  ///< arrived behind a writer
  std::vector<Holder> readers_;          ///< inside; one entry for each time a task entered
};

}  // namespace watchlab::sim
