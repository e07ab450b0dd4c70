#pragma once

#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/foreign_unlock.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A readers-writer lock of a simulated world, with the precedence of Go sync.RWMutex. A writer
/// first takes its turn among writers, which holds off new readers, and then waits for the readers
/// who are inside. When it leaves, every reader who waits is let in before the next writer.
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

  /// Whether a writer writes or waits for readers to leave: others of both kinds wait.
  [[nodiscard]] bool turn_taken() const { return turn_taken_; }
  [[nodiscard]] std::vector<const SimTask*> releasers(const SimTask& task) const override;
  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;

 private:
  void leave_as_writer(runtime::Location here);
  void leave_as_reader(runtime::Location here);
  void notify_destroyed();

  SimTask* writer_ = nullptr;  ///< has its turn: writes, or waits for readers to leave
  bool writing_ = false;
  bool turn_taken_ = false;
  ForeignUnlock foreign_unlock_;
  SyncPoint written_;                      ///< from writers to all tasks
  SyncPoint read_;                         ///< from readers to writers
  std::vector<SimTask*> writers_;          ///< have published that they want a turn
  std::vector<SimTask*> waiting_readers_;  ///< arrived behind a writer
  std::vector<const SimTask*> readers_;    ///< inside; one entry for each time a task entered
};

}  // namespace watchlab::sim
