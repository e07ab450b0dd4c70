// Breaks: changes are grouped by object, and a list that brings nothing new can be repeated to all.
#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/ensure.hpp"
#include "exercises/11-many-handlers/subject.hpp"

namespace watchlab::exercise {
namespace {

class PlacedHandler final : public Registration {
 public:
  PlacedHandler(cache::SharedIndexInformer& informer, cache::RegistrationPtr place)
      : informer_(informer), place_(std::move(place)) {}

  [[nodiscard]] bool has_synced() const override {
    return place_ != nullptr && place_->has_synced();
  }
  void remove() override {
    if (place_ != nullptr) {
      runtime::ensure(informer_.remove_event_handler(place_).ok(), "it is one of the informer's");
    }
  }

 private:
  cache::SharedIndexInformer& informer_;
  cache::RegistrationPtr place_;  ///< null once the informer has stopped
};

class ClassicInformer final : public Informer {
 public:
  ClassicInformer(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source)
      : informer_(runtime, {.lister_watcher = std::move(source),
                            .resync_period = std::chrono::hours(1),
                            .reflector = {.api_version = "v1", .kind = "ConfigMap"}}) {}

  void run(const runtime::StopToken& stop) override { informer_.run(stop); }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(
      Handler& handler, runtime::Duration resync_period) override {
    auto place = informer_.add_event_handler_with_resync_period(
        cache::make_handler(
            {.add = [&handler](const api::ObjectPtr& object,
                               bool was_there) { handler.on_add(object, was_there); },
             .update = [&handler](
                           const api::ObjectPtr& before,
                           const api::ObjectPtr& after) { handler.on_update(before, after); },
             .remove =
                 [&handler](const cache::Item& item) {
                   handler.on_delete(cache::object_of(item),
                                     std::holds_alternative<cache::TombstonePtr>(item));
                 }}),
        resync_period);
    return std::make_unique<PlacedHandler>(informer_, place ? *place : nullptr);
  }
  [[nodiscard]] bool has_synced() const override { return informer_.has_synced(); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return informer_.indexer()->get_by_key(key);
  }

 private:
  cache::SharedIndexInformer informer_;
};

}  // namespace

std::unique_ptr<Informer> make_informer(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source) {
  return std::make_unique<ClassicInformer>(runtime, std::move(source));
}

}  // namespace watchlab::exercise
