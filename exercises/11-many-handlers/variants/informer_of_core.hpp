#pragma once

// What the right informers have in common that are one of core, whichever machine it is.
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/ensure.hpp"
#include "exercises/11-many-handlers/subject.hpp"

namespace watchlab::exercise {

class CoreRegistration final : public Registration {
 public:
  CoreRegistration(cache::SharedIndexInformer& informer, cache::RegistrationPtr place)
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

class InformerOfCore final : public Informer {
 public:
  /// `options` say which machine it is; the source and what the exercise fixes are put in here.
  InformerOfCore(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source,
                 cache::SharedIndexInformerOptions options)
      : informer_(runtime, completed(std::move(options), std::move(source))) {}

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
    return std::make_unique<CoreRegistration>(informer_, place ? *place : nullptr);
  }
  [[nodiscard]] bool has_synced() const override { return informer_.has_synced(); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return informer_.indexer()->get_by_key(key);
  }

 private:
  static cache::SharedIndexInformerOptions completed(cache::SharedIndexInformerOptions options,
                                                     std::shared_ptr<cache::ListerWatcher> source) {
    options.lister_watcher = std::move(source);
    options.resync_period = std::chrono::hours(1);
    options.reflector.api_version = "v1";
    options.reflector.kind = "ConfigMap";
    return options;
  }

  cache::SharedIndexInformer informer_;
};

}  // namespace watchlab::exercise
