#include "sim/explore/happens_before.hpp"

#include <algorithm>
#include <bit>

namespace watchlab::sim {

/// One pass over what is new, in the order of the run. What a task wanted to do when it could not
/// (`wanted`: the end of an abandoned run, a timer that was stopped) is an event of no run, but it
/// has a clock and races like one: the step that made it impossible has to be tried after it, too.
void HappensBefore::extend(const EventLog& log, std::vector<Race>& races) {
  widen(log);
  const std::vector<Event>& events = log.events();
  const std::vector<Wanted>& wanted = log.wanted();
  std::size_t next_wanted = width_ == 0 ? 0 : wanted_clocks_.size() / width_;
  for (;; ++known_) {
    for (; next_wanted < wanted.size() && wanted[next_wanted].position == known_; ++next_wanted) {
      const Event& event = wanted[next_wanted].event;
      begin_clock(log, event);
      find_dependent(log, event);
      if (wanted[next_wanted].missed) {
        leave_disabling(static_cast<std::uint32_t>(known_ - 1));
      }
      report(log, {.second = static_cast<std::uint32_t>(next_wanted), .wanted = true}, races);
      end_clock(event);
      wanted_clocks_.insert(wanted_clocks_.end(), now_.begin(), now_.end());
    }
    if (known_ == events.size()) {
      return;
    }
    const Event& event = events[known_];
    begin_clock(log, event);
    find_dependent(log, event);
    report(log, {.second = static_cast<std::uint32_t>(known_)}, races);
    end_clock(event);
    clocks_.insert(clocks_.end(), now_.begin(), now_.end());
    for (const Access& access : log.accesses(event)) {
      histories_[access.object].push_back({static_cast<std::uint32_t>(known_), access});
    }
  }
}

/// Runs share their beginnings, which are the longest part of most of them: a clock is worked out
/// again only from the node at which `prepare` begins anew.
void HappensBefore::truncate(const EventLog& log, std::size_t kept) {
  while (known_ > kept) {
    --known_;
    for (const Access& access : log.accesses(log.events()[known_])) {
      histories_[access.object].pop_back();
    }
  }
  clocks_.resize(known_ * width_);
  std::size_t wanted = width_ == 0 ? 0 : wanted_clocks_.size() / width_;
  while (wanted > 0 && log.wanted()[wanted - 1].position > kept) {
    --wanted;
  }
  wanted_clocks_.resize(wanted * width_);
}

/// All clocks lie in one array of rows, so a new actor makes all rows longer; by powers of two,
/// because that copies everything.
void HappensBefore::widen(const EventLog& log) {
  if (histories_.size() < log.objects().size()) {
    histories_.resize(log.objects().size());
  }
  if (log.actors().size() <= width_) {
    return;
  }
  const std::size_t width = std::bit_ceil(log.actors().size());
  for (std::vector<std::uint32_t>* const clocks : {&clocks_, &wanted_clocks_}) {
    std::vector<std::uint32_t> wider;
    for (std::size_t at = 0; at < clocks->size(); at += width_) {
      const auto row = clocks->begin() + static_cast<std::ptrdiff_t>(at);
      wider.insert(wider.end(), row, row + static_cast<std::ptrdiff_t>(width_));
      wider.resize(wider.size() + width - width_, 0);
    }
    *clocks = std::move(wider);
  }
  width_ = width;
}

void HappensBefore::join(std::span<const std::uint32_t> clock) {
  for (std::size_t i = 0; i < width_; ++i) {
    now_[i] = std::max(now_[i], clock[i]);
  }
}

/// What happens before an event whatever it touches: the event before it of the same actor, the one
/// that prompted it (a spawn, a wake-up), and, once time has passed because all waited, all events
/// before that: every task was blocked then.
void HappensBefore::begin_clock(const EventLog& log, const Event& event) {
  now_.assign(width_, 0);
  if (event.previous != Event::kNone) {
    join(clock(event.previous));
  }
  if (event.prompted_by != Event::kNone) {
    join(clock(event.prompted_by));
  }
  if (event.epoch > 0 && event.epoch < known_) {
    // All events before time passed happen before the first one after, so its clock knows them.
    const Event& first = log.events()[event.epoch];
    const std::uint32_t mine = now_[first.actor];
    join(clock(event.epoch));
    now_[first.actor] = std::max(mine, first.index - 1);
  } else if (event.epoch > 0) {
    for (std::size_t i = event.epoch; i > 0; --i) {
      const Event& before = log.events()[i - 1];
      now_[before.actor] = std::max(now_[before.actor], before.index);
    }
  }
}

/// Collects the e of the paper's races (e, e') for the e' at hand. Its clock grows by them only in
/// `end_clock`, after the races are reported: an event that is in the clock already has something
/// between it and e', and is then no candidate.
void HappensBefore::find_dependent(const EventLog& log, const Event& event) {
  candidates_.clear();
  const std::span<const Access> accesses = log.accesses(event);
  needs_nothing_ = std::all_of(accesses.begin(), accesses.end(),
                               [](const Access& access) { return access.needs == 0; });
  for (const Access& access : accesses) {
    scan(log, event, access);
    scan_matched(access);
  }
}

/// Walks back through what touched the object. After an access that everything later on the object
/// depends on (`is_total`) nothing further back can race: that access stands between. The walk goes
/// on past it only where the two could not have changed places, as a lock cannot be taken before it
/// is released; then the race is with the one before that.
void HappensBefore::scan(const EventLog& log, const Event& event, const Access& access) {
  const std::vector<Entry>& history = histories_[access.object];
  for (auto entry = history.rbegin(); entry != history.rend(); ++entry) {
    const bool total = is_total(entry->access.kind);
    const Event& earlier = log.events()[entry->event];
    if (is_in(earlier, now_)) {
      if (total) {
        return;
      }
      continue;
    }
    if (relation(entry->access.kind, access.kind) != Relation::Full) {
      continue;
    }
    const bool open = (entry->access.open & access.needs) != 0;
    // Another arm of a select may have been opened by the earlier event itself, and so may what the
    // event needs elsewhere: worth a try, but no reason to pass over what lies before.
    const bool reversible = access.needs == 0 ? needs_nothing_ : open;
    // What arms a deadline may have been done by others, too, before the jump to it.
    const bool worth_a_try =
        access.needs == 0 || open || access.spare || access.object == Access::kTime;
    const bool others = earlier.actor != event.actor;
    add_candidate({.event = entry->event,
                   .object = access.object,
                   .reversible = reversible && others,
                   .worth_a_try = worth_a_try && others,
                   .was_needed = access.needs != 0 && !open});
    if (total && reversible) {
      return;
    }
  }
}

/// A send into a buffer and a receive depend only where one waits for the other: the k-th receive
/// needs the k-th send, and a send into a full buffer the receive that made room. So each is
/// ordered after exactly one, and that one was needed: no race.
void HappensBefore::scan_matched(const Access& access) {
  const bool receives = access.kind == AccessKind::Receive;
  if (!receives && access.kind != AccessKind::Send) {
    return;
  }
  const std::uint32_t nearest = receives ? access.buffered : access.capacity - access.buffered;
  std::uint32_t left = nearest;
  const std::vector<Entry>& history = histories_[access.object];
  for (auto entry = history.rbegin(); left > 0 && entry != history.rend(); ++entry) {
    const AccessKind kind = entry->access.kind;
    if (kind == AccessKind::Touch) {
      return;
    }
    if (relation(kind, access.kind) == Relation::Matched && --left == 0) {
      add_candidate({.event = entry->event, .object = access.object, .was_needed = true});
    }
  }
}

void HappensBefore::add_candidate(const Candidate& candidate) {
  const auto found =
      std::find_if(candidates_.begin(), candidates_.end(), [&](const Candidate& known) {
        return known.event == candidate.event && known.object == candidate.object;
      });
  if (found == candidates_.end()) {
    candidates_.push_back(candidate);
  } else {
    found->reversible |= candidate.reversible;
    found->worth_a_try |= candidate.worth_a_try;
    found->was_needed |= candidate.was_needed;
  }
}

/// A step that an event has made impossible races with that event alone. With those before it races
/// in the run that reverses this one, where it takes place.
void HappensBefore::leave_disabling(std::uint32_t event) {
  std::erase_if(candidates_,
                [event](const Candidate& candidate) { return candidate.event != event; });
}

/// Whether first -> between -> second, by which (first, second) is no race of the paper. A
/// dependency that could itself be turned round stands between; and so does one over time, for a
/// jump that cannot come before an event cannot come before what that one depends on. But a jump
/// that comes before the second only because the second needed something else first, the unlock
/// after it say, is no race either: then nothing but (first, second) can show the other order.
bool HappensBefore::stands_between(const EventLog& log, const Candidate& between,
                                   const Candidate& first, OperationKind second) const {
  if (between.event == first.event || !before(log, first.event, between.event)) {
    return false;
  }
  // What had to come first, an unlock say, stands in the way of a race over anything but the lock
  // itself. A select may not need it: there are other arms.
  const bool needed = between.was_needed && between.object != first.object &&
                      second != OperationKind::Select && second != OperationKind::Await;
  return between.reversible || needed ||
         (between.object == Access::kTime && !is_covered(log, between, second));
}

/// Ends, because what stands between comes later.
bool HappensBefore::is_covered(const EventLog& log, const Candidate& first,
                               OperationKind second) const {
  return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
    return stands_between(log, other, first, second);
  });
}

/// A race that two objects show is one race, and certain if it is so for one of them.
void HappensBefore::report(const EventLog& log, Race race, std::vector<Race>& races) const {
  const OperationKind second =
      race.wanted ? log.wanted()[race.second].event.kind : log.events()[race.second].kind;
  const std::size_t reported = races.size();
  for (const Candidate& first : candidates_) {
    if (!first.worth_a_try || is_covered(log, first, second)) {
      continue;
    }
    const auto again =
        std::find_if(races.begin() + static_cast<std::ptrdiff_t>(reported), races.end(),
                     [&](const Race& known) { return known.first == first.event; });
    if (again != races.end()) {
      again->certain = again->certain || first.reversible;
    } else {
      race.first = first.event;
      race.certain = first.reversible;
      races.push_back(race);
    }
  }
}

void HappensBefore::end_clock(const Event& event) {
  for (const Candidate& candidate : candidates_) {
    join(clock(candidate.event));
  }
  now_[event.actor] = event.index;
}

}  // namespace watchlab::sim
