#include "sim/explore/dpor_strategy.hpp"

#include <algorithm>

#include "sim/explore/canonical_choice.hpp"

namespace watchlab::sim {

DporStrategy::DporStrategy(Mode mode, bool time_may_jump) : mode_(mode) {
  log_.watch_time(time_may_jump);
}

bool DporStrategy::prepare(std::size_t run) {
  if (run == 0 && nodes_.empty()) {
    return true;
  }
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
    const WakeupTree::Branch branch = tree_.take_first(node.todo);
    node.actor = branch.actor;
    node.label = branch.label;
    node.option = kUnknown;
    guide_ = branch.first_child;
    order_.truncate(log_, nodes_.size() - 1);
    log_.truncate(nodes_.size() - 1);
    return true;
  }
  return false;
}

/// With source sets a beginning may have been explored before, in another place.
void DporStrategy::drop_sleeping(Node& node) {
  const auto sleeping = [this, &node](const WakeupTree::Branch& branch) {
    return std::any_of(sleepers_.begin() + static_cast<std::ptrdiff_t>(node.sleep_begin),
                       sleepers_.begin() + static_cast<std::ptrdiff_t>(node.sleep_end),
                       [&](const Sleeper& sleeper) {
                         return sleeper.actor == branch.actor && sleeper.label == branch.label;
                       });
  };
  while (node.todo != WakeupTree::kNone && sleeping(tree_[node.todo])) {
    tree_.discard(tree_.take_first(node.todo).first_child);
  }
}

void DporStrategy::begin(const Scheduler& scheduler) {
  scheduler_ = &scheduler;
  log_.begin(scheduler, nodes_.empty() ? 0 : nodes_.size() - 1);
  alternatives_.clear();
  noted_ = 0;
}

void DporStrategy::executed(const Actor& actor) {
  // Nobody is asked who makes the first step of a run.
  if (nodes_.empty()) {
    nodes_.push_back({.actor = log_.number_of(actor), .option = 0});
  }
  log_.executed(actor);
}

std::uint32_t DporStrategy::choose(const Choice& choice) {
  return choice.kind == ChoiceKind::Actor ? choose_actor(choice) : choose_value(choice);
}

std::uint32_t DporStrategy::choose_value(const Choice& choice) {
  const std::size_t event = log_.position() - 1;
  const std::uint32_t label = log_.replaying() ? log_.events()[event].label : nodes_[event].label;
  const std::span<const std::uint32_t> values = log_.labels()[label];
  const std::uint32_t place = log_.values_chosen();
  const std::uint32_t value = place < values.size() ? values[place] : 0;
  log_.chosen(value, choice.options);
  if (choice.kind == ChoiceKind::Advance && value != 0) {
    log_.passed_time();
  }
  return canonical_index(choice, value);
}

std::uint32_t DporStrategy::choose_actor(const Choice& choice) {
  const std::size_t depth = log_.position();
  if (depth < nodes_.size()) {
    return known_option(nodes_[depth], choice.options);
  }
  log_.settle();
  note_alternatives();
  return grow(choice.options);
}

std::uint32_t DporStrategy::known_option(Node& node, std::uint32_t options) {
  if (node.option == kUnknown) {
    node.option = option_of(node.actor, options);
    stuck_ = node.option == kUnknown;
  }
  return node.option;
}

std::uint32_t DporStrategy::option_of(std::uint32_t actor, std::uint32_t options) {
  for (std::uint32_t i = 0; i < options; ++i) {
    if (log_.number_of(scheduler_->option(i)) == actor) {
      return i;
    }
  }
  return kUnknown;
}

std::uint32_t DporStrategy::grow(std::uint32_t options) {
  Node node;
  inherit_sleep(node, nodes_.size());
  node.todo = std::exchange(guide_, WakeupTree::kNone);
  node.option = follow(node, options);
  for (std::uint32_t i = 0; node.option == kUnknown && i < options; ++i) {
    const std::uint32_t actor = log_.number_of(scheduler_->option(i));
    if (!sleeps(node, actor)) {
      node.actor = actor;
      node.option = i;
    }
  }
  stuck_ = node.option == kUnknown;
  nodes_.push_back(node);
  return node.option;
}

