#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/explore/access.hpp"
#include "sim/explore/interned.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// One event of a run: a step of a task or timer from one decision to the next, or a time jump that
/// may come early.
struct Event {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kClock = 0;  ///< the actor of such jumps

  std::uint32_t actor = 0;
  std::uint32_t index = 1;            ///< number within the actor's events, from 1
  std::uint32_t previous = kNone;     ///< the actor's previous event
  std::uint32_t prompted_by = kNone;  ///< the event that started or woke the actor
  std::uint32_t epoch = 0;  ///< the first event since time last advanced because no task was ready
  std::uint32_t first_access = 0;
  std::uint32_t accesses = 0;
  std::uint32_t announced = 0;  ///< the footprint of only the pending operation
  std::uint32_t footprint = 0;  ///< all accesses, as a list in `EventLog::footprints`
  std::uint32_t label = 0;      ///< the values chosen within it, without trailing zeros
  OperationKind kind = OperationKind::Start;
  bool could_jump = false;  ///< time could have jumped instead
  std::size_t step = 0;
};

/// An operation that was wanted but not done: by a blocked actor when no actor could continue, or
/// one that the previous event made impossible by stopping a due timer, by receiving from a sending
/// task, or by notifying a task whose wait had ended.
struct Wanted {
  std::uint32_t position = 0;  ///< the number of events before it
  bool missed = false;         ///< it was possible until the last of these
  Event event;
};

/// Records a run as events with accesses and choices, from a strategy's callbacks. A prefix of the
/// events can be kept for the next run if it is known to start in the same way.
class EventLog {
 public:
  /// A run starts. The first `kept` events are repeated and not recorded again.
  void begin(const Scheduler& scheduler, std::size_t kept);
  /// Drops the events from `kept` on, between runs.
  void truncate(std::size_t kept);

  /// Call it from `Strategy::executed`. Returns true if this is a new event and not part of the
  /// last one.
  bool executed(const Actor& actor);
  /// Call it from `Strategy::retired`.
  void retired(const Actor& timer);
  /// Call it from `Strategy::timed`.
  void timed();
  /// Call it from `Strategy::idle`, unless the clock is ready then.
  void idle();
  /// Records what blocked tasks want, if a run ends early or none is ready. Not within the kept
  /// prefix.
  void want_blocked();
  /// Completes the last event: before the next decision, and when no actor is ready.
  void settle();
  /// Completes it after the run, when its task is gone.
  void close();
  /// The last event has chosen `value` among `options`.
  void chosen(std::uint32_t value, std::uint32_t options);
  /// Whether the next time jump is a step that could be taken now.
  [[nodiscard]] bool clock_is_ready() const;
  /// That step is taken.
  void jump();

  /// The number of events in this run so far, including kept ones.
  [[nodiscard]] std::size_t position() const { return position_; }
  /// Whether the last event so far is a kept one.
  [[nodiscard]] bool replaying() const { return position_ <= kept_; }
  /// How many values the last event has chosen so far.
  [[nodiscard]] std::uint32_t values_chosen() const { return values_chosen_; }

  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const std::vector<Wanted>& wanted() const { return wanted_; }
  [[nodiscard]] std::span<const Access> accesses(const Event& event) const {
    return std::span(accesses_).subspan(event.first_access, event.accesses);
  }
  /// The values that the last settled event has chosen, and among how many.
  [[nodiscard]] std::span<const std::uint32_t> values() const { return values_; }
  [[nodiscard]] std::span<const std::uint32_t> options() const { return options_; }

  [[nodiscard]] bool dependent(std::uint32_t footprint, std::uint32_t other) const;
  /// The same, but ignores operations that are only matched.
  [[nodiscard]] Relation related(std::uint32_t footprint, std::uint32_t other) const;

  /// Whether a step with this footprint reads the clock, or sets or stops a deadline.
  [[nodiscard]] bool touches_time(std::uint32_t footprint) const;
  /// Whether a step with this footprint may depend on something about an earlier step that is
  /// unknown until that is taken.
  [[nodiscard]] bool depends_on_unknown(std::uint32_t footprint, OperationKind kind) const;
  /// Whether `footprint` and `match` are matched on an object on which `rival` does not interfere.
  [[nodiscard]] bool matches_beside(std::uint32_t footprint, std::uint32_t match,
                                    std::uint32_t rival) const;

  [[nodiscard]] std::uint32_t number_of(const Actor& actor) { return actors_(actor); }
  [[nodiscard]] const Numbering& actors() const { return actors_; }
  [[nodiscard]] const Numbering& objects() const { return objects_; }
  [[nodiscard]] const InternedLists& labels() const { return labels_; }
  /// A number for a list of values chosen one after the other, without trailing zeros.
  [[nodiscard]] std::uint32_t label_of(std::span<const std::uint32_t> values);

  /// Time jumps with these numbers, from 0 and in order, may come early: each is an event that
  /// depends on what touches time, and on what waits for its deadline. Any other jump comes after
  /// everything before it. Between runs.
  void let_jump_early(std::vector<std::uint32_t> jumps) { early_ = std::move(jumps); }
  [[nodiscard]] const std::vector<std::uint32_t>& early() const { return early_; }

 private:
  void add_event(const Actor& actor);
  [[nodiscard]] Event event_of(std::uint32_t actor, OperationKind kind);
  [[nodiscard]] Event next_event(std::uint32_t actor, OperationKind kind);
  void see_time();
  void want_blocked(const Actor& actor);
  [[nodiscard]] std::uint32_t prompted_by(const Actor& actor);
  [[nodiscard]] std::uint32_t& due_by(std::uint32_t actor);
  void add_meeting();
  [[nodiscard]] bool is_wanted(const Actor& task);
  void want(std::uint32_t actor, OperationKind kind, std::span<const Access> accesses);
  void note_missed(const Operation& operation);
  void miss(const Actor& actor);
  void want_missed();
  [[nodiscard]] Relation related_at(std::uint32_t word, std::uint32_t footprint) const;
  [[nodiscard]] std::uint32_t intern(std::span<const Access> accesses);
  [[nodiscard]] std::uint32_t event_at(std::size_t step) const;
  void complete();

  const Scheduler* scheduler_ = nullptr;
  std::size_t kept_ = 0;
  std::size_t position_ = 0;
  std::uint32_t values_chosen_ = 0;
  bool settled_ = true;
  bool idled_ = false;  ///< no actor was ready since the last event
  /// Steps that were possible before the last event and no longer are.
  struct Missed {
    std::uint32_t actor = 0;
    std::uint32_t prompted_by = Event::kNone;
    OperationKind kind = OperationKind::Start;
    std::size_t first_access = 0;  ///< in `missed_accesses_`
  };
  std::vector<std::uint32_t> early_;
  bool could_jump_ = false;            ///< the clock was ready before the last event
  std::vector<Access> jump_accesses_;  ///< what it would have accessed there
  std::vector<std::uint32_t> due_by_;  ///< by actor: the jump that made it due
  std::vector<Missed> missed_;
  std::vector<Access> missed_accesses_;
  const Actor* last_ = nullptr;  ///< of the last event, while it lives
  std::vector<Event> events_;
  std::vector<Access> accesses_;
  std::vector<Wanted> wanted_;
  std::vector<std::uint32_t> last_of_;  ///< by actor: its last event
  std::vector<std::uint32_t> values_;
  std::vector<std::uint32_t> options_;
  std::vector<std::uint32_t> scratch_;
  Numbering actors_;
  Numbering objects_;
  InternedLists footprints_;
  InternedLists labels_;
};

}  // namespace watchlab::sim
