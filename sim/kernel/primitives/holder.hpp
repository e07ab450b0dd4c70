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

/// Who holds a lock, for reports. The task's record is kept as long as this: the task counts it in
/// `locks_held`, or is pinned.
struct Holder {
  SimTask* task;
  std::size_t since_step;
  runtime::Location since;
};

/// "which the reader main/b holds since step 3 (queue.cpp:9)", with `role` "the reader ". Of
/// several holders it names three, and the task that asks first.
[[nodiscard]] std::string describe_holders(std::span<const Holder> holders, std::string_view role,
                                           const SimTask& asks);

/// What was done last to an object, for reports about a misuse. It costs a few stores, and keeps no
/// task's record but that of one which did it in the name of another.
class LastDeed {
 public:
  /// The running task is doing it.
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
  /// "; main/b unlocked it at step 4 (queue.cpp:9)", with `did` "unlocked it"; `never` when nothing
  /// was done to it.
  [[nodiscard]] std::string describe(const Scheduler& scheduler, std::string_view did,
                                     std::string_view never) const;

 private:
  std::uint64_t task_ = 0;
  std::size_t step_ = 0;
  runtime::Location here_;
  const SimTask* pinned_ = nullptr;  ///< did it at that step
  std::size_t pinned_at_ = 0;
};

/// Why a lock cannot be unlocked, as the end of a sentence: "; main/b has held it since step 3
/// (queue.cpp:9)", or who unlocked it last.
[[nodiscard]] std::string describe_hold(const Scheduler& scheduler, std::span<const Holder> holders,
                                        const LastDeed& unlocked, std::string_view role = "");

/// Ends the run: a guard of the running task that locked `object` there finds it unlocked.
void report_guard(Scheduler& scheduler, const SimObject& object, runtime::Location locked,
                  const LastDeed& unlocked);

}  // namespace watchlab::sim
