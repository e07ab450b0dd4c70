#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/cache/controller.hpp"
#include "core/cache/indexer.hpp"
#include "core/cache/queue.hpp"
#include "core/cache/resource_event_handler.hpp"
#include "core/features/release_profile.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::cache {

/// Whether a cache or a handler has seen its first list. Mirrors client-go
/// tools/cache/shared_informer.go, InformerSynced.
using InformerSynced = std::function<bool()>;

/// Waits until all of them return true; returns false if the stop comes first. Checks at once and
/// then every 100 ms, in order, up to the first that returns false. Mirrors client-go
/// tools/cache/shared_informer.go, WaitForCacheSync.
[[nodiscard]] bool wait_for_cache_sync(runtime::Runtime& runtime, const runtime::StopToken& stop,
                                       const std::vector<InformerSynced>& caches);

/// The same, and logs whom it waits for. Mirrors WaitForNamedCacheSync.
[[nodiscard]] bool wait_for_named_cache_sync(runtime::Runtime& runtime, std::string_view name,
                                             const runtime::StopToken& stop,
                                             const std::vector<InformerSynced>& caches);

/// A store and the controller that fills it. Run the controller; read the store.
struct Informer {
  std::shared_ptr<Indexer> store;
  std::shared_ptr<Controller> controller;
};

/// Mirrors client-go 0.32 tools/cache/controller.go, InformerOptions.
struct InformerOptions {
  std::shared_ptr<ListerWatcher> lister_watcher;
  std::shared_ptr<ResourceEventHandler> handler;
  Indexers indexers;
  /// Transforms each object before it is queued. It must accept its own results and never change an
  /// object in place.
  TransformFunction transform;
  /// Name, expected type, resync period and so on.
  ReflectorOptions reflector;
  std::shared_ptr<QueueDepthMetrics> queue_metrics;
  std::shared_ptr<StoreMetrics> store_metrics;
  bool crash_on_panic = true;  ///< see `ControllerOptions`
  features::ReleaseProfile machine;
};

/// An informer with one handler, which the process loop calls under the queue's lock. While the
/// handler runs, the reflector cannot queue anything, and the store contains exactly what the
/// handler has received so far. (With batches the store may be ahead, and with `unlocks` the lock
/// is free.) Mirrors client-go 0.32 tools/cache/controller.go, NewInformerWithOptions, and with
/// fewer options NewInformer, NewIndexerInformer, NewTransformingInformer and
/// NewTransformingIndexerInformer.
[[nodiscard]] Informer new_informer_with_options(runtime::Runtime& runtime,
                                                 InformerOptions options);

/// Who receives what comes out of an informer's queue, and where it is stored.
struct DeltaConsumer {
  runtime::Runtime& runtime;
  ResourceEventHandler& handler;
  Store& store;
  KeyFunction key_function = deletion_handling_meta_namespace_key;  ///< that of the store
};

/// Applies deltas to a store and calls a handler: for each delta, first the store, then the call.
/// If the store has the object, it is an update, whatever the type of the delta. Stops at an error
/// of the store and drops the remaining deltas. Mirrors client-go tools/cache/controller.go,
/// processDeltas.
///
/// For a whole list (ReplacedAll), all changes to the store come first, in one step; then a delete
/// for everything that is missing from the list, then a call for each of its objects, in order. An
/// object without a key is an error, and the whole list is dropped.
[[nodiscard]] api::Result<void> process_deltas(const DeltaConsumer& consumer, const Deltas& deltas,
                                               bool is_in_initial_list);

/// The same for deltas of different objects at once: looks up the old state of each, changes all of
/// them in one transaction, then makes the calls in the order of the deltas. During a call the
/// store may already contain later deltas. There is no call for what the store refused. A store
/// without transactions takes one delta after the other. Mirrors client-go 0.35
/// tools/cache/controller.go, processDeltasInBatch.
[[nodiscard]] api::Result<void> process_deltas_in_batch(const DeltaConsumer& consumer,
                                                        const Deltas& batch,
                                                        bool is_in_initial_list);

/// Options of an informer's queue. The queue asks `store` what is known, and keeps it alive.
struct InformerQueueParts {
  std::shared_ptr<Indexer> store;
  TransformFunction transform;
  std::shared_ptr<QueueDepthMetrics> metrics;
  features::ReleaseProfile machine;
};

/// The queue of such an informer: a `DeltaFIFO`, or a `RealFIFO` for a release profile with ordered
/// queues. Mirrors client-go 0.35 tools/cache/controller.go, newQueueFIFO.
[[nodiscard]] std::shared_ptr<Queue> make_informer_queue(runtime::Runtime& runtime,
                                                         InformerQueueParts parts);

/// The options of a reflector with this release profile.
[[nodiscard]] ReflectorOptions reflector_of(const features::ReleaseProfile& machine,
                                            ReflectorOptions options);

}  // namespace watchlab::cache
