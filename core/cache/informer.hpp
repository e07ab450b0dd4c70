#pragma once

#include <memory>

#include "core/cache/controller.hpp"
#include "core/cache/indexer.hpp"
#include "core/cache/queue_depth_metrics.hpp"
#include "core/cache/resource_event_handler.hpp"
#include "core/cache/transform.hpp"

namespace watchlab::cache {

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
  bool crash_on_panic = true;  ///< see `ControllerOptions`
};

/// An informer with one handler, which is called by the process loop itself, under the queue's
/// lock: while it runs the reflector cannot queue anything, and what it reads from the store is
/// exactly what it was told so far. Mirrors client-go 0.32 tools/cache/controller.go,
/// NewInformerWithOptions, and with some options left out NewInformer, NewIndexerInformer,
/// NewTransformingInformer and NewTransformingIndexerInformer.
[[nodiscard]] Informer new_informer_with_options(runtime::Runtime& runtime,
                                                 InformerOptions options);

/// Brings a store up to date with what a queue says, and tells a handler: for each delta first the
/// store, then the call. An object that the store has is an update, whatever the delta's type.
/// A store's error ends it; the deltas left over are lost then.
/// Mirrors client-go tools/cache/controller.go, processDeltas.
[[nodiscard]] api::Result<void> process_deltas(ResourceEventHandler& handler, Store& store,
                                               const Deltas& deltas, bool is_in_initial_list);

/// What the queue of an informer is made of. The queue asks `store` what is known, and keeps it
/// alive.
struct InformerQueueParts {
  std::shared_ptr<Indexer> store;
  TransformFunction transform;
  std::shared_ptr<QueueDepthMetrics> metrics;
};

/// The delta queue of such an informer. Mirrors client-go tools/cache/controller.go,
/// newInformer, for what it hands to the queue.
[[nodiscard]] std::shared_ptr<Queue> make_informer_queue(runtime::Runtime& runtime,
                                                         InformerQueueParts parts);

}  // namespace watchlab::cache
