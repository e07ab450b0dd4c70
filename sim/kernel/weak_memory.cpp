#include "sim/kernel/weak_memory.hpp"

#include <algorithm>
#include <array>

#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {
/// Whether the task is, after an access that may be `weaker` than seq_cst. From here on it has a
/// place in clocks.
bool WeakMemory::is_behind_weaker(SimTask& task, bool weaker) {
  races_.enter(task.clock);
  return weaker ? RaceClocks::mark_weaker(task.clock) : RaceClocks::is_weaker(task.clock);
}

std::uint32_t WeakMemory::floor(const WeakLocation& location, const SimTask& task) const {
  std::size_t place = location.stores.size() - 1;
  const VectorClock& mine = task.clock.known;
  const auto knows = [&mine](const WeakStore::Known& known) {
    return mine.at(known.place) >= known.count;
  };
  while (place > 0 && std::ranges::none_of(location.stores[place]->known, knows)) {
    --place;
  }
  return static_cast<std::uint32_t>(place);
}

const WeakMemory::Places& WeakMemory::readable(WeakLocation& location, SimTask& task, bool weaker,
                                               const AccessOf& access_of) {
  const auto newest = static_cast<std::uint32_t>(location.stores.size() - 1);
  const bool free = is_behind_weaker(task, weaker);
  places_ = {.all = {newest}, .impossible = {0}};
  const std::uint32_t lowest = floor(location, task);
  for (std::uint32_t place = newest; place-- > lowest;) {
    const WeakStore& store = *location.stores[place];
    if (!free && !store.weaker) {
      continue;
    }
    const WeakAccess access = access_of(store);
    const auto tired = [&](const WeakStore::Repeat& repeat) {
      return repeat.task == task.number && repeat.reads >= kStaleReads;
    };
    if (!(access.writes && store.updated) && std::ranges::none_of(store.repeats, tired)) {
      add_place(place, may_read(location, place, access, task));
    }
  }
  return places_;
}

const WeakMemory::Places& WeakMemory::writable(WeakLocation& location, SimTask& task,
                                               std::memory_order order) {
  const auto end = static_cast<std::uint32_t>(location.stores.size());
  places_ = {.all = {end}, .impossible = {0}};
  if (!is_behind_weaker(task, order != std::memory_order_seq_cst)) {
    return places_;
  }
  const std::uint32_t lowest = floor(location, task);
  for (std::uint32_t place = end - 1; place > lowest; --place) {
    if (!location.stores[place]->updates) {
      add_place(place, may_write(location, place, order, task));
    }
  }
  return places_;
}

void WeakMemory::add_place(std::uint32_t place, bool possible) {
  places_.all.push_back(place);
  places_.impossible.push_back(possible ? 0 : 1);
}

/// Tries it: the graph with the event is consistent, or the event goes again.
bool WeakMemory::may_read(WeakLocation& location, std::uint32_t place, const WeakAccess& access,
                          SimTask& task) {
  if (sc_.empty()) {
    return true;  // and the event alone makes no cycle
  }
  WeakStore& store = *location.stores[place];
  Event& event = add(&location, access.order, task);
  event.read = &store;
  if (acquires(access.order)) {
    races_.learn(event.known, store.message);
  }
  if (access.writes) {
    event.written = &insert(location, place + 1);
  }
  const bool good = !closes_cycle();
  if (access.writes) {
    remove(location, place + 1);
  }
  drop_last();
  return good;
}

bool WeakMemory::may_write(WeakLocation& location, std::uint32_t place, std::memory_order order,
                           SimTask& task) {
  if (sc_.empty()) {
    return true;
  }
  add(&location, order, task).written = &insert(location, place);
  const bool good = !closes_cycle();
  remove(location, place);
  drop_last();
  return good;
}

void WeakMemory::read(WeakLocation& location, std::uint32_t place, std::memory_order order,
                      SimTask& task) {
  WeakStore& store = *location.stores[place];
  (void)is_behind_weaker(task, store.weaker);
  Event& event = add(&location, order, task);
  event.read = &store;
  if (acquires(order)) {
    races_.acquire(task.clock, store.message);
  } else {
    races_.pass(store.message, task.fence_clocks().seen);
  }
  event.known = task.clock.known;
  add_to_task(static_cast<std::uint32_t>(events_.size() - 1));
  const auto own = [&](const WeakStore::Known& known) { return known.place == event.place; };
  if (std::ranges::none_of(store.known, own)) {
    store.known.push_back({.place = event.place, .count = event.count});
  }
  if (&store == &location.newest()) {
    return;
  }
  const auto mine = std::ranges::find(store.repeats, task.number, &WeakStore::Repeat::task);
  if (mine == store.repeats.end()) {
    store.repeats.push_back({.task = task.number, .reads = 1});
  } else {
    ++mine->reads;
  }
}

