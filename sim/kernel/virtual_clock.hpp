#pragma once

#include <boost/intrusive/set.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/run_digest.hpp"

namespace watchlab::sim {

class Actor;

/// A deadline that a `VirtualClock` may hold. Embedded in the actor that waits for it as a node of
/// the tree below, so arming it allocates nothing, and nothing stale is kept.
struct Deadline : boost::intrusive::set_base_hook<boost::intrusive::optimize_size<true>> {
  Actor* actor = nullptr;
  runtime::TimePoint at;
  /// For a task that polls and pauses until others have moved: its time passes only when no task
  /// can run, and never early to another deadline while it is armed.
  bool is_pause = false;

  [[nodiscard]] bool armed() const { return is_linked(); }
  friend bool operator<(const Deadline& a, const Deadline& b) { return a.at < b.at; }
};

/// Deadlines, earliest first, equal ones in order of arrival.
using Deadlines = boost::intrusive::multiset<Deadline, boost::intrusive::constant_time_size<false>>;

/// Virtual time and the deadlines that wait for it. Time stands still while tasks run: it moves
/// only in `jump`, from one deadline to the next, and never back. So no deadline is in the past,
/// and what code computes between two operations takes no time.
class VirtualClock {
 public:
  /// 2024-01-01T00:00:00Z. Runs start well after the zero time, which some code reads as "never".
  static constexpr runtime::TimePoint kStart{std::chrono::seconds(1'704'067'200)};

  /// Starts a run in which time may jump this often while tasks are ready.
  void reset(int early_jumps) {
    deadlines_.clear();
    now_ = kStart;
    early_jumps_left_ = early_jumps;
    armed_ = pauses_ = jumps_ = 0;
    last_armed_.reset();
    asked_ = held_back_ = asks_ = false;
  }
  [[nodiscard]] runtime::TimePoint now() const { return now_; }

  /// Makes the deadline's actor due at this time.
  void arm(Deadline& deadline, runtime::TimePoint at, bool is_pause = false) {
    runtime::ensure(!deadline.armed(), "a deadline is armed twice");
    deadline.at = at;
    deadline.is_pause = is_pause;
    deadlines_.insert(deadline);
    ++count_of(deadline);
    note_armed();
  }
  void disarm(Deadline& deadline) {
    if (deadline.armed()) {
      deadlines_.erase(deadlines_.iterator_to(deadline));
      --count_of(deadline);
      find_asks();
    }
  }
  void disarm_all() {
    deadlines_.clear();
    armed_ = pauses_ = 0;
    asks_ = false;
  }
  [[nodiscard]] bool has_deadline() const { return !deadlines_.empty(); }
  [[nodiscard]] runtime::TimePoint earliest() const { return deadlines_.begin()->at; }

  /// Whether a decision while tasks are ready concerns the clock: a deadline is armed, and time may
  /// jump to it, or has not been `held_back` before.
  [[nodiscard]] bool asks() const { return asks_; }
  /// Whether there is a deadline to which time can jump while tasks are ready.
  [[nodiscard]] bool can_jump_early() const { return armed_ > 0 && pauses_ == 0; }
  /// Whether it may. The bound keeps the tree of schedules finite: without it every decision could
  /// advance time.
  [[nodiscard]] bool may_jump_early() const { return can_jump_early() && early_jumps_left_ > 0; }
  void note_deadline() { last_armed_ = jumps_; }
  void note_asked() { asked_ = true; }
  void count_early_jump() {
    --early_jumps_left_;
    find_asks();
  }
  void hold_back() {
    held_back_ = true;
    find_asks();
  }
  /// Whether jumping while tasks are ready was ever a choice in this run.
  [[nodiscard]] bool was_asked() const { return asked_; }
  /// Whether a task ran while a deadline was armed and no early jump was left.
  [[nodiscard]] bool was_held_back() const { return held_back_; }

  /// How often time has jumped, not counting jumps to pauses only.
  [[nodiscard]] std::uint32_t jumps() const { return jumps_; }
  /// The largest number of jumps after which a deadline was armed, or would have been if others had
  /// come first; nothing if there was none. Pauses do not count.
  [[nodiscard]] std::optional<std::uint32_t> last_armed() const { return last_armed_; }
  /// Calls `visit(actor)` for every actor that the next jump makes due.
  template <typename Visit>
  void visit_next(Visit visit) const {
    for (const Deadline& deadline : deadlines_) {
      if (deadline.at > earliest()) {
        return;
      }
      visit(std::as_const(*deadline.actor));
    }
  }

  /// Jumps to the next deadline and calls `due(actor)` for every actor that is due by then. They
  /// all become ready together, because which of them acts first is a choice like any other.
  template <typename Due>
  void jump(RunDigest& digest, Due due) {
    runtime::ensure(earliest() >= now_, "a deadline was passed over");
    now_ = earliest();
    digest.reached(now_);
    const std::size_t armed = armed_;
    while (has_deadline() && earliest() <= now_) {
      Deadline& deadline = *deadlines_.begin();
      deadlines_.erase(deadlines_.begin());
      --count_of(deadline);
      due(*deadline.actor);
    }
    jumps_ += armed_ < armed ? 1 : 0;
    note_armed();
  }

 private:
  std::size_t& count_of(const Deadline& deadline) { return deadline.is_pause ? pauses_ : armed_; }
  void note_armed() {
    if (armed_ > 0) {
      note_deadline();
    }
    find_asks();
  }
  void find_asks() { asks_ = armed_ > 0 && (may_jump_early() || !held_back_); }

  runtime::TimePoint now_ = kStart;
  Deadlines deadlines_;
  std::size_t armed_ = 0;  ///< deadlines, not counting pauses
  std::size_t pauses_ = 0;
  std::uint32_t jumps_ = 0;
  std::optional<std::uint32_t> last_armed_;
  int early_jumps_left_ = 0;
  bool asks_ = false;
  bool asked_ = false;
  bool held_back_ = false;
};

}  // namespace watchlab::sim
