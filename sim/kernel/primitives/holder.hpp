#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// Who holds a lock, for reports. The task's record is kept while this is used: the task counts it
/// in `locks_held`, or is pinned.
struct Holder {
  SimTask* task;
  std::size_t since_step;
  runtime::Location since;
};

/// "which the reader main/b holds since step 3 (queue.cpp:9)", with `role` "the reader ". Names up
/// to three holders, and the task that asks first.
[[nodiscard]] std::string describe_holders(std::span<const Holder> holders, std::string_view role,
                                           const SimTask& asks);

/// The last operation on an object, for reports about misuse. It costs a few stores, and keeps no
/// task's record except for one that acted in the name of another.
class LastOperation {
 public:
  /// The running task performs it.
  void note(SimTask& me, std::size_t step, runtime::Location here, bool for_another = false) {
    task_ = me.digest();
    step_ = step;
    here_ = here;
    if (for_another) [[unlikely]] {
      me.pin();
      pinned_ = &me;
      pinned_at_ = step;
    }
  }
  /// "; main/b unlocked it at step 4 (queue.cpp:9)", with `did` "unlocked it"; `never` if there was
  /// none.
  [[nodiscard]] std::string describe(const Scheduler& scheduler, std::string_view did,
                                     std::string_view never) const;

 private:
  std::uint64_t task_ = 0;
  std::size_t step_ = 0;
  runtime::Location here_;
  const SimTask* pinned_ = nullptr;  ///< performed it at that step
  std::size_t pinned_at_ = 0;
};

/// Why a lock cannot be unlocked, for the end of a sentence: "; main/b has held it since step 3
/// (queue.cpp:9)", or who unlocked it last.
[[nodiscard]] std::string describe_hold(const Scheduler& scheduler, std::span<const Holder> holders,
                                        const LastOperation& unlocked, std::string_view role = "");

/// Ends the run: a guard of the running task that locked `object` there finds it unlocked.
void report_guard(Scheduler& scheduler, const SimObject& object, runtime::Location locked,
                  const LastOperation& unlocked);

}  // namespace watchlab::sim
