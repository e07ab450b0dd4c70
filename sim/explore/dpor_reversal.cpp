#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/state_archive.hpp"

namespace watchlab::sim {

// How far a search by dpor is, and how it continues in another process.

namespace {

constexpr std::string_view kStateVersion = "dpor8 ";

}  // namespace

double DporStrategy::explored() const {
  double behind = 0;
  double weight = 1;
  for (std::size_t at = floor_; at < nodes_.size(); ++at) {
    const Node& node = nodes_[at];
    std::size_t todo = 0;
    for (std::uint32_t i = node.todo; i != WakeupTree::kNone; i = tree_[i].next) {
      ++todo;
    }
    const auto done = static_cast<double>(node.sleep_end - node.sleep_own);
    weight /= done + 1 + static_cast<double>(todo);
    behind += weight * done;
  }
  // Each set of early jumps counts as large as its siblings.
  return (static_cast<double>(sets_done_) + behind + weight) /
         static_cast<double>(sets_done_ + 1 + early_sets_.size());
}

template <typename Archive>
void DporStrategy::visit(Archive& archive) {
  archive(mode_);
  archive(early_advances_max_);
  archive(early_sets_);
  archive(sets_done_);
  archive(jumps_end_);
  archive(holds_time_back_);
  archive(nodes_);
  archive(sleepers_);
  archive(guide_);
  archive(stuck_);
  archive(shared_);
  archive(floor_);
  archive(awake_);
  archive(races_);
  tree_.visit(archive);
  log_.visit(archive);
  order_.visit(archive);
}

std::string DporStrategy::state() const {
  StateWriter writer;
  const_cast<DporStrategy*>(this)->visit(writer);  // a writer changes nothing
  return std::string(kStateVersion) + writer.text();
}

void DporStrategy::restore(std::string_view state) {
  if (!state.starts_with(kStateVersion)) {
    throw std::invalid_argument("this is not the state of a search by dpor");
  }
  StateReader reader(state.substr(kStateVersion.size()));
  const Mode mode = mode_;
  const bool shared = shared_;
  const std::uint32_t early_advances_max = early_advances_max_;
  visit(reader);
  if (!reader.at_end() || mode != mode_ || shared != shared_ ||
      early_advances_max != early_advances_max_) {
    throw std::invalid_argument("this is not the state of such a search by dpor");
  }
  if (shared_ && nodes_.size() > 1) {  // before the first step there is no decision
    expect_known_way();
  }
}

void DporStrategy::share() {
  if (early_advances_max_ > 0) {
    throw std::invalid_argument(
        "dpor gives no parts away where time may pass early; it does with no early advances, and "
        "dfs does with any");
  }
  shared_ = true;
}

void DporStrategy::split(std::size_t /*shard*/, std::size_t shards) {
  if (shards > 1) {
    throw std::invalid_argument(
        "dpor cannot be split into shards, because what remains to be explored in one part is "
        "found while exploring another; dfs and the sampling strategies can");
  }
}

/// Who has not begun at a node and could.
std::vector<std::uint32_t> DporStrategy::others_at(std::size_t depth) const {
  const Node& node = nodes_[depth];
  std::vector<std::uint32_t> others;
  for (std::uint32_t i = nodes_[depth - 1].awake_end; i < node.awake_end; ++i) {
    const std::uint32_t actor = awake_[i];
    const auto is_it = [actor](const Sleeper& done) { return done.actor == actor; };
    const bool begun =
        std::any_of(sleepers_.begin() + static_cast<std::ptrdiff_t>(node.sleep_own),
                    sleepers_.begin() + static_cast<std::ptrdiff_t>(node.sleep_end), is_it);
    if (actor != node.actor && !begun) {
      others.push_back(actor);
    }
  }
  return others;
}

/// Instead of what races have asked for, the node has to explore every actor that is awake. What
/// the present one may still choose within its step stays in front: before an actor sleeps, all
/// that it can choose has been explored.
void DporStrategy::close(std::size_t depth) {
  Node& node = nodes_[depth];
  const std::vector<std::uint32_t> others = others_at(depth);
  node.closed = true;
  std::uint32_t kept = WakeupTree::kNone;
  while (node.todo != WakeupTree::kNone) {
    const WakeupTree::Branch branch = tree_.take_first(node.todo);
    tree_.discard(branch.first_child);
    if (branch.actor == node.actor) {
      tree_.append(kept, branch);
    }
  }
  for (const std::uint32_t actor : others) {
    tree_.append(kept, {.actor = actor, .footprint = kUnknown});
  }
  node.todo = kept;
}

/// A search that has explored what began at that node so far, and has all that is left there.
std::string DporStrategy::part_from(std::size_t depth) const {
  DporStrategy part(mode_);
  part.shared_ = true;
  part.restore(state());
  part.forget_from(depth + 1);
  part.nodes_.resize(depth + 1);
  part.sleepers_.resize(part.nodes_.back().sleep_end);
  part.awake_.resize(part.nodes_.back().awake_end);
  for (std::size_t i = 0; i < depth; ++i) {
    part.tree_.discard(std::exchange(part.nodes_[i].todo, WakeupTree::kNone));
  }
  part.stuck_ = false;
  part.floor_ = depth;
  return part.state();
}

std::optional<std::string> DporStrategy::give_away() {
  for (std::size_t depth = std::max<std::size_t>(floor_, 1);
       shared_ && depth < log_.events().size(); ++depth) {
    if (!nodes_[depth].closed) {
      close(depth);
    }
    if (nodes_[depth].todo != WakeupTree::kNone) {
      std::string part = part_from(depth);
      tree_.discard(std::exchange(nodes_[depth].todo, WakeupTree::kNone));
      return part;
    }
  }
  return std::nullopt;
}

// What dpor does with a race: the sequence that reverses it, and where that has to be explored.
// Names as in the paper (JACM 2017): E the run, e and e' the race, v = notdep(e, E).e', I(v) its
// initials, WI(v) its weak initials, E' the prefix before e, which is the node.

/// For one race of E: E' is the part before its first event, and what is added there begins the
/// runs in which it comes the other way round.
bool DporStrategy::reverse(const Race& race) {
  if (race.first < floor_ || nodes_[race.first].closed) {
    return true;
  }
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
/// is independent of all v, which says nothing of a sleeper `of_closed`. Sets `settled` when that
/// cannot change with what follows in v.
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
    } else if (actor != node.actor && !sleepers_[i].of_closed &&
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
