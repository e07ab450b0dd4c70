#include "sim/linearizability/linearization_search.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace watchlab::sim::linearizability {
namespace {

constexpr unsigned kOpenMax = 64;

/// Invocations and returns in their order: the call, and whether it returns.
std::vector<std::pair<std::size_t, bool>> events_of(const std::vector<Call>& calls) {
  std::map<std::size_t, std::pair<std::size_t, bool>> events;
  for (std::size_t call = 0; call < calls.size(); ++call) {
    events[calls[call].invoked] = {call, false};
    if (calls[call].result) {
      events[calls[call].returned] = {call, true};
    }
  }
  std::vector<std::pair<std::size_t, bool>> sorted;
  for (const auto& [moment, event] : events) {
    sorted.push_back(event);
  }
  return sorted;
}

}  // namespace

std::optional<LinearizationSearch::DeadEnd> LinearizationSearch::run(const std::string& state) {
  ways_ = {{state, 0}};
  note_certainty(0);
  for (const auto& [call, returns] : events_of(calls_)) {
    if (!returns) {
      open(call);
      note_certainty(calls_[call].invoked);
      continue;
    }
    close(call);
    if (ways_.empty()) {
      return dead_end(call);
    }
    note_certainty(calls_[call].returned);
  }
  return std::nullopt;
}

void LinearizationSearch::open(std::size_t call) {
  std::uint64_t used = 0;
  for (const auto& [other, slot] : slots_) {
    used |= std::uint64_t{1} << slot;
  }
  const auto slot = static_cast<unsigned>(std::countr_one(used));
  if (slot >= kOpenMax) {
    throw std::invalid_argument("a history with more than 64 calls open at once");
  }
  slots_[call] = slot;
}

void LinearizationSearch::close(std::size_t call) {
  returning_ = call;
  instead_.clear();
  std::vector<Way> pending(ways_.begin(), ways_.end());
  std::set<Way> seen = std::move(ways_);
  ways_.clear();
  while (!pending.empty()) {
    Way way = std::move(pending.back());
    pending.pop_back();
    if ((way.taken & bit(call)) != 0) {
      way.taken &= ~bit(call);
      ways_.insert(std::move(way));
      continue;
    }
    std::vector<Way> found;
    extend(way, found);
    for (Way& next : found) {
      if (seen.insert(next).second) {
        pending.push_back(std::move(next));
      }
    }
  }
  slots_.erase(call);
}

void LinearizationSearch::extend(const Way& way, std::vector<Way>& found) {
  for (const auto& [call, slot] : slots_) {
    if ((way.taken & bit(call)) != 0) {
      continue;
    }
    const std::optional<std::string>& result = calls_[call].result;
    for (Outcome& outcome : model_.outcomes(way.state, calls_[call].asked)) {
      if (!result || *result == outcome.result) {
        found.push_back({std::move(outcome.state), way.taken | bit(call)});
      } else if (call == returning_) {
        instead_.insert(std::move(outcome.result));
      }
    }
  }
}

void LinearizationSearch::note_certainty(std::size_t moment) {
  if (ways_.size() == 1 && ways_.begin()->taken == 0) {
    certainties_.push_back({.moment = moment, .state = ways_.begin()->state});
  }
}

LinearizationSearch::DeadEnd LinearizationSearch::dead_end(std::size_t call) const {
  DeadEnd end{.call = call, .before = {}, .instead = instead_};
  for (const Certainty& certainty : certainties_) {
    if (certainty.moment < calls_[call].invoked) {
      end.before = certainty;
    }
  }
  return end;
}

}  // namespace watchlab::sim::linearizability