/// Takes the first step of what the node has to explore, if it is possible.
std::uint32_t DporStrategy::follow(Node& node, std::uint32_t options) {
  while (node.todo != WakeupTree::kNone) {
    const WakeupTree::Branch branch = tree_.take_first(node.todo);
    const std::uint32_t option = option_of(branch.actor, options);
    if (option != kUnknown) {
      node.actor = branch.actor;
      node.label = branch.label;
      guide_ = branch.first_child;
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

void DporStrategy::inherit_sleep(Node& node, std::size_t depth) {
  const Node& parent = nodes_[depth - 1];
  const Event& event = log_.events()[depth - 1];
  node.sleep_begin = sleepers_.size();
  for (std::size_t i = parent.sleep_begin; i < parent.sleep_end; ++i) {
    const Sleeper sleeper = sleepers_[i];
    if (sleeper.actor != event.actor && !log_.dependent(sleeper.footprint, event.footprint)) {
      sleepers_.push_back(sleeper);
    }
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
  for (std::size_t place = log_.labels()[nodes_[event].label].size(); place < values.size();
       ++place) {
    scratch_.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    for (std::uint32_t value = 1; value < options[place]; ++value) {
      scratch_.back() = value;
      alternatives_.emplace_back(event, log_.labels()(scratch_));
    }
  }
}

void DporStrategy::end(const RunResult& /*result*/) {
  log_.close();
  note_alternatives();
  tree_.discard(std::exchange(guide_, WakeupTree::kNone));
  races_.clear();
  order_.extend(log_, races_);
  for (const auto& [event, label] : alternatives_) {
    add_alternative(event, label);
  }
  for (const Race& race : races_) {
    reverse(race);
  }
}

/// All that an actor can choose in a step is explored before anybody else goes first there, and
/// whatever sleeps there: an actor sleeps as a whole, and a race that begins with it counts on all
/// its alternatives.
void DporStrategy::add_alternative(std::uint32_t event, std::uint32_t label) {
  const Event& taken = log_.events()[event];
  tree_.bring_forward(nodes_[event].todo,
                      {.actor = taken.actor, .label = label, .footprint = taken.announced});
}

void DporStrategy::reverse(const Race& race) {
  gather(race);
  if (mode_ == Mode::SourceSets) {
    add_beginning(nodes_[race.first]);
  } else {
    add_sequence(nodes_[race.first]);
  }
}

/// Makes the sequence that reverses a race: what came after its first event without depending on
/// it, and then the second.
void DporStrategy::gather(const Race& race) {
  const std::vector<Event>& events = log_.events();
  const Event& first = events[race.first];
  const Event& last = race.wanted ? log_.wanted()[race.second].event : events[race.second];
  const std::uint32_t until = race.wanted ? log_.wanted()[race.second].position : race.second;
  sequence_.clear();
  for (std::uint32_t i = race.first + 1; i < until; ++i) {
    const Event& event = events[i];
    if (!HappensBefore::is_in(first, order_.clock(i))) {
      sequence_.push_back({i, event.actor, event.label, event.footprint, false});
    }
  }
  mark_predecessors(last,
                    race.wanted ? order_.clock_wanted(race.second) : order_.clock(race.second));
  sequence_.push_back({Event::kNone, last.actor, 0, last.footprint, false, race.certain});
}

void DporStrategy::mark_predecessors(const Event& last, std::span<const std::uint32_t> clock) {
  scratch_.assign(clock.size(), 0);
  for (auto step = sequence_.rbegin(); step != sequence_.rend(); ++step) {
    const Event& event = log_.events()[step->event];
    const Relation related = log_.related(step->footprint, last.footprint);
    // In the new order the last takes the place of the first, whose match has been before.
    const bool after =
        related == Relation::Full || (related == Relation::Matched && log_.watches_time());
    step->precedes_last = step->actor == last.actor || step->event == last.prompted_by ||
                          HappensBefore::is_in(event, scratch_) ||
                          (after && HappensBefore::is_in(event, clock));
    if (step->precedes_last) {
      const std::span<const std::uint32_t> own = order_.clock(step->event);
      for (std::size_t i = 0; i < own.size(); ++i) {
        scratch_[i] = std::max(scratch_[i], own[i]);
      }
    }
  }
}

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

DporStrategy::Fit DporStrategy::fit(std::uint32_t actor, std::uint32_t label,
                                    std::uint32_t footprint, std::size_t& at) const {
  bool independent = true;
  for (std::size_t i = 0; i < sequence_.size(); ++i) {
    if (sequence_[i].actor == actor) {
      at = i;
      return sequence_[i].label == label && is_initial(i) ? Fit::Contained : Fit::No;
    }
    independent = independent && !log_.dependent(sequence_[i].footprint, footprint);
  }
  return independent ? Fit::Independent : Fit::No;
}

bool DporStrategy::is_covered_by_sleep(const Node& node) const {
  std::size_t at = 0;
  return std::any_of(sleepers_.begin() + static_cast<std::ptrdiff_t>(node.sleep_begin),
                     sleepers_.begin() + static_cast<std::ptrdiff_t>(node.sleep_end),
                     [&](const Sleeper& sleeper) {
                       return fit(sleeper.actor, sleeper.label, sleeper.footprint, at) != Fit::No;
                     });
}

/// Inserts the sequence into what the node has to explore, unless something that is explored there
/// covers it.
void DporStrategy::add_sequence(Node& node) {
  if (is_covered_by_sleep(node)) {
    return;
  }
  std::size_t at = 0;
  std::uint32_t parent = WakeupTree::kNone;
  std::uint32_t branch = node.todo;
  while (branch != WakeupTree::kNone) {
    const WakeupTree::Branch& candidate = tree_[branch];
    const Fit found = fit(candidate.actor, candidate.label, candidate.footprint, at);
    // What turns out to be impossible there will not have covered anything.
    if (found == Fit::No || (found == Fit::Independent && !candidate.certain)) {
      branch = candidate.next;
      continue;
    }
    if (found == Fit::Contained) {
      sequence_.erase(sequence_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (sequence_.empty() || candidate.first_child == WakeupTree::kNone) {
      return;
    }
    parent = branch;
    branch = candidate.first_child;
  }
  std::uint32_t list = parent == WakeupTree::kNone ? node.todo : tree_[parent].first_child;
  append_rest(list);
  if (parent == WakeupTree::kNone) {
    node.todo = list;
  }
}

void DporStrategy::append_rest(std::uint32_t& list) {
  std::uint32_t last = WakeupTree::kNone;
  for (const Step& step : sequence_) {
    const WakeupTree::Branch branch{.actor = step.actor,
                                    .label = step.label,
                                    .footprint = step.footprint,
                                    .certain = step.certain};
    last = last == WakeupTree::kNone ? tree_.append(list, branch) : tree_.extend(last, branch);
  }
}

}  // namespace watchlab::sim
