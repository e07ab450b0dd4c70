#include "sim/explore/event_log.hpp"

#include <algorithm>

#include "sim/kernel/primitives/sim_channel.hpp"

namespace watchlab::sim {
namespace {

constexpr std::uint32_t kKindBits = 6;

bool can_meet(OperationKind kind) {
  return kind == OperationKind::Send || kind == OperationKind::Receive ||
         kind == OperationKind::Select || kind == OperationKind::Poll;
}

bool awaits_time(OperationKind kind) {
  return kind == OperationKind::Sleep || kind == OperationKind::CondTimeout ||
         kind == OperationKind::TimerFire || kind == OperationKind::GateTimeout;
}

}  // namespace

void EventLog::begin(const Scheduler& scheduler, std::size_t kept) {
  scheduler_ = &scheduler;
  kept_ = kept;
  position_ = 0;
  settled_ = true;
  idled_ = false;
  last_ = nullptr;
  due_by_.clear();
}

void EventLog::truncate(std::size_t kept) {
  while (events_.size() > kept) {
    const Event& event = events_.back();
    last_of_[event.actor] = event.previous;
    accesses_.resize(event.first_access);
    events_.pop_back();
  }
  while (!wanted_.empty() && wanted_.back().position > kept) {
    wanted_.pop_back();
  }
}

bool EventLog::executed(const Actor& actor) {
  const bool part = actor.pending().kind == OperationKind::Exit ||
                    (last_ == &actor && scheduler_->steps() == events_[position_ - 1].step);
  if (!part) {
    ++position_;
    values_chosen_ = 0;
    if (position_ > kept_) {
      add_event(actor);
    }
    idled_ = false;
    if (!early_.empty()) {
      due_by(actors_(actor)) = Event::kNone;
    }
  } else if (!settled_) {
    append_accesses(actor, objects_, accesses_);
  }
  if (actor.pending().kind == OperationKind::Exit) {
    last_ = nullptr;
  } else {
    last_ = actor.is_task() ? &actor : nullptr;
  }
  return !part;
}

Event EventLog::event_of(std::uint32_t actor, OperationKind kind) {
  Event event;
  event.actor = actor;
  if (actor >= last_of_.size()) {
    last_of_.resize(actor + 1, Event::kNone);
  }
  event.previous = last_of_[actor];
  event.index = event.previous == Event::kNone ? 1 : events_[event.previous].index + 1;
  event.kind = kind;
  event.first_access = static_cast<std::uint32_t>(accesses_.size());
  return event;
}

Event EventLog::next_event(std::uint32_t actor, OperationKind kind) {
  Event event = event_of(actor, kind);
  event.step = scheduler_->steps();
  const auto place = static_cast<std::uint32_t>(events_.size());
  if (place > 0) {
    event.epoch = idled_ ? place : events_.back().epoch;
  }
  return event;
}

void EventLog::add_event(const Actor& actor) {
  Event event = next_event(actors_(actor), actor.pending().kind);
  event.prompted_by = prompted_by(actor);
  append_accesses(actor, objects_, accesses_);
  note_missed(actor.pending());
  could_jump_ = clock_is_ready();
  if (could_jump_) {
    jump_accesses_.clear();
    append_jump(scheduler_->clock(), objects_, jump_accesses_);
  }
  event.could_jump = could_jump_;
  event.announced = intern(std::span(accesses_).subspan(event.first_access));
  last_of_[event.actor] = static_cast<std::uint32_t>(events_.size());
  events_.push_back(event);
  values_.clear();
  options_.clear();
  settled_ = false;
}

/// What prompts a step is never a jump of time, but for the steps of those that it makes due.
std::uint32_t EventLog::event_at(std::size_t step) const {
  if (step == 0) {
    return Event::kNone;
  }
  auto after =
      std::upper_bound(events_.begin(), events_.end(), step,
                       [](std::size_t wanted, const Event& event) { return wanted < event.step; });
  while ((after - 1)->actor == Event::kClock) {
    --after;
  }
  return static_cast<std::uint32_t>(after - events_.begin()) - 1;
}

std::uint32_t& EventLog::due_by(std::uint32_t actor) {
  if (actor >= due_by_.size()) {
    due_by_.resize(actor + 1, Event::kNone);
  }
  return due_by_[actor];
}

std::uint32_t EventLog::prompted_by(const Actor& actor) {
  if (!early_.empty() && awaits_time(actor.pending().kind)) {
    const std::uint32_t jump = due_by(actors_(actor));
    if (jump != Event::kNone) {
      return jump;
    }
  }
  return event_at(actor.prompted_at());
}

bool EventLog::clock_is_ready() const {
  return !early_.empty() &&
         std::binary_search(early_.begin(), early_.end(), scheduler_->clock().jumps()) &&
         scheduler_->can_jump_early();
}

/// What waits at a gate is due by the jump, and cannot pass any more: it wanted to.
void EventLog::jump() {
  if (position_ >= kept_) {
    scheduler_->clock().visit_next([this](const Actor& actor) { want_blocked(actor); });
    Event event = next_event(Event::kClock, OperationKind::Sleep);
    append_jump(scheduler_->clock(), objects_, accesses_);
    event.announced = intern(std::span(accesses_).subspan(event.first_access));
    last_of_[Event::kClock] = static_cast<std::uint32_t>(events_.size());
    events_.push_back(event);
    values_.clear();
    options_.clear();
    could_jump_ = false;
    complete();
  }
  scheduler_->clock().visit_next([this](const Actor& actor) {
    due_by(actors_(actor)) = static_cast<std::uint32_t>(position_);
  });
  ++position_;
  values_chosen_ = 0;
  idled_ = false;
  last_ = nullptr;
}

void EventLog::timed() {
  if (!early_.empty() && !settled_) {
    see_time();
  }
}

/// Once an event; a jump could have come before it where the clock was ready.
void EventLog::see_time() {
  const auto mine = std::span(accesses_).subspan(events_.back().first_access);
  if (std::none_of(mine.begin(), mine.end(),
                   [](const Access& access) { return access.object == Access::kTime; })) {
    const std::uint8_t open = could_jump_ ? Access::kEntrance : std::uint8_t{0};
    accesses_.push_back({.object = Access::kTime, .kind = AccessKind::TimeSee, .open = open});
  }
}

void EventLog::chosen(std::uint32_t value, std::uint32_t options) {
  ++values_chosen_;
  if (position_ > kept_) {
    values_.push_back(value);
    options_.push_back(options);
  }
}

void EventLog::miss(const Actor& actor) {
  missed_.push_back({.actor = actors_(actor),
                     .prompted_by = prompted_by(actor),
                     .kind = actor.pending().kind,
                     .first_access = missed_accesses_.size()});
  append_accesses(actor, objects_, missed_accesses_);
}

/// A timer that is due may be stopped, and a wait that timed out notified.
void EventLog::note_missed(const Operation& operation) {
  missed_.clear();
  missed_accesses_.clear();
  if (operation.kind == OperationKind::TimerStop || operation.kind == OperationKind::TimerReset) {
    const auto& timer = static_cast<const Actor&>(*operation.object);
    if (timer.slot() != Actor::kNoSlot) {
      miss(timer);
    }
  } else if (operation.kind == OperationKind::NotifyOne ||
             operation.kind == OperationKind::NotifyAll) {
    for (const Actor* const actor : scheduler_->actors()) {
      const Operation& pending = actor->pending();
      if (pending.kind == OperationKind::CondTimeout && pending.object == operation.object) {
        miss(*actor);
      }
    }
  }
}

void EventLog::retired(const Actor& timer) {
  if (!settled_ && timer.slot() != Actor::kNoSlot) {
    accesses_.push_back({.object = objects_(timer), .kind = AccessKind::TimerRetire});
    miss(timer);
  }
}

void EventLog::want_missed() {
  for (std::size_t i = 0; i < missed_.size(); ++i) {
    const std::size_t first = missed_[i].first_access;
    const std::size_t end =
        i + 1 < missed_.size() ? missed_[i + 1].first_access : missed_accesses_.size();
    want(missed_[i].actor, missed_[i].kind,
         std::span(missed_accesses_).subspan(first, end - first));
    wanted_.back().event.prompted_by = missed_[i].prompted_by;
    wanted_.back().missed = missed_[i].prompted_by != events_.size() - 1;
  }
  missed_.clear();
}

void EventLog::settle() {
  if (settled_) {
    return;
  }
  if (last_ != nullptr) {
    const auto& task = static_cast<const SimTask&>(*last_);
    append_arrival(task, objects_, accesses_);
    if (!early_.empty()) {
      append_timed_arrival(task, objects_, accesses_);
    }
  }
  if (can_meet(events_.back().kind)) {
    add_meeting();
  }
  complete();
}

void EventLog::close() {
  if (!settled_) {
    complete();
  }
}

/// A jump of time that the event has made impossible, by stopping the last deadline or by ending
/// the run, is missed.
void EventLog::complete() {
  settled_ = true;
  const bool missed_jump = could_jump_ && !clock_is_ready();
  if (missed_jump) {
    see_time();
  }
  Event& event = events_.back();
  event.accesses = static_cast<std::uint32_t>(accesses_.size()) - event.first_access;
  event.footprint = intern(accesses(event));
  event.label = label_of(values_);
  want_missed();
  if (missed_jump) {
    want(Event::kClock, OperationKind::Sleep, jump_accesses_);
    wanted_.back().missed = true;
  }
}

std::uint32_t EventLog::label_of(std::span<const std::uint32_t> values) {
  while (!values.empty() && values.back() == 0) {
    values = values.first(values.size() - 1);
  }
  return labels_(values);
}

void EventLog::add_meeting() {
  const auto channels = std::span(accesses_).subspan(events_.back().first_access);
  if (std::none_of(channels.begin(), channels.end(),
                   [](const Access& access) { return access.capacity == 0; })) {
    return;
  }
  for (const Actor* const actor : scheduler_->actors()) {
    if (!actor->is_task() || actor->pending().kind != OperationKind::Continue) {
      continue;
    }
    const auto& partner = static_cast<const SimTask&>(*actor);
    if (partner.prompted_at() != events_.back().step) {
      continue;
    }
    if (partner.select->cases.size() > 1) {
      append_withdrawal(partner, objects_, accesses_);
    }
    missed_.push_back({.actor = actors_(partner),
                       .kind = OperationKind::Select,
                       .first_access = missed_accesses_.size()});
    append_met(partner, scheduler_->running(), objects_, missed_accesses_);
  }
}

void EventLog::idle() {
  settle();
  idled_ = true;
  if (position_ > kept_) {
    want_blocked();
  }
}

void EventLog::want_blocked() {
  for (const Actor* const actor : scheduler_->actors()) {
    want_blocked(*actor);
  }
}

void EventLog::want_blocked(const Actor& actor) {
  if (!actor.is_task() || scheduler_->is_ready(actor)) {
    return;
  }
  const auto& task = static_cast<const SimTask&>(actor);
  missed_accesses_.clear();
  append_wanted(task, objects_, missed_accesses_);
  if (!missed_accesses_.empty() && !is_wanted(task)) {
    want(actors_(task), task.pending().kind, missed_accesses_);
    wanted_.back().event.prompted_by = event_at(task.prompted_at());
  }
}

/// Whether an earlier run that ended here, too, has noted what the task wants.
bool EventLog::is_wanted(const Actor& task) {
  const std::uint32_t actor = actors_(task);
  for (auto known = wanted_.rbegin(); known != wanted_.rend(); ++known) {
    if (known->position != events_.size()) {
      return false;
    }
    if (known->event.actor == actor && !known->missed) {
      return true;
    }
  }
  return false;
}

void EventLog::want(std::uint32_t actor, OperationKind kind, std::span<const Access> accesses) {
  Event event = event_of(actor, kind);
  event.epoch = events_.back().epoch;
  event.accesses = static_cast<std::uint32_t>(accesses.size());
  accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
  event.announced = event.footprint = intern(accesses);
  wanted_.push_back({.position = static_cast<std::uint32_t>(events_.size()), .event = event});
}

std::uint32_t EventLog::intern(std::span<const Access> accesses) {
  scratch_.clear();
  for (const Access& access : accesses) {
    const std::uint32_t word = access.object << kKindBits | static_cast<std::uint32_t>(access.kind);
    if (std::find(scratch_.begin(), scratch_.end(), word) == scratch_.end()) {
      scratch_.push_back(word);
    }
  }
  return footprints_(scratch_);
}

Relation EventLog::related_at(std::uint32_t word, std::uint32_t footprint) const {
  constexpr std::uint32_t kKindMask = (1U << kKindBits) - 1;
  Relation found = Relation::None;
  for (const std::uint32_t other : footprints_[footprint]) {
    if (word >> kKindBits == other >> kKindBits) {
      found = std::max(found, relation(static_cast<AccessKind>(word & kKindMask),
                                       static_cast<AccessKind>(other & kKindMask)));
    }
  }
  return found;
}

Relation EventLog::related(std::uint32_t footprint, std::uint32_t other) const {
  Relation found = Relation::None;
  for (const std::uint32_t word : footprints_[footprint]) {
    found = std::max(found, related_at(word, other));
  }
  return found;
}

bool EventLog::touches_time(std::uint32_t footprint) const {
  const auto words = footprints_[footprint];
  return std::any_of(words.begin(), words.end(),
                     [](std::uint32_t word) { return word >> kKindBits == Access::kTime; });
}

bool EventLog::depends_on_unknown(std::uint32_t footprint, OperationKind kind) const {
  const auto words = footprints_[footprint];
  return std::any_of(words.begin(), words.end(), [&](std::uint32_t word) {
    constexpr std::uint32_t kKindMask = (1U << kKindBits) - 1;
    const auto access = static_cast<AccessKind>(word & kKindMask);
    return sim::depends_on_unknown(access, can_meet(kind)) ||
           (!early_.empty() && depends_on_unknown_of_time(access));
  });
}

bool EventLog::matches_beside(std::uint32_t footprint, std::uint32_t match,
                              std::uint32_t rival) const {
  const auto words = footprints_[footprint];
  return std::any_of(words.begin(), words.end(), [&](std::uint32_t word) {
    return related_at(word, match) == Relation::Matched &&
           related_at(word, rival) != Relation::Full;
  });
}

bool EventLog::dependent(std::uint32_t footprint, std::uint32_t other) const {
  return related(footprint, other) == Relation::Full;
}

}  // namespace watchlab::sim
