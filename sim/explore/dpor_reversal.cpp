#include <algorithm>

#include "sim/explore/dpor_strategy.hpp"

namespace watchlab::sim {

// What dpor does with a race: the sequence that reverses it, and where that has to be explored.
// Names as in the paper (JACM 2017): E the run, e and e' the race, v = notdep(e, E).e', I(v) its
// initials, WI(v) its weak initials, E' the prefix before e, which is the node.

/// For one race of E: E' is the part before its first event, and what is added there begins the
/// runs in which it comes the other way round.
bool DporStrategy::reverse(const Race& race) {
  gather(race);
  if (is_jump_to_nothing(race)) {
    return false;
  }
  Node& node = nodes_[race.first];
  bool settled = true;
  if (mode_ == Mode::SourceSets) {
    add_beginning(node);
  } else {
    settled = add_sequence(node);
  }
  // A missed race has another sequence in each run, so it is looked at again.
  return settled && !is_missed(race);
}

bool DporStrategy::is_missed(const Race& race) const {
  return race.wanted && log_.wanted()[race.second].missed;
}

/// Whether the sequence ends with a jump of time to a deadline that none of its steps has armed,
/// nor any before the race.
bool DporStrategy::is_jump_to_nothing(const Race& race) const {
  return sequence_.back().actor == Event::kClock && !race.certain &&
         !log_.events()[race.first].could_jump &&
         std::none_of(sequence_.begin(), sequence_.end() - 1,
                      [this](const Step& step) { return log_.touches_time(step.footprint); });
}

/// Makes the sequence that reverses a race: what came after its first event without depending on
/// it, and then the second. A step that the first event has made impossible (it stopped the timer
/// that was due) comes after all of these, on which it may depend: what the run did without it is
/// possible before it, too. Its other places among them are found in the run that this one begins.
void DporStrategy::gather(const Race& race) {
  const std::vector<Event>& events = log_.events();
  const Event& first = events[race.first];
  const Event& last = race.wanted ? log_.wanted()[race.second].event : events[race.second];
  const std::uint32_t until = race.wanted ? log_.wanted()[race.second].position : race.second;
  // Source sets ask for the initials of the shortest sequence, wake-up trees for the weak initials
  // of the longest.
  const bool whole = mode_ == Mode::WakeupTrees || is_missed(race);
  const auto end = whole ? static_cast<std::uint32_t>(events.size()) : until;
  sequence_.clear();
  for (std::uint32_t i = race.first + 1; i < end; ++i) {
    const Event& event = events[i];
    if (HappensBefore::is_in(first, order_.clock(i))) {
      continue;
    }
    sequence_.push_back({.event = i,
                         .actor = event.actor,
                         .label = event.label,
                         .footprint = event.footprint,
                         .kind = event.kind});
  }
  mark_predecessors(first, last,
                    race.wanted ? order_.clock_wanted(race.second) : order_.clock(race.second));
  sequence_.push_back({.event = Event::kNone,
                       .actor = last.actor,
                       .footprint = last.footprint,
                       .kind = last.kind,
                       .certain = race.certain});
}

/// Which steps of v have to come before its last one, seen from the other side of the race. It
/// cannot be read from the clocks of E, where the last step came after e and knew more; so
/// dependencies are followed backwards from what it touches.
void DporStrategy::mark_predecessors(const Event& first, const Event& last,
                                     std::span<const std::uint32_t> clock) {
  scratch_.assign(clock.size(), 0);
  for (auto step = sequence_.rbegin(); step != sequence_.rend(); ++step) {
    const Event& event = log_.events()[step->event];
    const Relation related = log_.related(step->footprint, last.footprint);
    // Where the last takes the place of the first, its match is that of the first, and was before.
    const bool after = related == Relation::Matched &&
                       log_.matches_beside(last.footprint, step->footprint, first.footprint);
    step->precedes_last = step->actor == last.actor || step->event == last.prompted_by ||
                          HappensBefore::is_in(event, scratch_) || related == Relation::Full ||
                          (after && HappensBefore::is_in(event, clock)) ||
                          may_touch_time(*step, last);
    if (step->precedes_last) {
      const std::span<const std::uint32_t> own = order_.clock(step->event);
      for (std::size_t i = 0; i < own.size(); ++i) {
        scratch_[i] = std::max(scratch_[i], own[i]);
      }
    }
  }
}

/// Where the last step comes now it may look at the clock, or make others due than it did: what
/// depends on that comes before it.
bool DporStrategy::may_touch_time(const Step& step, const Event& last) const {
  return step.actor == Event::kClock ||
         (last.actor == Event::kClock && log_.depends_on_unknown(step.footprint, last.kind));
}

/// Whether the step is in I(v): nothing before it in v happens before it.
bool DporStrategy::is_initial(std::size_t at) const {
  const Step& step = sequence_[at];
  for (std::size_t i = 0; i < at; ++i) {
    const Step& earlier = sequence_[i];
    if (step.event == Event::kNone ? earlier.precedes_last
                                   : order_.before(log_, earlier.event, step.event)) {
      return false;
    }
  }
  return true;
}

/// Source sets: if an actor of I(v) is in backtrack(E') or was explored there, that run will meet
/// the reversed race; else any one of them is added. The last one found here, which tends to be the
/// second of the race itself.
void DporStrategy::add_beginning(Node& node) {
  const Step* chosen = nullptr;
  for (std::size_t i = 0; i < sequence_.size(); ++i) {
    const Step& step = sequence_[i];
    const bool comes_first =
        std::none_of(sequence_.begin(), sequence_.begin() + static_cast<std::ptrdiff_t>(i),
                     [&](const Step& earlier) { return earlier.actor == step.actor; });
    if (!comes_first || !is_initial(i)) {
      continue;
    }
    bool begun = node.actor == step.actor;
    for (std::size_t j = node.sleep_own; j < node.sleep_end; ++j) {
      begun = begun || sleepers_[j].actor == step.actor;
    }
    for (std::uint32_t b = node.todo; b != WakeupTree::kNone; b = tree_[b].next) {
      begun = begun || tree_[b].actor == step.actor;
    }
    if (begun) {
      return;
    }
    chosen = &step;
  }
  if (chosen != nullptr) {
    tree_.append(node.todo, {.actor = chosen->actor});
  }
}

/// How a branch of the wake-up tree compares with v: it begins like v (its step is an initial of v,
/// to be struck off), or it is independent of all v (v can still be done behind it), or it is
/// neither and v goes beside it. In the paper: p in WI(w).
DporStrategy::Fit DporStrategy::fit(std::uint32_t actor, std::uint32_t label,
                                    std::uint32_t footprint, std::size_t& at) {
  bool independent = true;
  bool unknown = false;
  for (std::size_t i = 0; i < sequence_.size(); ++i) {
    if (sequence_[i].actor == actor) {
      at = i;
      const bool same = sequence_[i].event == Event::kNone || sequence_[i].label == label;
      return same && is_initial(i) ? Fit::Contained : Fit::No;
    }
    const Step& step = sequence_[i];
    unknown |= step.event == Event::kNone && log_.depends_on_unknown(footprint, step.kind);
    independent = independent && !log_.dependent(step.footprint, footprint);
  }
  doubtful_ |= independent && unknown;
  return independent && !unknown ? Fit::Independent : Fit::No;
}

/// Whether WI(v) has a sleeper z: its first step in v has no predecessor there, or it has none and
/// is independent of all v. Sets `settled` when that cannot change with what follows in v.
bool DporStrategy::is_covered_by_sleep(const Node& node, bool& settled) {
  for (std::size_t i = node.sleep_begin; i < node.sleep_end;) {
    const std::size_t end = end_of_sleeper(i, node.sleep_end);
    const std::uint32_t actor = sleepers_[i].actor;
    const auto own = std::find_if(sequence_.begin(), sequence_.end(),
                                  [&](const Step& step) { return step.actor == actor; });
    if (own != sequence_.end()) {
      if (is_initial(static_cast<std::size_t>(own - sequence_.begin()))) {
        settled = true;
        return true;
      }
    } else if (actor != node.actor &&
               std::none_of(sequence_.begin(), sequence_.end(),
                            [&](const Step& step) { return may_be_woken(i, end, step); })) {
      return true;
    }
    i = end;
  }
  return false;
}

/// Inserts the sequence into what the node has to explore, unless something that is explored there
/// covers it. True when the race need not be looked at again in later runs: only where a sleeper
/// that is an initial of the sequence covers it.
bool DporStrategy::add_sequence(Node& node) {
  bool settled = false;
  doubtful_ = false;
  if (is_covered_by_sleep(node, settled)) {
    return settled;
  }
  std::size_t at = 0;
  std::uint32_t parent = WakeupTree::kNone;
  std::uint32_t branch = node.todo;
  while (branch != WakeupTree::kNone) {
    const WakeupTree::Branch& candidate = tree_[branch];
    const Fit found = fit(candidate.actor, candidate.label, candidate.footprint, at);
    // What turns out to be impossible there will not have covered anything.
    if (found == Fit::No || (found == Fit::Independent && !candidate.certain)) {
      doubtful_ |= found == Fit::Independent;
      branch = candidate.next;
      continue;
    }
    if (found == Fit::Contained) {
      sequence_.erase(sequence_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (sequence_.empty() || candidate.first_child == WakeupTree::kNone) {
      return false;
    }
    parent = branch;
    branch = candidate.first_child;
  }
  std::uint32_t list = parent == WakeupTree::kNone ? node.todo : tree_[parent].first_child;
  append_rest(list);
  if (parent == WakeupTree::kNone) {
    node.todo = list;
  }
  return false;
}

/// What the last step does here is known only when it is taken, so a step that could cover the
/// sequence may have been passed over. No actor then sleeps behind the sequence: it is a leaf,
/// which is taken to cover all that begins like it, and what sleeps there would leave some of that
/// out. (In the paper a leaf w has no sleeper in WI(w), because WI is known when w is inserted.)
void DporStrategy::append_rest(std::uint32_t& list) {
  std::uint32_t last = WakeupTree::kNone;
  for (const Step& step : sequence_) {
    const WakeupTree::Branch branch{.actor = step.actor,
                                    .label = step.label,
                                    .footprint = step.footprint,
                                    .certain = step.certain,
                                    .doubtful = doubtful_ && &step == &sequence_.back()};
    last = last == WakeupTree::kNone ? tree_.append(list, branch) : tree_.extend(last, branch);
  }
}

}  // namespace watchlab::sim
