#pragma once

#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// A wait group of a simulated world. Counting is one visible operation, waiting another.
class SimWaitGroup final : public runtime::WaitGroupBackend, public SimObject {
 public:
  using SimObject::SimObject;

  void add(std::ptrdiff_t delta, runtime::Location here) override;
  void wait(runtime::Location here) override;
  void retire() noexcept override;

  [[nodiscard]] std::ptrdiff_t count() const { return count_; }
  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;

 private:
  void park(SimTask& me);
  void let_go(SimTask& task);

  SyncPoint done_;
  std::ptrdiff_t count_ = 0;
  std::vector<SimTask*> waiting_;
};

}  // namespace watchlab::sim
