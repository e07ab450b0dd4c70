#include "core/informers/shared_informer_factory.hpp"

#include <set>
#include <utility>
#include <vector>

#include "core/cache/informer.hpp"
#include "core/cache/list_watch.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/wait_group.hpp"

namespace watchlab::informers {

InformedResource config_maps() {
  return {.resource = {"", "v1", "configmaps"}, .api_version = "v1", .kind = "ConfigMap"};
}

InformedResource pods() {
  return {.resource = {"", "v1", "pods"}, .api_version = "v1", .kind = "Pod"};
}

InformedResource events() {
  return {.resource = {"", "v1", "events"}, .api_version = "v1", .kind = "Event"};
}

InformedResource deployments() {
  return {
      .resource = {"apps", "v1", "deployments"}, .api_version = "apps/v1", .kind = "Deployment"};
}

/// Shared with the tasks of the informers, which count down `running`.
struct SharedInformerFactory::State {
  State(runtime::Runtime& runtime_in, Client client_in, SharedInformerFactoryOptions options_in)
      : runtime(runtime_in),
        client(std::move(client_in)),
        options(std::move(options_in)),
        mutex(runtime, "informer_factory"),
        running(runtime, "informers") {}

  [[nodiscard]] runtime::Duration resync_of(const api::GroupVersionResource& resource) const {
    const auto custom = options.custom_resync.find(resource);
    return custom != options.custom_resync.end() ? custom->second : options.default_resync;
  }
  [[nodiscard]] Informer make(const InformedResource& resource, runtime::Duration resync) const;

  runtime::Runtime& runtime;
  Client client;
  SharedInformerFactoryOptions options;
  runtime::Mutex mutex;
  std::map<api::GroupVersionResource, Informer> informers;  ///< guarded by mutex
  std::set<api::GroupVersionResource> started;              ///< guarded by mutex
  bool shutting_down = false;                               ///< guarded by mutex
  runtime::WaitGroup running;
};

SharedInformerFactory::Informer SharedInformerFactory::State::make(const InformedResource& resource,
                                                                   runtime::Duration resync) const {
  std::shared_ptr<cache::ListerWatcher> source = client(resource.resource, options.namespace_);
  if (options.tweak_list_options) {
    source = cache::with_options(std::move(source), options.tweak_list_options);
  }
  return std::make_shared<cache::SharedIndexInformer>(
      runtime, cache::SharedIndexInformerOptions{
                   .lister_watcher = std::move(source),
                   .resync_period = resync,
                   .indexers = {{std::string(cache::kNamespaceIndex), cache::meta_namespace_index}},
                   .reflector = {.name = resource.resource.resource,
                                 .api_version = resource.api_version,
                                 .kind = resource.kind},
                   .crash_on_panic = options.crash_on_panic,
                   .machine = options.machine});
}

SharedInformerFactory::SharedInformerFactory(runtime::Runtime& runtime, Client client,
                                             SharedInformerFactoryOptions options)
    : state_(std::make_shared<State>(runtime, std::move(client), std::move(options))) {}

SharedInformerFactory::~SharedInformerFactory() = default;

SharedInformerFactory::Informer SharedInformerFactory::informer_for(
    const api::GroupVersionResource& resource, const MakeInformer& make) {
  const runtime::Lock lock(state_->mutex);
  if (const auto known = state_->informers.find(resource); known != state_->informers.end()) {
    return known->second;
  }
  Informer informer = make(state_->resync_of(resource));
  (void)informer->set_transform(state_->options.transform);
  state_->informers.emplace(resource, informer);
  return informer;
}

GenericInformer SharedInformerFactory::for_resource(const InformedResource& resource) {
  Informer informer = informer_for(resource.resource, [&](runtime::Duration resync_period) {
    return state_->make(resource, resync_period);
  });
  cache::GenericLister lister(informer->indexer(), resource.resource);
  return {.informer = std::move(informer), .lister = std::move(lister)};
}

void SharedInformerFactory::start(const runtime::StopToken& stop) {
  const runtime::Lock lock(state_->mutex);
  if (state_->shutting_down) {
    return;
  }
  const std::vector<std::pair<api::GroupVersionResource, Informer>> informers(
      state_->informers.begin(), state_->informers.end());
  for (const auto& [resource, informer] :
       cache::in_visiting_order(state_->runtime, informers, "informers")) {
    if (state_->started.insert(resource).second) {
      state_->running.start("informer-" + resource.resource,
                            [state = state_, informer, stop] { informer->run(stop); });
    }
  }
}

std::map<api::GroupVersionResource, bool> SharedInformerFactory::wait_for_cache_sync(
    const runtime::StopToken& stop) {
  std::map<api::GroupVersionResource, Informer> started;
  {
    const runtime::Lock lock(state_->mutex);
    for (const api::GroupVersionResource& resource : state_->started) {
      started.emplace(resource, state_->informers.at(resource));
    }
  }
  std::map<api::GroupVersionResource, bool> synced;
  for (const auto& [resource, informer] : started) {
    synced[resource] = cache::wait_for_cache_sync(state_->runtime, stop,
                                                  {[&informer] { return informer->has_synced(); }});
  }
  return synced;
}

void SharedInformerFactory::shutdown() {
  {
    const runtime::Lock lock(state_->mutex);
    state_->shutting_down = true;
  }
  state_->running.wait();
}

}  // namespace watchlab::informers
