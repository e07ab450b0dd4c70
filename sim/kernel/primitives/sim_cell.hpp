#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/memory.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A place in memory that tasks share, atomic or plain.
class SimCell final : public runtime::CellBackend, public SimObject {
 public:
  using SimObject::SimObject;

  void atomic_access(runtime::AccessKind kind, runtime::Location here) override {
    const Quiet quiet;
    const bool reads = kind == runtime::AccessKind::Read;
    if (begin_access(kind, reads, here) == CellAccess::Outside) {
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
    if (begin_access(runtime::AccessKind::ReadWrite, !changes, here) != CellAccess::Outside) {
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
    if (weak_ != nullptr && scheduler_.weak_memory() != nullptr) {
      scheduler_.weak_memory()->keep(std::move(weak_));
    }
    if (scheduler_.root_ended() || !waiters_.empty()) {
      scheduler_.retire(std::move(self));
    }
  }

  // An atomic of the standard's kind, whose accesses have memory orders. The newest value is the
  // caller's.

  /// The operation of an access; the caller touches the memory right after it and then says by
  /// `order` what the access turned out to be and whether it has changed the value, or with weak
  /// memory does by the functions below what it wants. `reads`: as the value is now, it will not
  /// change. Then a task that spins waits here, see `Scheduler::passes_over`.
  [[nodiscard]] CellAccess begin_access(runtime::AccessKind kind, bool reads,
                                        runtime::Location here) {
    if (scheduler_.running_down()) {
      return CellAccess::Outside;
    }
    if (reads && scheduler_.passes_over(operation_for(kind), this, here)) {
      return begun();
    }
    scheduler_.step(operation_for(kind), this, here);
    return begun();
  }
  void order(runtime::AccessKind kind, std::memory_order order, bool changed);

  // With weak memory. Each is told the newest value and replaces it.

  /// By the one that is read.
  void weak_load(std::memory_order order, std::span<std::byte> value);
  /// By the one that is the newest after `stored` was.
  void weak_store(std::memory_order order, std::span<const std::byte> stored,
                  std::span<std::byte> value);
  /// By the one that an update reads. `weak_put` follows.
  void weak_take(std::memory_order order, std::span<std::byte> value);
  /// By the one that an exchange reads. True if it succeeds, and `weak_put` follows.
  [[nodiscard]] bool weak_compare(const ExchangeOrders& orders, std::span<const std::byte> expected,
                                  std::span<std::byte> value);
  /// Stores what an update has made of what it took; then it is replaced by what is the newest.
  void weak_put(std::memory_order order, std::span<std::byte> value);

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
  [[nodiscard]] CellAccess begun() const {
    return scheduler_.stopping()                 ? CellAccess::Outside
           : scheduler_.weak_memory() == nullptr ? CellAccess::Newest
                                                 : CellAccess::Weak;
  }
  [[nodiscard]] WeakLocation& location(std::span<const std::byte> value);
  [[nodiscard]] std::uint32_t choose_place(const WeakMemory::Places& places);
  void read_weakly(std::uint32_t place, std::memory_order order);

  SyncPoint sync_;                      ///< of atomic accesses
  AccessHistory history_;               ///< of plain accesses
  std::vector<SimTask*> waiters_;       ///< for a notification, in the order of arrival
  std::unique_ptr<WeakLocation> weak_;  ///< with weak memory, from the first access on
  std::uint32_t taken_ = 0;             ///< the place of what an update has read
};

}  // namespace watchlab::sim