/// Knowledge passes as `SimCell::order` says of the newest store: a store hides what was released
/// before it, an update hands that on.
WeakStore& WeakMemory::write(WeakLocation& location, std::uint32_t place, const WeakAccess& access,
                             SimTask& task) {
  Event& event = add(&location, access.order, task);
  WeakStore& store = insert(location, place);
  event.written = &store;
  if (access.reads) {
    WeakStore& before = *location.stores[place - 1];
    event.read = &before;
    (void)is_behind_weaker(task, before.weaker);
    before.updated = store.updates = true;
    if (acquires(access.order)) {
      races_.acquire(task.clock, before.message);
    } else {
      races_.pass(before.message, task.fence_clocks().seen);
    }
    races_.pass(before.message, store.message);
  }
  event.known = task.clock.known;
  store.weaker = RaceClocks::is_weaker(task.clock);
  store.known.push_back({.place = event.place, .count = event.count});
  if (!releases(access.order)) {
    races_.pass(task.fence_clocks().fenced, store.message);
  } else if (access.reads) {
    races_.release(task.clock, store.message);
  } else {
    races_.release_alone(task.clock, store.message);
  }
  add_to_task(static_cast<std::uint32_t>(events_.size() - 1));
  events_.back().left = task.clock.known.at(event.place);
  return store;
}

void WeakMemory::fence(std::memory_order order, SimTask& task) {
  races_.enter(task.clock);
  const bool sc = order == std::memory_order_seq_cst;
  if (sc) {
    add(nullptr, order, task);
  }
  if (acquires(order)) {
    races_.acquire(task.clock, task.fence_clocks().seen);
  }
  if (sc) {
    events_.back().known = task.clock.known;
    add_to_task(static_cast<std::uint32_t>(events_.size() - 1));
  }
  if (releases(order)) {
    races_.release_alone(task.clock, task.fence_clocks().fenced);
  }
  if (sc) {
    events_.back().left = task.clock.known.at(task.clock.place);
  }
}

/// The event that is being made, which no task has yet.
WeakMemory::Event& WeakMemory::add(const WeakLocation* location, std::memory_order order,
                                   SimTask& task) {
  races_.enter(task.clock);
  const std::uint32_t place = task.clock.place;
  if (last_of_.size() <= place) {
    last_of_.resize(place + 1, kNone);
  }
  const std::uint32_t count = task.clock.known.at(place);
  const bool sc = order == std::memory_order_seq_cst;
  if (sc) {
    sc_.push_back(static_cast<std::uint32_t>(events_.size()));
  }
  return events_.emplace_back(Event{.place = place,
                                    .count = count,
                                    .left = count,
                                    .previous = last_of_[place],
                                    .location = location,
                                    .sc = sc,
                                    .before = task.clock.known,
                                    .known = task.clock.known});
}

void WeakMemory::add_to_task(std::uint32_t event) {
  std::uint32_t& last = last_of_[events_[event].place];
  if (last != kNone) {
    events_[last].next = event;
  }
  last = event;
}

void WeakMemory::drop_last() {
  if (events_.back().sc) {
    sc_.pop_back();
  }
  events_.pop_back();
}

WeakStore& WeakMemory::insert(WeakLocation& location, std::uint32_t place) {
  const auto at = location.stores.begin() + static_cast<std::ptrdiff_t>(place);
  location.stores.insert(at, std::make_unique<WeakStore>());
  for (std::size_t i = place; i < location.stores.size(); ++i) {
    location.stores[i]->position = static_cast<std::uint32_t>(i);
  }
  return *location.stores[place];
}

void WeakMemory::remove(WeakLocation& location, std::uint32_t place) {
  location.stores.erase(location.stores.begin() + static_cast<std::ptrdiff_t>(place));
  for (std::size_t i = place; i < location.stores.size(); ++i) {
    location.stores[i]->position = static_cast<std::uint32_t>(i);
  }
}

bool WeakMemory::mo_or_rb(const Event& a, const Event& b) const {
  if (a.location == nullptr || a.location != b.location || b.written == nullptr || &a == &b) {
    return false;
  }
  const std::uint32_t to = b.written->position;
  return (a.written != nullptr && a.written->position < to) ||
         (a.read != nullptr && a.read->position < to);
}

/// eco is mo, rb, rf, and either of the first two followed by rf. A read shares the place of its
/// store, just behind it.
bool WeakMemory::eco(const Event& a, const Event& b) const {
  if (mo_or_rb(a, b)) {
    return true;
  }
  if (a.location == nullptr || a.location != b.location || b.read == nullptr || &a == &b) {
    return false;
  }
  const std::uint32_t to = b.read->position;
  return (a.written != nullptr && a.written->position <= to) ||
         (a.read != nullptr && a.read->position < to);
}

/// How much of its task one must know to know a step after `a` that is not at its location: a way
/// of happens-before that leaves `a` by such a step. A release that is no event, as of a lock, is
/// seen by the count of the next event.
std::uint32_t WeakMemory::left_elsewhere(const Event& a) const {
  const Event* last = &a;
  while (!a.is_fence() && last->next != kNone && events_[last->next].location == a.location &&
         events_[last->next].count == last->left) {
    last = &events_[last->next];
  }
  return last->left;
}

