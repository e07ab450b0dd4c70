#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

class SimObject;
class SimTask;

/// How much of each task's past is known, indexed by the task's place in clocks. The first places
/// are stored inline, because small worlds need no more and make many clocks.
class VectorClock {
 public:
  VectorClock() = default;
  VectorClock(const VectorClock& other) { *this = other; }
  VectorClock& operator=(const VectorClock& other) {
    first_ = other.first_;
    if (further_ != nullptr || other.further_ != nullptr) [[unlikely]] {
      assign_further(other);
    }
    return *this;
  }
  /// 0 if nothing is known.
  [[nodiscard]] std::uint32_t at(std::uint32_t place) const {
    if (place < kFirst) [[likely]] {
      return first_[place];
    }
    return further_ != nullptr && place - kFirst < further_->size() ? (*further_)[place - kFirst]
                                                                    : 0;
  }
  void increment(std::uint32_t place) {
    if (place < kFirst) [[likely]] {
      ++first_[place];
    } else {
      increment_further(place - kFirst);
    }
  }
  /// Whether the two differ at most in the place of this one task.
  [[nodiscard]] bool equals_beside(const VectorClock& other, std::uint32_t place) const;
  /// Adds everything that is known in `other`.
  void join(const VectorClock& other) {
    for (std::size_t i = 0; i < kFirst; ++i) {
      first_[i] = std::max(first_[i], other.first_[i]);
    }
    if (other.further_ != nullptr) [[unlikely]] {
      join_further(other);
    }
  }

 private:
  static constexpr std::size_t kFirst = 8;

  void increment_further(std::size_t index);
  void join_further(const VectorClock& other);
  void assign_further(const VectorClock& other);

  std::array<std::uint32_t, kFirst> first_{};
  std::unique_ptr<std::vector<std::uint32_t>> further_;
};

/// Through which knowledge passes from task to task: what was released into it happens before
/// whatever comes after an acquisition. Primitives have one for each edge that Go's memory model
/// gives them. Must not move while ThreadSanitizer looks at it, which knows it by its address.
///
/// A task's own entry grows with each of its releases. So a task that knows as much of another as
/// it knew itself at a release knows all that was released then, and two numbers often tell that
/// there is nothing to join.
class SyncPoint {
 private:
  friend class RaceClocks;

  VectorClock clock_;
  bool empty_ = true;
  /// The place of the task whose last release contains all that is known here, and how often it had
  /// released; `kNone` if there is no such task.
  std::uint32_t last_place_ = UINT32_MAX;
  std::uint32_t last_count_ = 0;
};

/// The race checker's view of a task.
struct TaskClock {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  VectorClock known;            ///< what happened before what the task does now
  std::uint32_t place = kNone;  ///< its own entry in clocks, once it has accessed a cell
};

/// One plain access to shared memory, or something that is treated like one.
struct PlainAccess {
  const SimTask* task = nullptr;  ///< pinned
  runtime::AccessKind kind = runtime::AccessKind::Read;
  runtime::Location here;
  std::size_t step = 0;
  std::uint32_t place = 0;
  std::uint32_t count = 0;  ///< of what the task had released before
};

/// The plain accesses to one cell with which a later one may race: the last write, and each task's
/// last read after it.
class AccessHistory {
 public:
  /// Whether one of these accesses is not ordered before `access`; then stores it in `earlier`.
  /// Adds `access` in either case.
  [[nodiscard]] bool add(const PlainAccess& access, const VectorClock& known,
                         PlainAccess& earlier) {
    const bool raced = write_.task != nullptr && races(write_, known);
    if (raced) [[unlikely]] {
      earlier = write_;
    }
    if (access.kind == runtime::AccessKind::Read) {
      room_for_read(access.place) = access;
      return raced;
    }
    const bool raced_read = !reads_.empty() && end_reads(known, raced ? nullptr : &earlier);
    write_ = access;
    return raced || raced_read;
  }

 private:
  [[nodiscard]] static bool races(const PlainAccess& earlier, const VectorClock& known) {
    return known.at(earlier.place) < earlier.count;
  }
  [[nodiscard]] PlainAccess& room_for_read(std::uint32_t place) {
    if (!reads_.empty() && reads_.front().place == place) [[likely]] {
      return reads_.front();
    }
    return room_for_another_read(place);
  }
  [[nodiscard]] PlainAccess& room_for_another_read(std::uint32_t place);
  /// Drops the reads. Whether one of them races with the current access; stores which.
  bool end_reads(const VectorClock& known, PlainAccess* earlier);

  PlainAccess write_;               ///< without a task before the first one
  std::vector<PlainAccess> reads_;  ///< after it, the last one of each task
};

