#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/task.hpp"
#include "sim/story/client.hpp"
#include "sim/story/recording_handler.hpp"

namespace watchlab::sim {
namespace {

constexpr runtime::Duration kSecondRunAfter = std::chrono::milliseconds(1'500);

class SharedClient : public ClientOfTasks, public std::enable_shared_from_this<SharedClient> {
 public:
  SharedClient(std::shared_ptr<StoryStage> stage, StoryClientOptions options)
      : ClientOfTasks(std::move(stage), std::move(options)),
        informer_(stage_->runtime, {.lister_watcher = connect(stage_, options_),
                                    .resync_period = options_.resync,
                                    .indexers = index_by_labels(),
                                    .reflector = {.name = options_.name},
                                    .store_metrics = reached_,
                                    .crash_on_panic = !a_handler_panics(),
                                    .machine = machine_of(options_)}) {
    if (options_.handlers.empty()) {
      options_.handlers.emplace_back();
    }
    for (const StoryHandlerOptions& handler : options_.handlers) {
      if (!handler.starts_later) {
        add_handler(handler.name);
      }
    }
  }

  void start() override {
    *self_ = weak_from_this();
    tasks_.push_back(runtime::spawn(stage_->runtime, options_.name, [self = shared_from_this()] {
      self->informer_.run(self->stop_.token());
    }));
    if (options_.runs_twice) {
      tasks_.push_back(
          runtime::spawn(stage_->runtime, options_.name + "-again", [self = shared_from_this()] {
            // Later than the first call: two at the very same time both run.
            runtime::sleep_for(self->stage_->runtime, kSecondRunAfter);
            self->informer_.run(self->stop_.token());
          }));
    }
  }
  bool has_synced() override { return informer_.has_synced(); }
  std::vector<api::ObjectPtr> stored() override {
    return in_key_order(informer_.indexer()->list());
  }
  std::string store_version() override {
    return informer_.indexer()->last_store_sync_resource_version();
  }

  std::optional<IndexRecord> indexed() override { return labels_indexed_by(*informer_.indexer()); }

  bool add_handler(const std::string& name) override {
    const auto found = std::ranges::find(options_.handlers, name, &StoryHandlerOptions::name);
    if (found == options_.handlers.end() || registrations_.contains(name)) {
      return false;
    }
    // Recorded first: an informer that runs may call the handler at once.
    stage_->recorder->joined({.client = options_.name,
                              .name = name,
                              .resync = found->resync.value_or(options_.resync),
                              .takes = found->takes});
    // The registration keeps the handler alive, so not the other way round.
    const auto place = std::make_shared<std::weak_ptr<cache::ResourceEventHandlerRegistration>>();
    auto handler = std::make_shared<RecordingHandler>(
        stage_, options_.name, *found,
        RecordingHandler::View{.held = [store = informer_.indexer()](
                                           const std::string& key) { return held(*store, key); },
                               .synced = [place] { return has_synced(place->lock()); },
                               .reached = reached_,
                               .then = what_follows_a_call(*found)});
    auto added = found->resync
                     ? informer_.add_event_handler_with_resync_period(handler, *found->resync)
                     : informer_.add_event_handler(handler);
    registrations_[name] = added ? added.value() : nullptr;
    *place = registrations_[name];
    return true;
  }

  bool remove_handler(const std::string& name) override {
    const auto found = registrations_.find(name);
    if (found == registrations_.end() || !found->second) {
      return false;
    }
    (void)informer_.remove_event_handler(std::exchange(found->second, nullptr));
    stage_->recorder->left(options_.name, name);
    return true;
  }

  std::vector<std::string> synced_handlers() override {
    std::vector<std::string> names;
    // By copy: a handler may come or go while another one is asked.
    for (const auto& [name, registration] : std::map(registrations_)) {
      if (registration && registration->has_synced()) {
        names.push_back(name);
      }
    }
    return names;
  }

 private:
  [[nodiscard]] bool a_handler_panics() const {
    return std::ranges::any_of(options_.handlers, [](const auto& each) { return each.panics > 0; });
  }

  /// What a call of that handler does at its end: nothing for most. It must not keep the client
  /// alive, which keeps the handler.
  std::function<void()> what_follows_a_call(const StoryHandlerOptions& handler) const {
    if (handler.adds.empty() && handler.removes.empty()) {
      return nullptr;
    }
    return [self = self_, adds = handler.adds, removes = handler.removes] {
      if (const std::shared_ptr<SharedClient> client = self->lock()) {
        (void)(adds.empty() || client->add_handler(adds));
        (void)(removes.empty() || client->remove_handler(removes));
      }
    };
  }

  static std::string held(const cache::Indexer& store, const std::string& key) {
    const api::ObjectPtr object = store.get_by_key(key);
    return object ? object->metadata.resource_version : "";
  }

  static bool has_synced(const cache::RegistrationPtr& registration) {
    return registration && registration->has_synced();
  }

  cache::SharedIndexInformer informer_;
  std::map<std::string, cache::RegistrationPtr> registrations_;  // null once removed
  /// For handlers that add or remove others; empty before the start.
  std::shared_ptr<std::weak_ptr<SharedClient>> self_ =
      std::make_shared<std::weak_ptr<SharedClient>>();
};

}  // namespace

std::shared_ptr<Client> make_shared_client(std::shared_ptr<StoryStage> stage,
                                           StoryClientOptions options) {
  return std::make_shared<SharedClient>(std::move(stage), std::move(options));
}

}  // namespace watchlab::sim
