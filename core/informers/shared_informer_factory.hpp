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

/// A resource and the type of its objects: what an informer has to know of either.
struct InformedResource {
  api::GroupVersionResource resource;
  std::string api_version;  ///< of the objects; "" accepts any
  std::string kind;         ///< of the objects; "" accepts any
};

/// The resources that stories use most. A custom resource is written out in the same way.
[[nodiscard]] InformedResource config_maps();
[[nodiscard]] InformedResource pods();
[[nodiscard]] InformedResource events();
[[nodiscard]] InformedResource deployments();

/// Makes the source of one resource, in one namespace or in all ("").
using Client = std::function<std::shared_ptr<cache::ListerWatcher>(
    const api::GroupVersionResource& resource, const std::string& namespace_)>;

/// Where the metrics of one informer go; none of what is null.
struct InformerMetrics {
  std::shared_ptr<cache::QueueDepthMetrics> queue;
  std::shared_ptr<cache::StoreMetrics> store;
};

/// Mirrors client-go informers/factory.go, SharedInformerOption and its functions.
struct SharedInformerFactoryOptions {
  runtime::Duration default_resync{};
  std::map<api::GroupVersionResource, runtime::Duration> custom_resync;  ///< wins over the default
  std::function<void(api::ListOptions&)> tweak_list_options;  ///< of every list and watch; or none
  std::string namespace_;                                     ///< "" for all
  cache::TransformFunction transform;
  bool crash_on_panic = true;  ///< see `SharedIndexInformerOptions`
  features::MachineProfile machine;
  cache::InformerName name;  ///< of its informers; released at the end of `shutdown`
  /// Asked for each informer whose identity is reserved. Mirrors client-go 0.36
  /// tools/cache/informer_metrics.go, InformerMetricsProvider.
  std::function<InformerMetrics(const cache::InformerIdentity& identity)> metrics;
};

/// What came of waiting for informers. Mirrors client-go 0.36 tools/cache/shared_informer.go,
/// SyncResult.
struct SyncResult {
  std::map<api::GroupVersionResource, bool> synced;  ///< of those that were started
  std::optional<api::Error> error;                   ///< why one of them has not

  /// The same as one error, which names in their order the resources that have not synced.
  [[nodiscard]] api::Result<void> as_error() const;
};

/// An informer and the way to read what it knows.
/// Mirrors client-go informers/generic.go, GenericInformer.
struct GenericInformer {
  std::shared_ptr<cache::SharedIndexInformer> informer;
  cache::GenericLister lister;
};

/// One shared informer for each resource, for all callers. Any task may call any function.
/// Mirrors client-go 0.32 informers/factory.go, sharedInformerFactory.
///
/// Asking for an informer does not start it, and starting the factory starts only those that were
/// asked for and do not run yet: ask, start, wait.
class SharedInformerFactory {
 public:
  using Informer = std::shared_ptr<cache::SharedIndexInformer>;
  /// Makes an informer with that resync period.
  using MakeInformer = std::function<Informer(runtime::Duration resync_period)>;

  SharedInformerFactory(runtime::Runtime& runtime, Client client,
                        SharedInformerFactoryOptions options = {});
  ~SharedInformerFactory();
  SharedInformerFactory(const SharedInformerFactory&) = delete;
  SharedInformerFactory& operator=(const SharedInformerFactory&) = delete;

  /// The informer of that resource and its lister; the same informer each time.
  [[nodiscard]] GenericInformer for_resource(const InformedResource& resource);
  /// The informer of that resource. `make` is called only if there is none yet, under the factory's
  /// lock. Sets the factory's transform on a new one, also when it has none, so that a transform
  /// that `make` has set is lost (see docs/known_live.md). Mirrors InformerFor.
  [[nodiscard]] Informer informer_for(const api::GroupVersionResource& resource,
                                      const MakeInformer& make);

  /// Starts, each in a task of its own, those informers that do not run yet. They end with this
  /// token. Does nothing after `shutdown`.
  void start(const runtime::StopToken& stop);
  /// Waits until all informers that were started have synced, or for the stop; says which have.
  /// Informers that were not started are left out.
  [[nodiscard]] std::map<api::GroupVersionResource, bool> wait_for_cache_sync(
      const runtime::StopToken& stop);
  /// The same without polling, for machines with a `RealFIFO`; panics otherwise. What syncs at the
  /// moment of the stop counts. Mirrors client-go 0.36 WaitForCacheSyncWithContext.
  [[nodiscard]] SyncResult wait_until_synced(const runtime::StopToken& stop);
  /// Lets nothing start any more and waits until all informers have ended: say stop first, or it
  /// waits indefinitely. Idempotent.
  void shutdown();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace watchlab::informers
