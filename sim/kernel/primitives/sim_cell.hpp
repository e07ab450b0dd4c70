#pragma once

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
    static constexpr OperationKind kKinds[] = {
        OperationKind::AtomicRead, OperationKind::AtomicWrite, OperationKind::AtomicUpdate};
    scheduler_.step(kKinds[static_cast<std::size_t>(kind)], this, here);
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
    if (scheduler_.root_ended()) {
      scheduler_.retire(std::move(self));
    }
  }

 private:
  SyncPoint sync_;         ///< of atomic accesses
  AccessHistory history_;  ///< of plain accesses
};

}  // namespace watchlab::sim
