#pragma once

#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/primitives/holder.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A wait group of a simulated world. Counting is one visible operation, waiting another.
///
/// Counting up from zero must come before or after a wait in an order that the program enforces.
/// Go's race detector treats the two as a read and a write of one place, and reports a race only if
/// it sees one. Here it is a violation, in whichever order the two are played.
class SimWaitGroup final : public runtime::WaitGroupBackend, public SimObject {
 public:
  using SimObject::SimObject;

  void add(std::ptrdiff_t delta, runtime::Location here) override;
  void wait(runtime::Location here) override;
  void retire() noexcept override;

  /// Allows counting up from zero concurrently with a wait: for programs that test the explorer
  /// itself.
  void tolerate_unordered_adds() { judges_order_ = false; }

  [[nodiscard]] std::ptrdiff_t count() const { return count_; }
  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;

 private:
  /// The running task counts up from zero, or starts to wait: nothing of the other kind may be
  /// unordered with it.
  void add_to(std::vector<PlainAccess>& same, const std::vector<PlainAccess>& others,
              runtime::Location here);
  void report(const PlainAccess& add, const PlainAccess& wait);
  void park(SimTask& me);
  void let_go(SimTask& task);

  SyncPoint done_;
  std::ptrdiff_t count_ = 0;
  std::vector<SimTask*> waiting_;
  bool judges_order_ = true;
  LastOperation counted_;
  std::vector<PlainAccess> first_adds_;  ///< from zero; the last one of each task
  std::vector<PlainAccess> waits_;       ///< the same
};

}  // namespace watchlab::sim