/// The happens-before order of a run by synchronisation alone, kept as vector clocks. It is weaker
/// than the order in which things happened, and than the dependence that `dpor` reasons with: two
/// accesses that it does not order race, however far apart this schedule played them.
///
/// Nothing is recorded before the first plain access of a run, so programs without `Shared` pay one
/// test of a flag an operation. The same edges are passed to ThreadSanitizer where it is built in.
class RaceClocks {
 public:
  void reset();
  /// Records from the start on, for every task: for `WeakMemory`. The first place says whether a
  /// weaker access is part of what is known.
  void begin_whole() {
    on_ = true;
    places_ = kWeaker + 1;
    places_max_ = TaskClock::kNone;
  }
  [[nodiscard]] static bool is_weaker(const TaskClock& mine) { return mine.known.at(kWeaker) > 0; }
  static bool mark_weaker(TaskClock& mine) {
    if (!is_weaker(mine)) {
      mine.known.increment(kWeaker);
    }
    return true;
  }
  /// Gives the task a place in clocks; after `begin_whole`.
  void enter(TaskClock& mine) {
    if (mine.place == TaskClock::kNone) {
      (void)take_place(mine);
    }
  }
  /// Adds to `known` what a task would learn by acquiring `from`.
  static void learn(VectorClock& known, const SyncPoint& from) {
    if (!from.empty_) {
      known.join(from.clock_);
    }
  }
  void acquire(TaskClock& mine, SyncPoint& from) {
#if defined(WATCHLAB_TSAN)
    __tsan_acquire(&from);
#endif
    if (on_ && !from.empty_ && !covers(mine.known, from)) {
      mine.known.join(from.clock_);
    }
  }
  void release(TaskClock& mine, SyncPoint& into) {
#if defined(WATCHLAB_TSAN)
    __tsan_release(&into);
#endif
    if (on_) {
      note_release(mine, into, true);
    }
  }
  /// The same, but hides what was released into it before, as an atomic store hides the previous
  /// one.
  void release_alone(TaskClock& mine, SyncPoint& into) {
    if (on_) {
      note_release(mine, into, false);
    }
  }
  /// Two tasks meet: what either has done so far happens before what the other does from here on.
  /// `one` is running; `other` has waited since `await_meeting`, and continues with `have_met`.
  void synchronize(TaskClock& one, TaskClock& other) {
#if defined(WATCHLAB_TSAN)
    __tsan_acquire(&other.place);
    __tsan_release(&other.known);
#endif
    if (on_) {
      one.known.join(other.known);
      other.known = one.known;
      count_release(one);
      count_release(other);
    }
  }
  static void await_meeting([[maybe_unused]] TaskClock& mine) {
#if defined(WATCHLAB_TSAN)
    __tsan_release(&mine.place);
#endif
  }
  static void have_met([[maybe_unused]] TaskClock& mine) {
#if defined(WATCHLAB_TSAN)
    __tsan_acquire(&mine.known);
#endif
  }
  /// Adds what is known in `from` to `into`, whichever task is running.
  void pass(const SyncPoint& from, SyncPoint& into) {
    if (!on_ || from.empty_) {
      return;
    }
    if (into.empty_ || covers(from.clock_, into)) {
      into = from;
    } else {
      into.clock_.join(from.clock_);
      into.last_place_ = TaskClock::kNone;
    }
  }
  /// Clears what is known in `point`.
  void clear(SyncPoint& point) const {
    if (on_) {
      point.empty_ = true;
    }
  }
  /// The task has ended, after its last release: another may take its place in clocks.
  void retire(const TaskClock& ended);
  /// Fills in where the access stands in the order. Returns false if there are too many tasks: its
  /// accesses are then not checked.
  [[nodiscard]] bool stamp(TaskClock& mine, PlainAccess& access) {
    on_ = true;
    if (mine.place == TaskClock::kNone && !take_place(mine)) [[unlikely]] {
      return false;
    }
    access.place = mine.place;
    access.count = mine.known.at(mine.place);
    return true;
  }
  /// The same, and returns whether and with which earlier access it races.
  [[nodiscard]] bool check(TaskClock& mine, PlainAccess& access, AccessHistory& history,
                           PlainAccess& earlier) {
    return stamp(mine, access) && history.add(access, mine.known, earlier);
  }

 private:
  static constexpr std::uint32_t kWeaker = 0;

  struct Free {
    std::uint32_t place;
    std::uint32_t count;
  };

  /// Whether `known` obviously contains all that was released into the point.
  [[nodiscard]] static bool covers(const VectorClock& known, const SyncPoint& point) {
    return point.last_place_ != TaskClock::kNone &&
           known.at(point.last_place_) >= point.last_count_;
  }
  static void note_release(TaskClock& mine, SyncPoint& into, bool also_before);
  static void count_release(TaskClock& mine) {
    if (mine.place != TaskClock::kNone) {
      mine.known.increment(mine.place);
    }
  }
  /// False if there is no place left.
  bool take_place(TaskClock& mine);

  bool on_ = false;
  std::uint32_t places_ = 0;
  std::uint32_t places_max_ = 0;
  std::vector<Free> free_;
};

[[nodiscard]] DataRace race_between(const SimObject& cell, const PlainAccess& first,
                                    const PlainAccess& second);
/// The failure's message: both accesses, in the order in which they were played.
[[nodiscard]] std::string describe(const DataRace& race);

}  // namespace watchlab::sim
