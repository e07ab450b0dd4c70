#pragma once

#include <chrono>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/run_digest.hpp"
#include "sim/kernel/timer_heap.hpp"

namespace watchlab::sim {

/// Virtual time and the deadlines that wait for it. Time stands still while tasks run: it moves
/// only in `jump`, from one deadline to the next, and never back. So no deadline lies in the past,
/// and what code computes between two operations takes no time.
class VirtualClock {
 public:
  /// 2024-01-01T00:00:00Z: runs start well after the zero time, which some code reads as "never".
  static constexpr runtime::TimePoint kStart{std::chrono::seconds(1'704'067'200)};

  /// Begins a run in which time may jump that often although tasks are ready.
  void reset(int early_jumps) {
    deadlines_.clear();
    now_ = kStart;
    early_jumps_left_ = early_jumps;
  }
  [[nodiscard]] runtime::TimePoint now() const { return now_; }

  /// Makes the deadline's actor due at that moment.
  void arm(Deadline& deadline, runtime::TimePoint at) { deadlines_.push(deadline, at); }
  void disarm(Deadline& deadline) {
    if (deadline.armed()) {
      deadlines_.remove(deadline);
    }
  }
  void disarm_all() { deadlines_.clear(); }
  [[nodiscard]] bool has_deadline() const { return !deadlines_.empty(); }
  [[nodiscard]] runtime::TimePoint earliest() const { return deadlines_.earliest(); }

  /// Whether the world shall be asked for a jump while tasks are ready. The bound keeps the tree of
  /// schedules finite: without it every decision could let time pass.
  [[nodiscard]] bool may_jump_early() const { return early_jumps_left_ > 0; }
  void count_early_jump() { --early_jumps_left_; }

  /// Goes to the next deadline and calls `due(actor)` for every actor that is due by then. They all
  /// become ready together, because which of them acts first is a choice like any other.
  template <typename Due>
  void jump(RunDigest& digest, Due due) {
    runtime::ensure(deadlines_.earliest() >= now_, "a deadline was passed over");
    now_ = deadlines_.earliest();
    digest.reached(now_);
    while (!deadlines_.empty() && deadlines_.earliest() <= now_) {
      due(*deadlines_.pop().actor);
    }
  }

 private:
  runtime::TimePoint now_ = kStart;
  TimerHeap deadlines_;
  int early_jumps_left_ = 0;
};

}  // namespace watchlab::sim
