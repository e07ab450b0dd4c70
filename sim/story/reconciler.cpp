#include "sim/story/reconciler.hpp"

namespace watchlab::sim {
namespace {

/// Reads the store and is content.
class Observer final : public Reconciler {
 public:
  api::Result<void> reconcile(const std::string& /*key*/, ReconcileContext& /*context*/) override {
    return {};
  }
};

}  // namespace

std::string Reconciler::key_for(const api::Object& object) const {
  return api::key_of(object.metadata);
}

ReconcilerEntry observing_reconciler() {
  return {"observe", "looks at the object and writes nothing",
          [](runtime::Runtime&) -> std::unique_ptr<Reconciler> {
            return std::make_unique<Observer>();
          }};
}

std::vector<ReconcilerEntry> reconciler_catalogue() {
  std::vector<ReconcilerEntry> all{observing_reconciler()};
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
