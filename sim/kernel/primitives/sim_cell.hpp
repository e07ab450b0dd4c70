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
    if (scheduler_.running_down()) {
      return;
    }
    scheduler_.step(operation_for(kind), this, here);
    if (kind != runtime::AccessKind::Write) {
      scheduler_.acquire(sync_);
    }
    if (kind == runtime::AccessKind::Write) {
      scheduler_.release_alone(sync_);
    } else if (kind == runtime::AccessKind::ReadWrite) {
      scheduler_.release(sync_);
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
  /// `order` what the access turned out to be. False in a stopping world, where nothing is to be
  /// said. A task that comes back only to read what it has read (`reads`: an exchange that is going
  /// to fail reads, too) waits until a task writes, or until no task can go on. That it goes on
  /// reading instead and then does something else, as a loop with an end does, is a choice: the
  /// reads that follow then are part of one operation.
  [[nodiscard]] bool begin_access(runtime::AccessKind kind, bool reads, runtime::Location here);
  void order(runtime::AccessKind kind, std::memory_order order);
  /// Waits until a task notifies. The caller has read the value in the operation just before.
  void await_notification(runtime::Location here);
  void notify(bool all, runtime::Location here);

  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;

 private:
  struct Waiter {
    SimTask* task;
    bool for_notification;
  };

  [[nodiscard]] static OperationKind operation_for(runtime::AccessKind kind) {
    static constexpr OperationKind kKinds[] = {
        OperationKind::AtomicRead, OperationKind::AtomicWrite, OperationKind::AtomicUpdate};
    return kKinds[static_cast<std::size_t>(kind)];
  }
  /// Whether the task has come back only to read what it knows.
  [[nodiscard]] bool spins(SimTask& me) const;
  /// Whether it reads on for a while, chosen when it has done nothing since it has read.
  [[nodiscard]] bool reads_on(SimTask& me);
  void await_write(SimTask& me, runtime::Location here);
  void wait(SimTask& me, bool for_notification, runtime::Location here);
  void wake(std::size_t index);

  SyncPoint sync_;               ///< of atomic accesses
  AccessHistory history_;        ///< of plain accesses
  std::vector<Waiter> waiters_;  ///< in the order of arrival
  std::uint64_t version_ = 0;    ///< how often it was written
};

}  // namespace watchlab::sim
