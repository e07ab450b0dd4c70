#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/kernel/sim_object.hpp"
#include "sim/kernel/sim_task.hpp"
#include "sim/kernel/virtual_clock.hpp"

namespace watchlab::sim {

/// What a step does to one object, as far as the order of steps can matter.
enum class AccessKind : std::uint8_t {
  // A mutex.
  Acquire,
  TryAcquire,
  Release,
  ForeignRelease,  ///< by a task that does not hold it
  // A condition.
  WaitBegin,
  WaitTimeout,
  Notify,
  // A channel with a buffer.
  Send,
  Receive,
  SendClosed,  ///< it panics, whatever is in the buffer
  // A channel without one.
  Offer,
  Take,
  OfferPublished,  ///< a task is now waiting with an offer: receivers may meet it from now on
  TakePublished,
  // Any channel.
  Touch,  ///< select, poll, close, the firing of its timer
  Size,
  // A readers-writer lock.
  ReadLock,
  ReadUnlock,
  ReadGranted,
  WriteLock,
  WriteUnlock,
  WriteGranted,
  // A wait group.
  CountUp,
  CountDown,
  GroupWait,
  GroupWaitPublished,
  // A task.
  TaskEnd,
  TaskJoin,
  TaskDone,
  // A timer.
  TimerUse,     ///< stop, reset
  TimerFire,    ///< it was due and puts its time into the channel
  TimerRetire,  ///< its owner releases it while it is due
  // A memory cell.
  Read,
  Write,
  // Time itself, where a jump is a step like any other.
  TimePass,
  TimeSee,  ///< reads the clock, or sets or stops a deadline
};

/// Whether two accesses to one object by different tasks depend on each other.
enum class Relation : std::uint8_t {
  None,     ///< they commute
  Matched,  ///< only the n-th send and the n-th receive, and across the capacity
  Full,     ///< their order matters
};

[[nodiscard]] Relation relation(AccessKind a, AccessKind b);
/// Whether every later access to the object is related to one of this kind, so that everything
/// before it is already ordered.
[[nodiscard]] bool is_total(AccessKind kind);

/// Whether an access of this kind may depend on something about a step that is unknown until the
/// step is taken: where its task gets to next, and, if the step can meet another task, what that
/// one withdraws.
[[nodiscard]] bool depends_on_unknown(AccessKind kind, bool can_meet);
/// The same if time may jump early: steps may read the clock or reach waits with a deadline, and a
/// jump may make other actors due.
[[nodiscard]] bool depends_on_unknown_of_time(AccessKind kind);

/// One access of one step. Objects are identified by dense numbers, see `Numbering`.
struct Access {
  static constexpr std::uint32_t kTime = 0;     ///< the object that represents time
  static constexpr std::uint8_t kEntrance = 1;  ///< to lock, to send, to pass
  static constexpr std::uint8_t kExit = 2;      ///< to receive
  static constexpr std::uint8_t kNever = 4;     ///< needs: no other task can make it possible

  std::uint32_t object = 0;
  AccessKind kind = AccessKind::Read;
  /// What could be done with the object just before the step.
  std::uint8_t open = kEntrance | kExit;
  /// What must be open (one of these) for this access to be possible; 0 if it always is.
  std::uint8_t needs = 0;
  /// Whether the step could also happen through another of its accesses: another arm of a select.
  bool spare = false;
  std::uint32_t buffered = 0;  ///< values in the channel just before
  std::uint32_t capacity = 0;
};

/// Dense numbers, from 1, for identities; the same in all runs for which it is used. Tasks and
/// timers have one number as actors and another as objects.
class Numbering {
 public:
  [[nodiscard]] std::uint32_t operator()(const SimObject& object);
  [[nodiscard]] std::size_t size() const { return digests_.size(); }
  [[nodiscard]] std::uint64_t digest(std::uint32_t number) const { return digests_[number]; }

 private:
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<std::uint64_t> digests_{0};
};

/// Appends what the pending operation of `actor` will access; call it just before the operation is
/// performed. Operations that concern no other task append nothing.
void append_accesses(const Actor& actor, Numbering& objects, std::vector<Access>& accesses);
/// The same for the operation of a blocked task: what it would access if it could continue.
void append_wanted(const SimTask& task, Numbering& objects, std::vector<Access>& accesses);
/// Appends what `task` has accessed just by reaching its pending operation.
void append_arrival(const SimTask& task, Numbering& objects, std::vector<Access>& accesses);
/// Appends what reaching a wait with a deadline shows about the gate: whether it was open.
void append_timed_arrival(const SimTask& task, Numbering& objects, std::vector<Access>& accesses);
/// Appends what the next time jump will access: for those that it makes due, their waits end.
void append_jump(const VirtualClock& clock, Numbering& objects, std::vector<Access>& accesses);
/// Appends the channels from which a rendezvous has withdrawn `partner`.
void append_withdrawal(const SimTask& partner, Numbering& objects, std::vector<Access>& accesses);
/// Appends what `partner`, whom `by` has just met, would have accessed by itself.
void append_met(const SimTask& partner, const SimTask& by, Numbering& objects,
                std::vector<Access>& accesses);

}  // namespace watchlab::sim
