#include "core/informers/shared_informer_factory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
  [[nodiscard]] InformerMetrics metrics_of(const api::GroupVersionResource& resource) const;
  [[nodiscard]] std::map<api::GroupVersionResource, Informer> started_informers();

  runtime::Runtime& runtime;
  Client client;
  SharedInformerFactoryOptions options;
  runtime::Mutex mutex;
  std::map<api::GroupVersionResource, Informer> informers;  ///< guarded by mutex
  std::set<api::GroupVersionResource> started;              ///< guarded by mutex
  bool shutting_down = false;                               ///< guarded by mutex
  runtime::WaitGroup running;
};

InformerMetrics SharedInformerFactory::State::metrics_of(
    const api::GroupVersionResource& resource) const {
  const cache::InformerIdentity identity = options.name.with_resource(resource);
  return options.metrics && identity.reserved() ? options.metrics(identity) : InformerMetrics();
}

SharedInformerFactory::Informer SharedInformerFactory::State::make(const InformedResource& resource,
                                                                   runtime::Duration resync) const {
  std::shared_ptr<cache::ListerWatcher> source = client(resource.resource, options.namespace_);
  if (options.tweak_list_options) {
    source = cache::with_options(std::move(source), options.tweak_list_options);
  }
  InformerMetrics metrics = metrics_of(resource.resource);
  return std::make_shared<cache::SharedIndexInformer>(
      runtime, cache::SharedIndexInformerOptions{
                   .lister_watcher = std::move(source),
                   .resync_period = resync,
                   .indexers = {{std::string(cache::kNamespaceIndex), cache::meta_namespace_index}},
                   .reflector = {.name = resource.resource.resource,
                                 .api_version = resource.api_version,
                                 .kind = resource.kind},
                   .queue_metrics = std::move(metrics.queue),
                   .store_metrics = std::move(metrics.store),
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

std::map<api::GroupVersionResource, SharedInformerFactory::Informer>
SharedInformerFactory::State::started_informers() {
  const runtime::Lock lock(mutex);
  std::map<api::GroupVersionResource, Informer> found;
  for (const api::GroupVersionResource& resource : started) {
    found.emplace(resource, informers.at(resource));
  }
  return found;
}

std::map<api::GroupVersionResource, bool> SharedInformerFactory::wait_for_cache_sync(
    const runtime::StopToken& stop) {
  std::map<api::GroupVersionResource, bool> synced;
  for (const auto& [resource, informer] : state_->started_informers()) {
    synced[resource] = cache::wait_for_cache_sync(state_->runtime, stop,
                                                  {[&informer] { return informer->has_synced(); }});
  }
  return synced;
}

/// Mirrors client-go 0.36 WaitForCacheSyncWithContext: all are waited for at once.
SyncResult SharedInformerFactory::wait_until_synced(const runtime::StopToken& stop) {
  const std::map<api::GroupVersionResource, Informer> started = state_->started_informers();
  std::vector<cache::DoneChecker> checkers;
  for (const auto& [resource, informer] : started) {
    checkers.push_back(informer->has_synced_checker());
  }
  SyncResult result;
  if (!cache::wait_for(state_->runtime, stop, "", checkers)) {
    result.error = api::Error{.message = "the stop came first"};
  }
  auto checker = checkers.begin();
  for (const auto& [resource, informer] : started) {
    result.synced[resource] = cache::is_done(*checker++);
  }
  return result;
}

api::Result<void> SyncResult::as_error() const {
  if (!error) {
    return {};
  }
  std::vector<std::string> missing;
  for (const auto& [resource, has_synced] : synced) {
    if (!has_synced) {
      missing.push_back(resource.resource);
    }
  }
  std::ranges::sort(missing);
  api::Error all = *error;
  all.message =
      fmt::format("failed to sync all caches: {}: {}", fmt::join(missing, ", "), error->message);
  return all;
}

void SharedInformerFactory::shutdown() {
  {
    const runtime::Lock lock(state_->mutex);
    state_->shutting_down = true;
  }
  state_->running.wait();
  state_->options.name.release();
}

}  // namespace watchlab::informers