/// What the task of `b` knew at its last step before `b` that is not at its location: where a way
/// of happens-before comes from that enters `b` by such a step. What was acquired by no event, as
/// by a lock, is seen by what the next event knew before.
const VectorClock& WeakMemory::known_elsewhere(const Event& b) const {
  const Event* first = &b;
  while (!b.is_fence() && first->previous != kNone &&
         events_[first->previous].location == b.location &&
         events_[first->previous].known.equals_beside(first->before, b.place)) {
    first = &events_[first->previous];
  }
  return first->before;
}

/// scb = sb ∪ sb|≠loc; hb; sb|≠loc ∪ hb|loc ∪ mo ∪ rb.
bool WeakMemory::scb(const Event& a, const Event& b) const {
  if (&a == &b) {
    return false;
  }
  if (sb(a, b) || mo_or_rb(a, b)) {
    return true;
  }
  if (a.place == b.place) {
    return false;
  }
  const bool here = a.location != nullptr && a.location == b.location;
  return here ? hb(a, b) || known_elsewhere(b).at(a.place) >= left_elsewhere(a)
              : known_elsewhere(b).at(a.place) >= left_elsewhere(a);
}

/// Follows psc from event to event, with E_sc the seq_cst events and F_sc the fences among them:
///
///     psc = ([E_sc] ∪ [F_sc]; hb?); scb; ([E_sc] ∪ hb?; [F_sc])  ∪  [F_sc]; (hb ∪ hb; eco; hb);
///     [F_sc]
///
/// An event is visited once for each part of the way that may lead on from it.
class WeakMemory::CycleSearch {
 public:
  explicit CycleSearch(const WeakMemory& memory)
      : memory_(memory), events_(memory.events_), visited_(events_.size()) {}

  /// Whether a way of psc through the last event comes back to where it began: to that event, or to
  /// a fence that happens before it. It leaves the last event by scb, or by the eco between fences.
  [[nodiscard]] bool returns(bool between_fences) {
    between_fences_ = between_fences;
    std::fill(visited_.begin(), visited_.end(), std::uint8_t{0});
    step(events_.back(), between_fences ? kBetween : kLeaving);
    while (!found_ && !open_.empty()) {
      const auto [event, part] = open_.back();
      open_.pop_back();
      step(events_[event], part);
    }
    open_.clear();
    return found_;
  }

 private:
  enum Part : std::uint8_t {
    kReached = 1,  ///< a seq_cst event, which psc has come to
    kLeaving = 2,  ///< scb comes next
    kBetween = 4,  ///< eco comes next, from a fence
    kByScb = 8,    ///< scb has led here
    kByEco = 16,   ///< eco has, between fences
  };

  void push(const Event& event, Part part) {
    const auto index = static_cast<std::uint32_t>(&event - events_.data());
    if ((visited_[index] & part) == 0) {
      visited_[index] = static_cast<std::uint8_t>(visited_[index] | part);
      open_.emplace_back(index, part);
    }
  }
  void step(const Event& event, Part part) {
    switch (part) {
      case kReached:
        return reach(event);
      case kLeaving:
        return visit_all(event, kByScb, &WeakMemory::scb);
      case kBetween:
        return visit_all(event, kByEco, &WeakMemory::eco);
      case kByScb:
        if (event.sc) {
          push(event, kReached);
        }
        [[fallthrough]];
      case kByEco:
        return visit_fences_after(event);
    }
  }
  void reach(const Event& event) {
    const Event& last = events_.back();
    const bool is_start =
        event.is_fence() ? memory_.hb(event, last) : !between_fences_ && &event == &last;
    if (is_start) {
      found_ = true;
      return;
    }
    push(event, kLeaving);
    if (!event.is_fence()) {
      return;
    }
    visit_fences_after(event);
    for (const Event& after : events_) {
      if (&after != &event && memory_.hb(event, after)) {
        push(after, kLeaving);
        push(after, kBetween);
      }
    }
  }
  void visit_fences_after(const Event& event) {
    for (const std::uint32_t index : memory_.sc_) {
      const Event& fence = events_[index];
      if (fence.is_fence() && &fence != &event && memory_.hb(event, fence)) {
        push(fence, kReached);
      }
    }
  }
  void visit_all(const Event& from, Part part,
                 bool (WeakMemory::*related)(const Event&, const Event&) const) {
    for (const Event& to : events_) {
      if ((memory_.*related)(from, to)) {
        push(to, part);
      }
    }
  }

  const WeakMemory& memory_;
  const std::vector<Event>& events_;
  bool between_fences_ = false;
  bool found_ = false;
  std::vector<std::uint8_t> visited_;
  std::vector<std::pair<std::uint32_t, Part>> open_;
};

/// Whether the last event is part of a cycle of psc. Nothing comes after it in happens-before, so a
/// cycle leaves it to newer stores of its location, or between fences to who reads these. It has
/// come there from the event itself or from a fence before it.
bool WeakMemory::closes_cycle() const {
  const Event& last = events_.back();
  const bool after_fence = std::ranges::any_of(sc_, [&](std::uint32_t index) {
    return events_[index].is_fence() && hb(events_[index], last);
  });
  if (!last.sc && !after_fence) {
    return false;
  }
  CycleSearch search(*this);
  return search.returns(false) || (after_fence && search.returns(true));
}

}  // namespace watchlab::sim
