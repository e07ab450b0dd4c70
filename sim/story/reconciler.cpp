#include "sim/story/reconciler.hpp"

#include <charconv>

#include "sim/story/options.hpp"

namespace watchlab::sim {
namespace {

api::Result<void> observe(const std::string& /*key*/, ReconcileContext& /*context*/) { return {}; }

}  // namespace

std::string Reconciler::key_for(const api::Object& object) const {
  return api::key_of(object.metadata);
}

std::string value_in(const api::Object& object, const std::string& key) {
  const api::Labels data = data_of(object);
  const auto found = data.find(key);
  return found == data.end() ? "" : found->second;
}

int number_in(const api::Object& object, const std::string& key) {
  const std::string text = value_in(object, key);
  int number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<ReconcilerEntry> reconciler_catalogue() {
  std::vector<ReconcilerEntry> all{
      {"observe", "reads the object and writes nothing", make_from<observe>}};
  for (const auto& more : {replica_reconcilers(), cleanup_reconcilers(), operator_reconcilers()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::unique_ptr<Reconciler> make_reconciler(runtime::Runtime& runtime, std::string_view name) {
  for (const ReconcilerEntry& entry : reconciler_catalogue()) {
    if (entry.name == name) {
      return entry.make(runtime);
    }
  }
  return nullptr;
}

}  // namespace watchlab::sim
