#pragma once

#include <cstddef>
#include <string>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/sim_object.hpp"

namespace watchlab::sim {

class Scheduler;
class SimTask;

/// The last time that a task unlocked what another one had locked, which Go allows. A guard of the
/// other one then unlocks in vain, and its report names both.
class ForeignUnlock {
 public:
  /// The running task does so.
  void note(Scheduler& scheduler, runtime::Location here);
  /// "; main/t unlocked it at step 5 (x.cpp:9)", or nothing.
  [[nodiscard]] std::string describe() const;
  /// Ends the run: a guard of the running task that locked `object` there finds it unlocked.
  void report_guard(Scheduler& scheduler, const SimObject& object, runtime::Location locked) const;

 private:
  const SimTask* by_ = nullptr;  ///< pinned
  std::size_t step_ = 0;
  runtime::Location here_;
};

}  // namespace watchlab::sim
