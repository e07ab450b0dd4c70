#include "sim/linearizability/register_model.hpp"

#include "sim/linearizability/state_text.hpp"

namespace watchlab::sim::linearizability {

std::vector<Outcome> RegisterModel::outcomes(const std::string& state, const Request& asked) const {
  Entries values = entries_of(state);
  const std::string before = values[asked.key];
  if (asked.method == "read") {
    return {{before, state}};
  }
  values[asked.key] = asked.argument;
  if (asked.method == "write") {
    return {{"ok", text_of(values)}};
  }
  if (asked.method == "swap") {
    return {{before, text_of(values)}};
  }
  refuse_method(*this, asked);
}

}  // namespace watchlab::sim::linearizability
