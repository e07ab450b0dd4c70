#include "sim/linearizability/container_models.hpp"

#include <algorithm>

namespace watchlab::sim::linearizability {

std::vector<Outcome> RegisterModel::outcomes(const std::string& state, const Request& asked) const {
  Entries values = entries_of(state);
  const std::string before = values[asked.key];
  if (asked.method == "read") {
    return {{before, state}};
  }
  values[asked.key] = asked.argument;
  if (asked.method == "write") {
    return {{"ok", to_string(values)}};
  }
  if (asked.method == "swap") {
    return {{before, to_string(values)}};
  }
  refuse_method(*this, asked);
}

std::vector<Outcome> SetModel::outcomes(const std::string& state, const Request& asked) const {
  std::vector<std::string> keys = words_of(state);
  if (asked.method == "size") {
    return {{std::to_string(keys.size()), state}};
  }
  const auto place = std::ranges::lower_bound(keys, asked.key);
  const bool is_in = place != keys.end() && *place == asked.key;
  if (asked.method == "has") {
    return {{is_in ? "true" : "false", state}};
  }
  const bool inserts = asked.method == "insert";
  if (!inserts && asked.method != "remove") {
    refuse_method(*this, asked);
  }
  if (is_in == inserts) {
    return {{"false", state}};
  }
  if (inserts) {
    keys.insert(place, asked.key);
  } else {
    keys.erase(place);
  }
  return {{"true", joined_words(keys)}};
}

std::vector<Outcome> QueueModel::outcomes(const std::string& state, const Request& asked) const {
  std::vector<std::string> values = words_of(state);
  if (asked.method == "size") {
    return {{std::to_string(values.size()), state}};
  }
  if (asked.method == "push" || asked.method == "try_push") {
    if (values.size() >= capacity_) {
      if (asked.method == "push") {
        return {};
      }
      return {{"full", state}};
    }
    values.push_back(asked.argument);
    return {{"ok", joined_words(values)}};
  }
  if (asked.method != "pop" && asked.method != "try_pop") {
    refuse_method(*this, asked);
  }
  if (values.empty()) {
    if (asked.method == "pop") {
      return {};
    }
    return {{"empty", state}};
  }
  const std::string first = values.front();
  values.erase(values.begin());
  return {{first, joined_words(values)}};
}

}  // namespace watchlab::sim::linearizability
