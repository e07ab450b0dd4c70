#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/cache/controller.hpp"
#include "core/cache/indexer.hpp"
#include "core/cache/queue.hpp"
#include "core/cache/resource_event_handler.hpp"
#include "core/features/machine_profile.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::cache {

/// Says whether a cache, or a handler, has seen its first list.
/// Mirrors client-go tools/cache/shared_informer.go, InformerSynced.
using InformerSynced = std::function<bool()>;

/// Waits until all of them say yes; false when the stop came first. They are asked at once and then
/// every 100 ms, from the left to the first that says no.
/// Mirrors client-go tools/cache/shared_informer.go, WaitForCacheSync.
[[nodiscard]] bool wait_for_cache_sync(runtime::Runtime& runtime, const runtime::StopToken& stop,
                                       const std::vector<InformerSynced>& caches);

/// The same, and logs for whom it waits. Mirrors WaitForNamedCacheSync.
[[nodiscard]] bool wait_for_named_cache_sync(runtime::Runtime& runtime, std::string_view name,
                                             const runtime::StopToken& stop,
                                             const std::vector<InformerSynced>& caches);

/// A store that a controller keeps, and that controller. Run the controller; read the store.
struct Informer {
  std::shared_ptr<Indexer> store;
  std::shared_ptr<Controller> controller;
};

/// Mirrors client-go 0.32 tools/cache/controller.go, InformerOptions.
struct InformerOptions {
  std::shared_ptr<ListerWatcher> lister_watcher;
  std::shared_ptr<ResourceEventHandler> handler;
  Indexers indexers;
  /// Changes each object before it is queued; must bear its own results and never change in place.
  TransformFunction transform;
  /// Name, expected type, resync period and so on.
  ReflectorOptions reflector;
  std::shared_ptr<QueueDepthMetrics> queue_metrics;
  std::shared_ptr<StoreMetrics> store_metrics;
  bool crash_on_panic = true;  ///< see `ControllerOptions`
  features::MachineProfile machine;
};

/// An informer with one handler, which is called by the process loop itself, under the queue's
/// lock: while it runs the reflector cannot queue anything, and what it reads from the store is
/// exactly what it has received so far. (With batches the store may be ahead of it, and with
/// `unlocks` the lock is free.) Mirrors client-go 0.32 tools/cache/controller.go,
/// NewInformerWithOptions, and with some options left out NewInformer, NewIndexerInformer,
/// NewTransformingInformer and NewTransformingIndexerInformer.
[[nodiscard]] Informer new_informer_with_options(runtime::Runtime& runtime,
                                                 InformerOptions options);

/// Who takes what comes out of an informer's queue, and where it is kept.
struct DeltaConsumer {
  runtime::Runtime& runtime;
  ResourceEventHandler& handler;
  Store& store;
  KeyFunction key_function = deletion_handling_meta_namespace_key;  ///< that of the store
};

/// Brings a store up to date with what a queue says, and notifies a handler: for each delta first
/// the store, then the call. An object that the store has is an update, whatever the delta's type.
/// A store's error ends it; the deltas left over are lost then. Mirrors client-go
/// tools/cache/controller.go, processDeltas.
///
/// Of a whole list (ReplacedAll) all changes of the store come first, in one step; then a delete
/// for everything that is missing from it, then a call for each of its objects, in their order. An
/// object without a key is an error, and nothing of that list is taken then.
[[nodiscard]] api::Result<void> process_deltas(const DeltaConsumer& consumer, const Deltas& deltas,
                                               bool is_in_initial_list);

/// The same for deltas of different objects at once: what the store had of each is looked up, then
/// all change in one transaction, then come the calls in the order of the deltas. A call may see in
/// the store what later deltas have brought. For what the store has refused there is no call. A
/// store without transactions takes one delta after the other. Mirrors client-go 0.35
/// tools/cache/controller.go, processDeltasInBatch.
[[nodiscard]] api::Result<void> process_deltas_in_batch(const DeltaConsumer& consumer,
                                                        const Deltas& batch,
                                                        bool is_in_initial_list);

/// What the queue of an informer is made of. The queue asks `store` what is known, and keeps it
/// alive.
struct InformerQueueParts {
  std::shared_ptr<Indexer> store;
  TransformFunction transform;
  std::shared_ptr<QueueDepthMetrics> metrics;
  features::MachineProfile machine;
};

/// The queue of such an informer: a `DeltaFIFO`, or a `RealFIFO` for a machine that is in order.
/// Mirrors client-go 0.35 tools/cache/controller.go, newQueueFIFO.
[[nodiscard]] std::shared_ptr<Queue> make_informer_queue(runtime::Runtime& runtime,
                                                         InformerQueueParts parts);

/// The options of a reflector that is of that machine.
[[nodiscard]] ReflectorOptions reflector_of(const features::MachineProfile& machine,
                                            ReflectorOptions options);

}  // namespace watchlab::cache
