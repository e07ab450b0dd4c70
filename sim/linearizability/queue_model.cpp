#include "sim/linearizability/queue_model.hpp"

#include "sim/linearizability/state_text.hpp"

namespace watchlab::sim::linearizability {

std::vector<Outcome> QueueModel::outcomes(const std::string& state, const Request& asked) const {
  std::vector<std::string> values = words_of(state);
  if (asked.method == "size") {
    return {{std::to_string(values.size()), state}};
  }
  if (asked.method == "push" || asked.method == "try_push") {
    if (values.size() >= capacity_) {
      return asked.method == "push" ? std::vector<Outcome>{} : std::vector{Outcome{"full", state}};
    }
    values.push_back(asked.argument);
    return {{"ok", joined_words(values)}};
  }
  if (asked.method != "pop" && asked.method != "try_pop") {
    refuse_method(*this, asked);
  }
  if (values.empty()) {
    return asked.method == "pop" ? std::vector<Outcome>{} : std::vector{Outcome{"empty", state}};
  }
  const std::string first = values.front();
  values.erase(values.begin());
  return {{first, joined_words(values)}};
}

}  // namespace watchlab::sim::linearizability
