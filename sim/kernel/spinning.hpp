#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/runtime/time.hpp"
#include "sim/kernel/operation.hpp"

namespace watchlab::sim {

class SimObject;

/// One operation that changed nothing: a read, a failed attempt, a poll that found nothing, a
/// yield.
struct IdleOperation {
  const SimObject* object = nullptr;  ///< null for a yield
  std::uint64_t version = 0;          ///< of the object, at that time
  OperationKind kind = OperationKind::Yield;
  runtime::Location here;
  /// Distinguishes it from similar operations on that object: how a lock is tried, which direction
  /// an arm of a poll has, and whether it is the first arm, with which a turn can start.
  std::uint8_t way = 0;
  bool meets = false;  ///< for a poll: there were tasks that it could meet once they slept

  friend bool operator==(const IdleOperation& a, const IdleOperation& b) {
    return a.version == b.version && a.repeats(b);
  }
  /// Whether it is the same operation, whatever it finds.
  [[nodiscard]] bool repeats(const IdleOperation& other) const {
    return object == other.object && kind == other.kind && way == other.way &&
           here.line() == other.here.line();
  }
};

/// What a task has done since it last changed anything, to detect that it loops and always finds
/// the same. Such a task *spins*: it has to let others run, or a schedule that runs only the loop
/// would look like a livelock (Musuvathi and Qadeer, PLDI 2008, wait for a yield; here a repeated
/// turn takes its place).
///
/// What the loop counts in its own variables is invisible, so it may also give up. Therefore going
/// on is a choice, and then many turns are one operation. The number of turns that it took tells
/// how often an exploration must let it look, one by one, to miss nothing.
class Spinning {
 public:
  /// This many turns that only yield are a loop: what it waits for cannot be known.
  static constexpr std::uint32_t kBlindTurns = 1000;
  static constexpr std::uint32_t kLooksOfTurnMax = 16;
  /// For how many operations it goes on if that is chosen, or if no other task can run. A loop that
  /// ends is mostly shorter.
  static constexpr std::uint32_t kLooksAhead = 1'000;
  /// What the operation `Await` of a task means; stored in its `extra`.
  enum Await : std::uint8_t {
    Waits,    ///< for a change, or until no other task can run
    Changed,  ///< there was one
    GoesOn,   ///< it goes on without waiting
  };

  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// The `places`-th last operation.
  [[nodiscard]] const IdleOperation& last(std::uint32_t places) const {
    return looks_[(count_ - places) % kLooksOfTurnMax];
  }
  void add(const IdleOperation& look) {
    const std::uint32_t known = std::min(count_, kLooksOfTurnMax);
    for (std::uint32_t places = 1; places <= known; ++places) {
      std::uint32_t& equal = equal_[places - 1];
      const std::uint32_t before = places < count_ ? equal : 0;
      equal = last(places) == look ? before + 1 : 0;
    }
    looks_[count_ % kLooksOfTurnMax] = look;
    ++count_;
    seen_ += look.object != nullptr ? 1 : 0;
  }
  /// Sets `meets` of the last operation.
  void note_meets() { looks_[(count_ - 1) % kLooksOfTurnMax].meets = true; }
  /// Forgets all operations.
  void restart() {
    count_ = seen_ = turn = ahead = 0;
    asked = alone = sees_time = slept = false;
  }
  /// The length of the turn, if that operation starts a turn like the previous `equal` ones;
  /// otherwise 0.
  [[nodiscard]] std::uint32_t turn_before(const IdleOperation& next, std::uint32_t equal) const {
    const std::uint32_t known = count_ == 0 ? 0 : std::min(count_ - 1, kLooksOfTurnMax);
    const std::uint32_t turns = seen_ > 0 ? equal : kBlindTurns;
    for (std::uint32_t places = 1; places <= known; ++places) {
      const IdleOperation& look = last(places);
      if (equal_[places - 1] >= places * (turns - 1) && look.repeats(next)) {
        return places;
      }
    }
    return 0;
  }
  void go_on() { ahead = kLooksAhead / turn * turn; }
  /// How many turns it took after `go_on`, complete or started; 0 if it has not left its loop.
  [[nodiscard]] std::uint32_t turns_alone() const {
    return ahead == 0 ? 0 : (kLooksAhead / turn * turn - ahead + turn - 1) / turn;
  }
  /// Calls `visit(look)` for each operation of the awaited turn, in order.
  template <typename Visit>
  void visit_turn(Visit visit) const {
    for (std::uint32_t places = turn; places > 0; --places) {
      visit(last(places));
    }
  }
  /// A checked object is destroyed; another object at its address is a different one.
  void forget(const SimObject& object) {
    for (IdleOperation& look : looks_) {
      if (look.object == &object) {
        look = {.version = UINT64_MAX};
      }
    }
  }

  std::uint32_t operations = 0;  ///< of the task, at its last check
  std::uint32_t turn = 0;        ///< length of the turn, while the task awaits a change
  std::uint32_t ahead = 0;       ///< how often it may look before it waits; a multiple of the turn
  bool asked = false;            ///< whether going on was offered as a choice
  bool alone = false;            ///< it has gone on when no other task could run
  bool sees_time = false;        ///< it has read the clock or slept in between
  bool slept = false;            ///< it has slept
  runtime::TimePoint since;      ///< time of the first operation

 private:
  std::array<IdleOperation, kLooksOfTurnMax> looks_{};
  /// For each distance back: how many operations in a row have equalled the one there.
  std::array<std::uint32_t, kLooksOfTurnMax> equal_{};
  std::uint32_t count_ = 0;
  std::uint32_t seen_ = 0;  ///< operations on objects
};

}  // namespace watchlab::sim
