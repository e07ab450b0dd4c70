#include "sim/linearizability/set_model.hpp"

#include <algorithm>

#include "sim/linearizability/state_text.hpp"

namespace watchlab::sim::linearizability {

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

}  // namespace watchlab::sim::linearizability
