#include "sim/explore/dpor_strategy.hpp"

#include <algorithm>
#include <utility>

#include "sim/explore/dfs_strategy.hpp"

namespace watchlab::sim {

DporStrategy::DporStrategy(Mode mode, int early_advances_max)
    : mode_(mode), early_advances_max_(static_cast<std::uint32_t>(early_advances_max)) {}

bool DporStrategy::prepare(std::size_t /*run*/) {
  const bool is_first = !std::exchange(started_, true);
  return is_first || backtrack() || begin_next_set();
}

/// One after the other, so that what shows with few early jumps is found first.
bool DporStrategy::begin_next_set() {
  std::vector<std::uint32_t> set = log_.early();
  const std::uint32_t beyond = set.empty() ? 0 : set.back() + 1;
  if (set.size() == early_advances_max_) {
    holds_time_back_ = holds_time_back_ || jumps_end_ > beyond;
  } else {
    for (std::uint32_t jump = beyond; jump < jumps_end_; ++jump) {
      early_sets_.push_back(set);
      early_sets_.back().push_back(jump);
    }
  }
  if (early_sets_.empty()) {
    return false;
  }
  set = std::move(early_sets_.front());
  early_sets_.erase(early_sets_.begin());
  ++sets_done_;
  jumps_end_ = 0;
  nodes_.clear();
  sleepers_.clear();
  races_.clear();
  stuck_ = false;
  order_ = HappensBefore();
  tree_ = WakeupTree();
  log_ = EventLog();
  log_.let_jump_early(std::move(set));
  return true;
}

/// The paper's recursion, as a loop over the stack of nodes: what was taken from the last node is
/// explored, and begins to sleep there (done(E')); a node with nothing else to do goes, which is
/// where Explore(E) returns. An abandoned run has taken no step at its last node, so nothing begins
/// to sleep there.
bool DporStrategy::backtrack() {
  for (; !nodes_.empty(); nodes_.pop_back()) {
    Node& node = nodes_.back();
    sleepers_.resize(node.sleep_end);
    if (!stuck_) {
      const Event& done = log_.events()[nodes_.size() - 1];
      sleepers_.push_back({done.actor, done.label, done.footprint});
      ++node.sleep_end;
    }
    stuck_ = false;
    drop_sleeping(node);
    if (node.todo == WakeupTree::kNone) {
      continue;
    }
    plan(node, tree_.take_first(node.todo));
    node.option = kUnknown;
    forget_from(nodes_.size() - 1);
    return true;
  }
  return false;
}

/// With source sets a beginning may have been explored before, in another place. (The paper takes
/// the next of backtrack minus sleep.)
void DporStrategy::drop_sleeping(Node& node) {
  const auto sleeping = [this, &node](const WakeupTree::Branch& branch) {
    bool found = is_done(node, branch.actor, branch.label);
    for (std::size_t i = node.sleep_begin; i < node.sleep_own; ++i) {
      found = found || sleepers_[i].actor == branch.actor;
    }
    return found;
  };
  while (node.todo != WakeupTree::kNone && sleeping(tree_[node.todo])) {
    tree_.discard(tree_.take_first(node.todo).first_child);
  }
}

bool DporStrategy::is_done(const Node& node, std::uint32_t actor, std::uint32_t label) const {
  for (std::size_t i = node.sleep_own; i < node.sleep_end; ++i) {
    if (sleepers_[i].actor == actor && sleepers_[i].label == label) {
      return true;
    }
  }
  return false;
}

double DporStrategy::explored() const {
  double behind = 0;
  double weight = 1;
  for (const Node& node : nodes_) {
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

void DporStrategy::begin(const Scheduler& scheduler) {
  Strategy::begin(scheduler);
  log_.begin(scheduler, nodes_.empty() ? 0 : nodes_.size() - 1);
  alternatives_.clear();
  noted_ = 0;
  early_jumps_ = 0;
}

void DporStrategy::executed(const Actor& actor) {
  // There is no decision before the first step of a run.
  if (nodes_.empty()) {
    nodes_.push_back({.actor = log_.number_of(actor), .option = 0});
  }
  if (log_.executed(actor)) {
    impossible_.clear();
  }
}

std::uint32_t DporStrategy::choose(const Choice& choice) {
  switch (choice.kind) {
    case ChoiceKind::Actor:
      return choose_actor(choice);
    case ChoiceKind::Advance:
      return choose_jump(choice);
    default:
      return choose_value(choice);
  }
}

void DporStrategy::idle() {
  if (!log_.clock_is_ready()) {
    log_.idle();
  }
}

/// The clock is one of those that could go next, and where no other is ready it is the only one.
/// The answer about the others comes with `choose_actor`, for which this makes the node.
std::uint32_t DporStrategy::choose_jump(const Choice& choice) {
  if (!log_.clock_is_ready()) {
    return 0;
  }
  const bool is_idle = choice.options == 1;
  const std::uint32_t options = is_idle ? 0 : scheduler().options();
  const std::size_t depth = log_.position();
  std::uint32_t next = 0;
  if (depth < nodes_.size()) {
    next = known_option(nodes_[depth], options);
  } else {
    log_.settle();
    note_alternatives();
    next = grow(options);
  }
  if (next == kUnknown) {
    return kAbandon;
  }
  if (next != kClockOption) {
    return 0;
  }
  log_.jump();
  early_jumps_ += is_idle ? 0 : 1;
  return is_idle ? 0 : 1;
}

/// While a run is replayed the label of the logged event says what was chosen within a step, in a
/// new part the label that is planned for it; beyond what is known the default value, 0, whose
/// alternatives `note_alternatives` collects.
std::uint32_t DporStrategy::choose_value(const Choice& choice) {
  const std::size_t event = log_.position() - 1;
  const std::uint32_t label = log_.replaying() ? log_.events()[event].label : nodes_[event].label;
  const std::span<const std::uint32_t> values = log_.labels()[label];
  const std::uint32_t place = log_.values_chosen();
  const std::uint32_t value = place < values.size() ? values[place] : 0;
  log_.chosen(value, choice.options);
  for (std::uint32_t other = 0; other < choice.options; ++other) {
    if (!choice.is_possible(other)) {
      impossible_.emplace_back(place, other);
    }
  }
  return canonical_index(choice, value);
}

/// Up to the node that `prepare` has left the run is a replay. From there on each decision makes a
/// node. `settle` first: the footprint of the last step decides which sleepers wake.
std::uint32_t DporStrategy::choose_actor(const Choice& choice) {
  const std::size_t depth = log_.position();
  if (depth < nodes_.size()) {
    return known_option(nodes_[depth], choice.options);
  }
  log_.settle();
  note_alternatives();
  return grow(choice.options);
}

/// Options are numbered anew in each run, so a node knows its actor, and the option is looked up
/// when it comes to that. Where that actor is blocked, the planned sequence is impossible in this
/// order.
std::uint32_t DporStrategy::known_option(Node& node, std::uint32_t options) {
  if (node.option == kUnknown) {
    node.option = option_of(node.actor, options);
    stuck_ = node.option == kUnknown;
    if (stuck_) {
      log_.want_blocked();  // what came before may have taken the possibility
    }
  }
  return node.option;
}

std::uint32_t DporStrategy::option_of(std::uint32_t actor, std::uint32_t options) {
  if (actor == Event::kClock) {
    return log_.clock_is_ready() ? kClockOption : kUnknown;
  }
  for (std::uint32_t i = 0; i < options; ++i) {
    if (log_.number_of(scheduler().option(i)) == actor) {
      return i;
    }
  }
  return kUnknown;
}

/// Explore(E) for a new E: a sleeper that is independent of the last step sleeps on; then what a
/// wake-up tree asks for, else the first that does not sleep, of which the clock is the last. If
/// all sleep, whatever follows was explored elsewhere, and the run is abandoned.
std::uint32_t DporStrategy::grow(std::uint32_t options) {
  Node node;
  inherit_sleep(node, nodes_.size());
  node.todo = std::exchange(guide_, WakeupTree::kNone);
  node.option = follow(node, options);
  for (std::uint32_t i = 0; node.option == kUnknown && i < options; ++i) {
    const std::uint32_t actor = log_.number_of(scheduler().option(i));
    if (!sleeps(node, actor)) {
      node.actor = actor;
      node.option = i;
    }
  }
  if (node.option == kUnknown && log_.clock_is_ready() && !sleeps(node, Event::kClock)) {
    node.actor = Event::kClock;
    node.option = kClockOption;
  }
  stuck_ = node.option == kUnknown;
  if (stuck_) {
    log_.want_blocked();
  }
  nodes_.push_back(node);
  return node.option;
}

/// Goes one step down in the wake-up tree: the rest of the branch guides the nodes that follow.
void DporStrategy::plan(Node& node, const WakeupTree::Branch& branch) {
  node.actor = branch.actor;
  node.label = branch.label;
  node.planned = mode_ == Mode::WakeupTrees ? branch.footprint : kUnknown;
  node.wakes_all = branch.doubtful;
  guide_ = branch.first_child;
}

/// Takes the first step of what the node has to explore, if it is possible.
std::uint32_t DporStrategy::follow(Node& node, std::uint32_t options) {
  while (node.todo != WakeupTree::kNone) {
    const WakeupTree::Branch branch = tree_.take_first(node.todo);
    const std::uint32_t option = option_of(branch.actor, options);
    if (option != kUnknown) {
      plan(node, branch);
      return option;
    }
    tree_.discard(branch.first_child);
  }
  return kUnknown;
}

bool DporStrategy::sleeps(const Node& node, std::uint32_t actor) const {
  return std::any_of(sleepers_.begin() + static_cast<std::ptrdiff_t>(node.sleep_begin),
                     sleepers_.begin() + static_cast<std::ptrdiff_t>(node.sleep_end),
                     [actor](const Sleeper& sleeper) { return sleeper.actor == actor; });
}

/// An actor sleeps as a whole, with all that it can choose: the entries of one stand together.
std::size_t DporStrategy::end_of_sleeper(std::size_t first, std::size_t end) const {
  std::size_t i = first;
  while (i < end && sleepers_[i].actor == sleepers_[first].actor) {
    ++i;
  }
  return i;
}

/// A sleeper wakes at a step that depends on what it would do: behind that it may do something new.
bool DporStrategy::is_woken(std::size_t first, std::size_t end, std::uint32_t footprint) const {
  for (std::size_t i = first; i < end; ++i) {
    if (log_.dependent(sleepers_[i].footprint, footprint)) {
      return true;
    }
  }
  return false;
}

/// The last step of a sequence has not been taken where it stands now, and what it touches there
/// can be more than was seen: whether it wakes a sleeper can be in doubt (`append_rest` says what
/// follows).
bool DporStrategy::may_be_woken(std::size_t first, std::size_t end, const Step& step) {
  if (is_woken(first, end, step.footprint)) {
    return true;
  }
  bool may_be = false;
  for (std::size_t i = first; i < end && step.event == Event::kNone; ++i) {
    may_be = may_be || log_.depends_on_unknown(sleepers_[i].footprint, step.kind);
  }
  doubtful_ |= may_be;
  return may_be;
}

/// What a planned step touches in its plan counts, too: by that it was decided what covers the
/// plan.
void DporStrategy::inherit_sleep(Node& node, std::size_t depth) {
  const Node& parent = nodes_[depth - 1];
  const Event& event = log_.events()[depth - 1];
  node.sleep_begin = sleepers_.size();
  for (std::size_t i = parent.sleep_begin; i < parent.sleep_end && !parent.wakes_all;) {
    const std::size_t end = end_of_sleeper(i, parent.sleep_end);
    if (sleepers_[i].actor != event.actor && !is_woken(i, end, event.footprint) &&
        (parent.planned == kUnknown || !is_woken(i, end, parent.planned))) {
      for (; i < end; ++i) {
        sleepers_.push_back(sleepers_[i]);
      }
    }
    i = end;
  }
  node.sleep_own = node.sleep_end = sleepers_.size();
}

/// Collects the alternatives to what the last event has chosen freely.
void DporStrategy::note_alternatives() {
  if (log_.replaying() || noted_ == log_.position()) {
    return;
  }
  noted_ = log_.position();
  const auto event = static_cast<std::uint32_t>(noted_ - 1);
  const std::span<const std::uint32_t> values = log_.values();
  const std::span<const std::uint32_t> options = log_.options();
  for (std::uint32_t place = 0; place < values.size(); ++place) {
    for (std::uint32_t value = 0; value < options[place]; ++value) {
      const bool is_possible =
          std::ranges::find(impossible_, std::pair(place, value)) == impossible_.end();
      if (value != values[place] && is_possible) {
        scratch_.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place) + 1);
        scratch_.back() = value;
        alternatives_.emplace_back(event, log_.label_of(scratch_));
      }
    }
  }
}

/// Races are looked for when the run has ended, as in the paper's optimal algorithm. An abandoned
/// run has ended, too: what its tasks wanted counts as events. `settled` spares the races that have
/// led to all they can lead to.
void DporStrategy::end(const RunResult& /*result*/) {
  if (const auto last = scheduler().clock().last_armed()) {
    jumps_end_ = std::max(jumps_end_, *last + 1);
  }
  log_.close();
  note_alternatives();
  tree_.discard(std::exchange(guide_, WakeupTree::kNone));
  order_.extend(log_, races_);
  for (const auto& [event, label] : alternatives_) {
    add_alternative(event, label);
  }
  for (Race& race : races_) {
    if (!race.settled) {
      race.settled = reverse(race);
    }
  }
}

/// In this order: the clocks are found by the log's events.
void DporStrategy::forget_from(std::size_t kept) {
  std::erase_if(races_, [&](const Race& race) {
    return race.wanted ? log_.wanted()[race.second].position > kept : race.second >= kept;
  });
  order_.truncate(log_, kept);
  log_.truncate(kept);
}

/// All that an actor can choose in a step is explored before anybody else goes first there, and
/// whatever sleeps there: an actor sleeps as a whole, and a race that begins with it counts on all
/// its alternatives.
void DporStrategy::add_alternative(std::uint32_t event, std::uint32_t label) {
  const Event& taken = log_.events()[event];
  if (is_done(nodes_[event], taken.actor, label)) {
    return;
  }
  tree_.bring_forward(nodes_[event].todo, {.actor = taken.actor,
                                           .label = label,
                                           .footprint = taken.announced,
                                           .doubtful = nodes_[event].wakes_all});
}

}  // namespace watchlab::sim
