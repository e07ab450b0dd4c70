#pragma once

#include <boost/intrusive/set.hpp>
#include <chrono>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/run_digest.hpp"

namespace watchlab::sim {

class Actor;

/// A deadline that a `VirtualClock` may hold. Embedded in the actor that waits for it; a node of
/// the tree below, so that arming it allocates nothing and nothing stale is kept.
struct Deadline : boost::intrusive::set_base_hook<boost::intrusive::optimize_size<true>> {
  Actor* actor = nullptr;
  runtime::TimePoint at;

  [[nodiscard]] bool armed() const { return is_linked(); }
  friend bool operator<(const Deadline& a, const Deadline& b) { return a.at < b.at; }
};

/// Deadlines, earliest first, equal ones in the order of arrival.
using Deadlines = boost::intrusive::multiset<Deadline, boost::intrusive::constant_time_size<false>>;

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
    asked_ = held_back_ = asks_ = false;
  }
  [[nodiscard]] runtime::TimePoint now() const { return now_; }

  /// Makes the deadline's actor due at that moment.
  void arm(Deadline& deadline, runtime::TimePoint at) {
    runtime::ensure(!deadline.armed(), "a deadline is armed twice");
    deadline.at = at;
    deadlines_.insert(deadline);
    find_asks();
  }
  void disarm(Deadline& deadline) {
    if (deadline.armed()) {
      deadlines_.erase(deadlines_.iterator_to(deadline));
      find_asks();
    }
  }
  void disarm_all() {
    deadlines_.clear();
    asks_ = false;
  }
  [[nodiscard]] bool has_deadline() const { return !deadlines_.empty(); }
  [[nodiscard]] runtime::TimePoint earliest() const { return deadlines_.begin()->at; }

  /// Whether a decision with tasks ready concerns the clock: a deadline is armed, and time may jump
  /// to it or was not `held_back` before.
  [[nodiscard]] bool asks() const { return asks_; }
  /// Whether time may jump to it. The bound keeps the tree of schedules finite: without it every
  /// decision could let time pass.
  [[nodiscard]] bool may_jump_early() const { return early_jumps_left_ > 0; }
  void note_asked() { asked_ = true; }
  void count_early_jump() {
    --early_jumps_left_;
    find_asks();
  }
  void hold_back() {
    held_back_ = true;
    find_asks();
  }
  /// Whether it was ever a choice in this run to jump although tasks were ready.
  [[nodiscard]] bool was_asked() const { return asked_; }
  /// Whether a task ran although a deadline was armed and no early jump was left.
  [[nodiscard]] bool was_held_back() const { return held_back_; }

  /// Goes to the next deadline and calls `due(actor)` for every actor that is due by then. They all
  /// become ready together, because which of them acts first is a choice like any other.
  template <typename Due>
  void jump(RunDigest& digest, Due due) {
    runtime::ensure(earliest() >= now_, "a deadline was passed over");
    now_ = earliest();
    digest.reached(now_);
    while (has_deadline() && earliest() <= now_) {
      Actor& actor = *deadlines_.begin()->actor;
      deadlines_.erase(deadlines_.begin());
      due(actor);
    }
    find_asks();
  }

 private:
  void find_asks() { asks_ = has_deadline() && (early_jumps_left_ > 0 || !held_back_); }

  runtime::TimePoint now_ = kStart;
  Deadlines deadlines_;
  int early_jumps_left_ = 0;
  bool asks_ = false;
  bool asked_ = false;
  bool held_back_ = false;
};

}  // namespace watchlab::sim
