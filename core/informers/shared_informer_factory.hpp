#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/api/object.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/cache/sync/informer_name.hpp"
#include "core/informers/generic_lister.hpp"

namespace watchlab::informers {

/// A resource and the type of its objects: what an informer needs to know about both.
struct InformedResource {
  api::GroupVersionResource resource;
  std::string api_version;  ///< of the objects; "" accepts any
  std::string kind;         ///< of the objects; "" accepts any
};

/// The most common resources in stories. Write out a custom resource in the same way.
[[nodiscard]] InformedResource config_maps();
[[nodiscard]] InformedResource pods();
[[nodiscard]] InformedResource events();
[[nodiscard]] InformedResource deployments();

/// Makes the source of one resource, in one namespace or in all ("").
using Client = std::function<std::shared_ptr<cache::ListerWatcher>(
    const api::GroupVersionResource& resource, const std::string& namespace_)>;

/// Where the metrics of one informer go; null ones go nowhere.
struct InformerMetrics {
  std::shared_ptr<cache::QueueDepthMetrics> queue;
  std::shared_ptr<cache::StoreMetrics> store;
};

/// Mirrors client-go informers/factory.go, SharedInformerOption and its functions.
struct SharedInformerFactoryOptions {
  runtime::Duration default_resync{};
  std::map<api::GroupVersionResource, runtime::Duration> custom_resync;  ///< overrides the default
  std::function<void(api::ListOptions&)> tweak_list_options;  ///< for lists and watches; or none
  std::string namespace_;                                     ///< "" for all
  cache::TransformFunction transform;
  bool crash_on_panic = true;  ///< see `SharedIndexInformerOptions`
  features::ReleaseProfile machine;
  cache::InformerName name;  ///< the name of its informers; released at the end of `shutdown`
  /// Called for each informer with a reserved identity. Mirrors client-go 0.36
  /// tools/cache/informer_metrics.go, InformerMetricsProvider.
  std::function<InformerMetrics(const cache::InformerIdentity& identity)> metrics;
};

/// The result of waiting for informers. Mirrors client-go 0.36 tools/cache/shared_informer.go,
/// SyncResult.
struct SyncResult {
  std::map<api::GroupVersionResource, bool> synced;  ///< for those that were started
  std::optional<api::Error> error;                   ///< why one of them has not synced

  /// The same as one error, which lists the resources that have not synced, in order.
  [[nodiscard]] api::Result<void> as_error() const;
};

/// An informer and a lister for its contents. Mirrors client-go informers/generic.go,
/// GenericInformer.
struct GenericInformer {
  std::shared_ptr<cache::SharedIndexInformer> informer;
  cache::GenericLister lister;
};

/// One shared informer per resource, for all callers. Any task may call any function. Mirrors
/// client-go 0.32 informers/factory.go, sharedInformerFactory.
///
/// Requesting an informer does not start it. Starting the factory starts the requested informers
/// that are not running yet. So: request, start, wait.
class SharedInformerFactory {
 public:
  using Informer = std::shared_ptr<cache::SharedIndexInformer>;
  /// Makes an informer with this resync period.
  using MakeInformer = std::function<Informer(runtime::Duration resync_period)>;

  SharedInformerFactory(runtime::Runtime& runtime, Client client,
                        SharedInformerFactoryOptions options = {});
  ~SharedInformerFactory();
  SharedInformerFactory(const SharedInformerFactory&) = delete;
  SharedInformerFactory& operator=(const SharedInformerFactory&) = delete;

  /// The informer for this resource and its lister; always the same informer.
  [[nodiscard]] GenericInformer for_resource(const InformedResource& resource);
  /// The informer for this resource. Calls `make`, under the factory's lock, only if there is none
  /// yet. Sets the factory's transform on a new one even if it has none, so a transform that `make`
  /// has set is lost (see docs/known_live.md). Mirrors InformerFor.
  [[nodiscard]] Informer informer_for(const api::GroupVersionResource& resource,
                                      const MakeInformer& make);

  /// Starts the informers that are not running yet, each in its own task. They end with this token.
  /// Does nothing after `shutdown`.
  void start(const runtime::StopToken& stop);
  /// Waits until all started informers have synced, or for the stop; returns which have. Ignores
  /// informers that were not started.
  [[nodiscard]] std::map<api::GroupVersionResource, bool> wait_for_cache_sync(
      const runtime::StopToken& stop);
  /// The same without polling, for release profiles with a `RealFIFO`; panics otherwise. What syncs
  /// at the moment of the stop counts. Mirrors client-go 0.36 WaitForCacheSyncWithContext.
  [[nodiscard]] SyncResult wait_until_synced(const runtime::StopToken& stop);
  /// Prevents further starts and waits until all informers have ended. Stop them first, or it waits
  /// forever. Idempotent.
  void shutdown();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace watchlab::informers
