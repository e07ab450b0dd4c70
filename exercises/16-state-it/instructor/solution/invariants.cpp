// The reference: six sentences.
#include "exercises/16-state-it/invariants.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace watchlab::exercise {
namespace {

/// What must wait: what was added, in the last state, and neither popped nor removed since.
std::map<std::string, int> due(const Moment& moment, std::size_t steps) {
  std::map<std::string, int> due;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto& [deed, entry] = moment.steps[i];
    if (deed == Deed::Added) {
      due[entry.name] = entry.version;
    } else {
      due.erase(entry.name);
    }
  }
  return due;
}

bool is_pop(const Moment& moment) { return moment.steps.back().deed == Deed::Popped; }

/// What was due just before the last step.
std::map<std::string, int> due_before(const Moment& moment) {
  return due(moment, moment.steps.size() - 1);
}

bool what_is_due_waits(const Moment& moment) {
  const auto all = due(moment, moment.steps.size());
  return std::ranges::all_of(all, [&](const auto& each) {
    return std::ranges::any_of(moment.waiting,
                               [&](const Entry& entry) { return entry.name == each.first; });
  });
}

bool what_waits_is_due(const Moment& moment) {
  const auto all = due(moment, moment.steps.size());
  return std::ranges::all_of(moment.waiting,
                             [&](const Entry& entry) { return all.contains(entry.name); });
}

bool the_newest_state_waits(const Moment& moment) {
  const auto all = due(moment, moment.steps.size());
  return std::ranges::all_of(moment.waiting, [&](const Entry& entry) {
    const auto found = all.find(entry.name);
    return found == all.end() || found->second == entry.version;
  });
}

bool what_is_popped_was_due(const Moment& moment) {
  const auto all = due_before(moment);
  const Entry& entry = moment.steps.back().entry;
  const auto found = all.find(entry.name);
  return !is_pop(moment) || (found != all.end() && found->second == entry.version);
}

/// The names that were popped or removed before the last step: no order is promised for them.
std::set<std::string> stale_names(const Moment& moment) {
  std::set<std::string> stale;
  for (std::size_t i = 0; i + 1 < moment.steps.size(); ++i) {
    if (moment.steps[i].deed != Deed::Added) {
      stale.insert(moment.steps[i].entry.name);
    }
  }
  return stale;
}

/// What was due before a pop, fresh ones only, in the order in which they were first added.
/// `counts` says which names count.
template <typename Counts>
bool popped_in_order(const Moment& moment, Counts counts) {
  const auto all = due_before(moment);
  const std::set<std::string> stale = stale_names(moment);
  const std::string& popped = moment.steps.back().entry.name;
  if (!is_pop(moment) || stale.contains(popped) || !counts(popped)) {
    return true;
  }
  for (const auto& [deed, entry] : moment.steps) {
    if (all.contains(entry.name) && !stale.contains(entry.name) && counts(entry.name)) {
      return entry.name == popped;
    }
  }
  return true;
}

bool fresh_ones_come_in_order(const Moment& moment) {
  return popped_in_order(moment, [](const std::string&) { return true; });
}

bool those_added_once_come_in_order(const Moment& moment) {
  return popped_in_order(moment, [&](const std::string& name) {
    return std::ranges::count_if(moment.steps, [&](const Step& step) {
             return step.deed == Deed::Added && step.entry.name == name;
           }) == 1;
  });
}

}  // namespace

std::vector<Invariant> invariants() {
  return {{"what_is_due_waits", what_is_due_waits},
          {"what_waits_is_due", what_waits_is_due},
          {"the_newest_state_waits", the_newest_state_waits},
          {"what_is_popped_was_due", what_is_popped_was_due},
          {"fresh_ones_come_in_order", fresh_ones_come_in_order},
          {"those_added_once_come_in_order", those_added_once_come_in_order}};
}

}  // namespace watchlab::exercise
