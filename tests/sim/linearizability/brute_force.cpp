#include "tests/sim/linearizability/brute_force.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "sim/explore/random_numbers.hpp"

namespace watchlab::sim::linearizability {
namespace {

/// Whether `first` had returned when `second` was invoked.
bool precedes(const Call& first, const Call& second) {
  return first.result && first.returned < second.invoked;
}

/// Whether the calls, one after the other, can return what they did.
bool explains(const Model& model, const std::vector<const Call*>& order, std::size_t from,
              const std::string& state) {
  if (from == order.size()) {
    return true;
  }
  const Call& call = *order[from];
  return std::ranges::any_of(model.outcomes(state, call.asked), [&](const Outcome& outcome) {
    return (!call.result || *call.result == outcome.result) &&
           explains(model, order, from + 1, outcome.state);
  });
}

bool keeps_time(const std::vector<const Call*>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t later = i + 1; later < order.size(); ++later) {
      if (precedes(*order[later], *order[i])) {
        return false;
      }
    }
  }
  return true;
}

bool some_order_explains(const Model& model, std::vector<const Call*> calls) {
  std::ranges::sort(calls);
  do {
    if (keeps_time(calls) && explains(model, calls, 0, model.initial())) {
      return true;
    }
  } while (std::ranges::next_permutation(calls).found);
  return false;
}

/// What may be asked of each model.
std::vector<Request> requests_of(const Model& model) {
  static const std::map<std::string_view, std::vector<Request>> known{
      {"register",
       {{"write", "a", "1"},
        {"write", "a", "2"},
        {"read", "a", ""},
        {"swap", "a", "3"},
        {"write", "b", "1"},
        {"read", "b", ""}}},
      {"set",
       {{"insert", "a", ""},
        {"remove", "a", ""},
        {"has", "a", ""},
        {"insert", "b", ""},
        {"size", "", ""}}},
      {"queue",
       {{"push", "", "1"},
        {"push", "", "2"},
        {"pop", "", ""},
        {"try_pop", "", ""},
        {"try_push", "", "3"},
        {"size", "", ""}}},
      {"store",
       {{"add", "a", "1"},
        {"update", "a", "2"},
        {"remove", "a", ""},
        {"get", "a", ""},
        {"replace", "", "a=3; b=3"},
        {"list", "", ""},
        {"list_keys", "", ""}}},
      {"fifo",
       {{"add", "a", "1"},
        {"add", "b", "1"},
        {"update", "a", "2"},
        {"remove", "a", ""},
        {"pop", "", ""},
        {"pop", "", ""},
        {"get", "a", ""},
        {"close", "", ""}}},
      {"delta fifo",
       {{"add", "a", "1"},
        {"update", "b", "2"},
        {"remove", "a", "3"},
        {"replace", "", "b=4"},
        {"pop", "", ""},
        {"pop", "", ""},
        {"get", "a", ""}}},
  };
  return known.at(model.name());
}

/// Every result that the model gives to this request somewhere in a few calls.
std::vector<std::string> results_of(const Model& model, const Request& asked,
                                    const std::set<std::string>& states) {
  std::set<std::string> results;
  for (const std::string& state : states) {
    for (const Outcome& outcome : model.outcomes(state, asked)) {
      results.insert(outcome.result);
    }
  }
  return {results.begin(), results.end()};
}

}  // namespace

bool has_some_order(const Model& model, const std::vector<Call>& calls) {
  std::vector<const Call*> completed;
  std::vector<const Call*> pending;
  for (const Call& call : calls) {
    (call.result ? completed : pending).push_back(&call);
  }
  for (std::size_t chosen = 0; chosen < (std::size_t{1} << pending.size()); ++chosen) {
    std::vector<const Call*> subset = completed;
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if ((chosen >> i & 1U) != 0) {
        subset.push_back(pending[i]);
      }
    }
    if (some_order_explains(model, subset)) {
      return true;
    }
  }
  return false;
}

std::vector<Call> random_history(const Model& model, std::uint64_t seed, std::size_t calls_max) {
  RandomNumbers random(seed);
  const std::vector<Request> requests = requests_of(model);
  const std::size_t count = 1 + random.below(static_cast<std::uint32_t>(calls_max));
  std::vector<Call> calls;
  std::map<std::size_t, std::size_t> open;  // the call of each task
  std::set<std::string> states{model.initial()};
  for (std::size_t moment = 1; calls.size() < count || !open.empty(); ++moment) {
    const std::size_t task = random.below(3);
    const auto mine = open.find(task);
    if (mine == open.end()) {
      if (calls.size() == count) {
        continue;
      }
      open[task] = calls.size();
      calls.push_back({.task = "task" + std::to_string(task),
                       .asked = requests[random.below(static_cast<std::uint32_t>(requests.size()))],
                       .result = std::nullopt,
                       .invoked = moment,
                       .invoked_step = moment});
      continue;
    }
    Call& call = calls[mine->second];
    open.erase(mine);
    const auto results = results_of(model, call.asked, states);
    if (results.empty() || random.below(8) == 0) {
      continue;  // pending for ever
    }
    call.result = results[random.below(static_cast<std::uint32_t>(results.size()))];
    call.returned = call.returned_step = moment;
    const std::set<std::string> before = states;
    for (const std::string& state : before) {
      for (const Outcome& outcome : model.outcomes(state, call.asked)) {
        states.insert(outcome.state);
      }
    }
  }
  return calls;
}

}  // namespace watchlab::sim::linearizability
