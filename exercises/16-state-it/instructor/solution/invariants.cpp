// The reference: nine sentences.
#include "exercises/16-state-it/invariants.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace watchlab::exercise {
namespace {

/// What was given of one object: a state, or that it is gone, and by which step.
struct Given {
  int version = 0;
  std::size_t step = 0;
  Deed deed = Deed::Put;
};
using History = std::vector<Given>;

/// What was given of each object, in order. A list says of everything that it lacks that it is
/// gone.
std::map<std::string, History> histories(const Moment& moment) {
  std::map<std::string, History> all;
  for (std::size_t i = 0; i < moment.steps.size(); ++i) {
    const Step& step = moment.steps[i];
    if (step.deed == Deed::Put || step.deed == Deed::Removed) {
      all[step.entry.name].push_back({step.entry.version, i, step.deed});
    } else if (step.deed == Deed::Listed) {
      std::map<std::string, int> listed;
      for (const Entry& entry : step.entries) {
        listed[entry.name] = entry.version;
        all.try_emplace(entry.name);
      }
      for (auto& [name, history] : all) {
        const auto found = listed.find(name);
        history.push_back({found == listed.end() ? 0 : found->second, i, step.deed});
      }
    }
  }
  return all;
}

/// What has come out of an object, in order, by the steps before `end`.
std::vector<int> popped_of(const Moment& moment, const std::string& name, std::size_t end) {
  std::vector<int> popped;
  for (std::size_t i = 0; i < end; ++i) {
    const Step& step = moment.steps[i];
    if (step.deed == Deed::Popped) {
      for (const Entry& entry : step.entries) {
        if (entry.name == name) {
          popped.push_back(entry.version);
        }
      }
    }
  }
  return popped;
}

std::optional<int> stored_of(const Moment& moment, const std::string& name) {
  for (const Entry& entry : moment.stored) {
    if (entry.name == name) {
      return entry.version;
    }
  }
  return std::nullopt;
}

bool no_object_goes_back(const Moment& moment) {
  std::map<std::string, int> newest;
  for (const Step& step : moment.steps) {
    for (const Entry& entry : step.deed == Deed::Popped ? step.entries : std::vector<Entry>()) {
      if (entry.version != 0 && entry.version < newest[entry.name]) {
        return false;
      }
      newest[entry.name] = std::max(newest[entry.name], entry.version);
    }
  }
  return true;
}

/// At rest every state has come out, which was followed by a deed of that kind.
bool no_state_is_skipped_before(const Moment& moment, Deed next) {
  for (const auto& [name, history] : histories(moment)) {
    const std::vector<int> popped = popped_of(moment, name, moment.steps.size());
    for (std::size_t i = 0; moment.at_rest && i + 1 < history.size(); ++i) {
      if (history[i].version != 0 && history[i + 1].deed == next &&
          std::ranges::find(popped, history[i].version) == popped.end()) {
        return false;
      }
    }
  }
  return true;
}
bool no_state_is_skipped_for_a_newer_one(const Moment& moment) {
  return no_state_is_skipped_before(moment, Deed::Put);
}
bool no_state_is_skipped_for_a_removal(const Moment& moment) {
  return no_state_is_skipped_before(moment, Deed::Removed);
}
bool no_state_is_skipped_for_a_list(const Moment& moment) {
  return no_state_is_skipped_before(moment, Deed::Listed);
}

bool what_is_there_is_stored_at_rest(const Moment& moment) {
  for (const auto& [name, history] : histories(moment)) {
    if (moment.at_rest && !history.empty() && history.back().version != 0 &&
        !stored_of(moment, name)) {
      return false;
    }
  }
  return true;
}

bool the_newest_state_is_stored_at_rest(const Moment& moment) {
  for (const auto& [name, history] : histories(moment)) {
    const std::optional<int> stored = stored_of(moment, name);
    if (moment.at_rest && stored && !history.empty() && history.back().version != 0 &&
        *stored != history.back().version) {
      return false;
    }
  }
  return true;
}

/// At rest nothing is stored that was deleted last, by a deletion that counts.
template <typename Counts>
bool no_ghost_is_stored(const Moment& moment, Counts counts) {
  for (const auto& [name, history] : histories(moment)) {
    if (moment.at_rest && stored_of(moment, name) && !history.empty() &&
        history.back().version == 0 && counts(name, history.back())) {
      return false;
    }
  }
  return true;
}
bool a_removal_deletes(const Moment& moment) {
  return no_ghost_is_stored(moment, [](const std::string&, const Given& deletion) {
    return deletion.deed == Deed::Removed;
  });
}
bool a_list_deletes_what_was_stored(const Moment& moment) {
  return no_ghost_is_stored(moment, [&](const std::string& name, const Given& deletion) {
    return deletion.deed == Deed::Listed && !popped_of(moment, name, deletion.step).empty();
  });
}
bool a_list_deletes_what_waited(const Moment& moment) {
  return no_ghost_is_stored(moment, [&](const std::string& name, const Given& deletion) {
    return deletion.deed == Deed::Listed && popped_of(moment, name, deletion.step).empty();
  });
}

}  // namespace

std::vector<Invariant> invariants() {
  return {{"no_object_goes_back", no_object_goes_back},
          {"no_state_is_skipped_for_a_newer_one", no_state_is_skipped_for_a_newer_one},
          {"no_state_is_skipped_for_a_removal", no_state_is_skipped_for_a_removal},
          {"no_state_is_skipped_for_a_list", no_state_is_skipped_for_a_list},
          {"what_is_there_is_stored_at_rest", what_is_there_is_stored_at_rest},
          {"the_newest_state_is_stored_at_rest", the_newest_state_is_stored_at_rest},
          {"a_removal_deletes", a_removal_deletes},
          {"a_list_deletes_what_was_stored", a_list_deletes_what_was_stored},
          {"a_list_deletes_what_waited", a_list_deletes_what_waited}};
}

}  // namespace watchlab::exercise
