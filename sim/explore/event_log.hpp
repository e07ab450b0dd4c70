#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/explore/access.hpp"
#include "sim/explore/interned.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

/// One event of a run: a task's or timer's step from one decision to the next, or a jump of time
/// that may come early.
struct Event {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kClock = 0;  ///< the actor of such jumps

  std::uint32_t actor = 0;
  std::uint32_t index = 1;            ///< among the actor's events, from 1
  std::uint32_t previous = kNone;     ///< the actor's event before
  std::uint32_t prompted_by = kNone;  ///< the event that started the actor or woke it
  std::uint32_t epoch = 0;  ///< the first event since time passed last, for want of ready tasks
  std::uint32_t first_access = 0;
  std::uint32_t accesses = 0;
  std::uint32_t announced = 0;  ///< the footprint of the pending operation alone
  std::uint32_t footprint = 0;  ///< all accesses, as a list in `EventLog::footprints`
  std::uint32_t label = 0;      ///< the values chosen within it, without zeros at the end
  OperationKind kind = OperationKind::Start;
  bool could_jump = false;  ///< time could have jumped instead
  std::size_t step = 0;
};

/// What an actor wanted that could not continue when no actor could, or that the event before took
/// the possibility from: it stopped the timer that was due, met the task that sent, notified the
/// one whose wait was over.
struct Wanted {
  std::uint32_t position = 0;  ///< the number of events before
  bool missed = false;         ///< it was possible until the last of these
  Event event;
};

/// Records a run as events with accesses and choices, from what a strategy is notified of. A prefix
/// of the events can be kept for the next run, when that is known to begin in the same way.
class EventLog {
 public:
  /// A run begins. The first `kept` events come again and are not recorded anew.
  void begin(const Scheduler& scheduler, std::size_t kept);
  /// Forgets the events from `kept` on, between runs.
  void truncate(std::size_t kept);

  /// Call on `Strategy::executed`. True when this is a new event and not a part of the last one.
  bool executed(const Actor& actor);
  /// Call on `Strategy::retired`.
  void retired(const Actor& timer);
  /// Call on `Strategy::timed`.
  void timed();
  /// Call on `Strategy::idle`, unless the clock is ready then.
  void idle();
  /// Notes what tasks want that cannot continue, where a run ends early or none is ready. Not
  /// within what was kept.
  void want_blocked();
  /// Completes the last event, before the next decision and when no actor is ready.
  void settle();
  /// Completes it after the run, when its task is gone.
  void close();
  /// The last event has chosen `value` among `options`.
  void chosen(std::uint32_t value, std::uint32_t options);
  /// Whether the next jump of time is a step that could be taken now.
  [[nodiscard]] bool clock_is_ready() const;
  /// It is taken.
  void jump();

  /// The number of events of this run so far, with those that were kept.
  [[nodiscard]] std::size_t position() const { return position_; }
  /// Whether the last event of the run so far is one that was kept.
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
  /// The same, but for what is only matched.
  [[nodiscard]] Relation related(std::uint32_t footprint, std::uint32_t other) const;

  /// Whether a step of this footprint looks at the clock, or sets or stops a deadline.
  [[nodiscard]] bool touches_time(std::uint32_t footprint) const;
  /// Whether a step of this footprint may depend on what is not known of one before it is taken.
  [[nodiscard]] bool depends_on_unknown(std::uint32_t footprint, OperationKind kind) const;
  /// Whether `footprint` and `match` are matched on an object over which `rival` is not in the way.
  [[nodiscard]] bool matches_beside(std::uint32_t footprint, std::uint32_t match,
                                    std::uint32_t rival) const;

  [[nodiscard]] std::uint32_t number_of(const Actor& actor) { return actors_(actor); }
  [[nodiscard]] const Numbering& actors() const { return actors_; }
  [[nodiscard]] const Numbering& objects() const { return objects_; }
  [[nodiscard]] const InternedLists& labels() const { return labels_; }
  /// The name of a list of values that are chosen one after the other; zeros at the end are left
  /// out.
  [[nodiscard]] std::uint32_t label_of(std::span<const std::uint32_t> values);

  /// Jumps of time with these numbers, from 0 and in order, may come early: each is an event that
  /// depends on what touches time, and on what waits for the deadline that it goes to. Any other
  /// jump comes after all that was before it. Between runs.
  void let_jump_early(std::vector<std::uint32_t> jumps) { early_ = std::move(jumps); }
  [[nodiscard]] const std::vector<std::uint32_t>& early() const { return early_; }

 private:
  void add_event(const Actor& actor);
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
  /// Steps that were possible before the last event and are not any more.
  struct Missed {
    std::uint32_t actor = 0;
    std::uint32_t prompted_by = Event::kNone;
    OperationKind kind = OperationKind::Start;
    std::size_t first_access = 0;  ///< in `missed_accesses_`
  };
  std::vector<std::uint32_t> early_;
  bool could_jump_ = false;            ///< the clock was ready before the last event
  std::vector<Access> jump_accesses_;  ///< what it would have done there
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
