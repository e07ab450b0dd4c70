#pragma once

#include "core/runtime/backend.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A place in memory that tasks share, atomic or plain.
class SimCell final : public runtime::CellBackend, public SimObject {
 public:
  using SimObject::SimObject;

  void atomic_access(runtime::AccessKind kind, runtime::Location here) override {
    if (scheduler_.running_down()) {
      return;
    }
    static constexpr OperationKind kKinds[] = {
        OperationKind::AtomicRead, OperationKind::AtomicWrite, OperationKind::AtomicUpdate};
    scheduler_.step(kKinds[static_cast<std::size_t>(kind)], this, here);
  }
  void plain_access(runtime::AccessKind /*kind*/, runtime::Location /*here*/) override {}
  void retire() noexcept override {
    std::unique_ptr<SimObject> self(this);
    if (scheduler_.root_ended()) {
      scheduler_.bury(std::move(self));
    }
  }
};

}  // namespace watchlab::sim
