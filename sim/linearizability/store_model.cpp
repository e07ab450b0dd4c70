#include "sim/linearizability/store_model.hpp"

#include "sim/linearizability/state_text.hpp"

namespace watchlab::sim::linearizability {
namespace {

std::string keys_text(const Entries& objects) {
  std::vector<std::string> keys;
  for (const auto& [key, version] : objects) {
    keys.push_back(key);
  }
  return joined_words(keys);
}

}  // namespace

bool StoreModel::only_reads(const Request& asked) const {
  return asked.method == "get" || asked.method == "list" || asked.method == "list_keys";
}

std::vector<Outcome> StoreModel::outcomes(const std::string& state, const Request& asked) const {
  Entries objects = entries_of(state);
  if (asked.method == "get") {
    const auto found = objects.find(asked.key);
    return {{found == objects.end() ? "none" : found->second, state}};
  }
  if (asked.method == "list") {
    return {{state, state}};
  }
  if (asked.method == "list_keys") {
    return {{keys_text(objects), state}};
  }
  if (asked.method == "add" || asked.method == "update") {
    objects[asked.key] = asked.argument;
  } else if (asked.method == "remove") {
    objects.erase(asked.key);
  } else if (asked.method == "replace") {
    objects = entries_of(asked.argument);
  } else {
    refuse_method(*this, asked);
  }
  return {{"ok", text_of(objects)}};
}

}  // namespace watchlab::sim::linearizability
