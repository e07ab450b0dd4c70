#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/runtime/time.hpp"
#include "sim/kernel/operation.hpp"

namespace watchlab::sim {

class SimObject;

/// One operation that changed nothing: a read, an attempt that failed, a poll that found nothing, a
/// yield.
struct Glance {
  const SimObject* object = nullptr;  ///< null for a yield
  std::uint64_t version = 0;          ///< of the object, when it was looked at
  OperationKind kind = OperationKind::Yield;
  runtime::Location here;
  /// What tells it from others of its kind at that object: how a lock is tried, to which side an
  /// arm of a poll looks, and whether it is the first arm, with which a turn can begin.
  std::uint8_t way = 0;
  bool meets = false;  ///< of a poll: there were tasks that it could meet once they slept

  friend bool operator==(const Glance& a, const Glance& b) {
    return a.version == b.version && a.repeats(b);
  }
  /// Whether it is the same look, whatever it finds.
  [[nodiscard]] bool repeats(const Glance& other) const {
    return object == other.object && kind == other.kind && way == other.way &&
           here.line() == other.here.line();
  }
};

/// What a task has looked at since it last changed anything, to notice that it goes round in a loop
/// and finds the same each time. Such a task *spins*: it has to let the others go, or a schedule in
/// which only the loop runs would pass for a livelock (Musuvathi and Qadeer, PLDI 2008, who wait
/// for a yield; here a turn that repeats stands for one).
///
/// What the loop counts in its own variables cannot be seen, so that it gives up is possible too:
/// that it goes on is a choice, and then many turns are one operation. How many turns it took then
/// says how often an exploration has to let it look, one by one, to leave nothing out.
class Spinning {
 public:
  /// So many turns that look at nothing, only yield, are a loop: what it waits for cannot be known.
  static constexpr std::uint32_t kBlindTurns = 1000;
  static constexpr std::uint32_t kLooksOfTurnMax = 16;
  /// For how many looks it goes on where that is chosen, and where no other task can go. A loop
  /// with an end is mostly shorter.
  static constexpr std::uint32_t kLooksAhead = 1'000;
  /// What the operation `Await` of a task is, in its `extra`.
  enum Await : std::uint8_t {
    Waits,    ///< for a change, or until no other task can go
    Changed,  ///< there was one
    GoesOn,   ///< it looks again, without waiting
  };

  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// The `places`-th last one.
  [[nodiscard]] const Glance& last(std::uint32_t places) const {
    return looks_[(count_ - places) % kLooksOfTurnMax];
  }
  void add(const Glance& look) {
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
  /// Says that of the last look.
  void note_meets() { looks_[(count_ - 1) % kLooksOfTurnMax].meets = true; }
  /// Forgets all looks.
  void restart() {
    count_ = seen_ = turn = ahead = 0;
    asked = alone = sees_time = slept = false;
  }
  /// How many looks a turn has, if that operation begins one like the `equal` before it; 0 if not.
  [[nodiscard]] std::uint32_t turn_before(const Glance& next, std::uint32_t equal) const {
    const std::uint32_t known = count_ == 0 ? 0 : std::min(count_ - 1, kLooksOfTurnMax);
    const std::uint32_t turns = seen_ > 0 ? equal : kBlindTurns;
    for (std::uint32_t places = 1; places <= known; ++places) {
      const Glance& look = last(places);
      if (equal_[places - 1] >= places * (turns - 1) && look.repeats(next)) {
        return places;
      }
    }
    return 0;
  }
  void go_on() { ahead = kLooksAhead / turn * turn; }
  /// How many turns it took after `go_on`, whole or begun; 0 where it has not left its loop.
  [[nodiscard]] std::uint32_t turns_alone() const {
    return ahead == 0 ? 0 : (kLooksAhead / turn * turn - ahead + turn - 1) / turn;
  }
  /// Calls `visit(look)` for each look of the turn that is awaited, the first one first.
  template <typename Visit>
  void visit_turn(Visit visit) const {
    for (std::uint32_t places = turn; places > 0; --places) {
      visit(last(places));
    }
  }
  /// Something that was looked at is no more; what may come to lie in its place is another.
  void forget(const SimObject& object) {
    for (Glance& look : looks_) {
      if (look.object == &object) {
        look = {.version = UINT64_MAX};
      }
    }
  }

  std::uint32_t operations = 0;  ///< of the task, when it had looked
  std::uint32_t turn = 0;        ///< looks of the turn, while the task awaits a change
  std::uint32_t ahead = 0;       ///< how often it may look before it waits; whole turns
  bool asked = false;            ///< whether it was chosen if it goes on
  bool alone = false;            ///< it has gone on when no other task could
  bool sees_time = false;        ///< it has read the clock or slept between its looks
  bool slept = false;            ///< it has slept
  runtime::TimePoint since;      ///< of the first look

 private:
  std::array<Glance, kLooksOfTurnMax> looks_{};
  /// By how many places back, how many looks one after the other have equalled the one there.
  std::array<std::uint32_t, kLooksOfTurnMax> equal_{};
  std::uint32_t count_ = 0;
  std::uint32_t seen_ = 0;  ///< looks at objects
};

}  // namespace watchlab::sim
