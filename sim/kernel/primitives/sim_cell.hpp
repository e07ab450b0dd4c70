#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A place in memory that tasks share, atomic or plain.
class SimCell final : public runtime::CellBackend, public SimObject {
 public:
  using SimObject::SimObject;

  void atomic_access(runtime::AccessKind kind, runtime::Location here) override {
    const Quiet quiet;
    const bool reads = kind == runtime::AccessKind::Read;
    if (!begin_access(kind, reads, here)) {
      return;
    }
    if (kind != runtime::AccessKind::Write) {
      scheduler_.acquire(sync_);
    }
    if (kind == runtime::AccessKind::Write) {
      scheduler_.release_alone(sync_);
    } else if (kind == runtime::AccessKind::ReadWrite) {
      scheduler_.release(sync_);
    }
    settle(!reads);
  }
  void begin_update(bool changes, runtime::Location here) override {
    const Quiet quiet;
    if (begin_access(runtime::AccessKind::ReadWrite, !changes, here)) {
      scheduler_.exchange(sync_);
    }
  }
  void end_update(bool changed) override {
    const Quiet quiet;
    if (!scheduler_.stopping()) {
      settle(changed);
    }
  }
  void plain_access(runtime::AccessKind kind, runtime::Location here) override {
    const Quiet quiet;
    scheduler_.touch(*this, history_, kind, here);
  }
  void retire() noexcept override {
    const Quiet quiet;
    std::unique_ptr<SimObject> self(this);
    if (scheduler_.root_ended() || !waiters_.empty()) {
      scheduler_.retire(std::move(self));
    }
  }

  // An atomic of the standard's kind, whose accesses have memory orders. Values are always the
  // newest ones; orders decide what is ordered.

  /// The operation of an access; the caller touches the memory right after it and then says by
  /// `order` what the access turned out to be, and whether it has changed the value. False in a
  /// stopping world, where nothing is to be said. `reads`: as the value is now, it will not change.
  /// Then a task that spins waits here, see `Scheduler::passes_over`.
  [[nodiscard]] bool begin_access(runtime::AccessKind kind, bool reads, runtime::Location here) {
    if (scheduler_.running_down()) {
      return false;
    }
    if (reads && scheduler_.passes_over(operation_for(kind), this, here)) {
      return true;
    }
    scheduler_.step(operation_for(kind), this, here);
    return !scheduler_.stopping();
  }
  void order(runtime::AccessKind kind, std::memory_order order, bool changed);
  /// Waits until a task notifies. The caller has read the value in the operation just before.
  void await_notification(runtime::Location here);
  void notify(bool all, runtime::Location here);

  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;

 private:
  [[nodiscard]] static OperationKind operation_for(runtime::AccessKind kind) {
    static constexpr OperationKind kKinds[] = {
        OperationKind::AtomicRead, OperationKind::AtomicWrite, OperationKind::AtomicUpdate};
    return kKinds[static_cast<std::size_t>(kind)];
  }
  /// The access that has just been made, and whether it has changed the value.
  void settle(bool changed) {
    if (changed) {
      scheduler_.changed(*this);
    } else {
      const Operation& done = scheduler_.current().pending();
      scheduler_.looked(done.kind, this, done.here);
    }
  }
  void wake(std::size_t index);

  SyncPoint sync_;                 ///< of atomic accesses
  AccessHistory history_;          ///< of plain accesses
  std::vector<SimTask*> waiters_;  ///< for a notification, in the order of arrival
};

}  // namespace watchlab::sim
