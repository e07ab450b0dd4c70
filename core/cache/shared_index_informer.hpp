#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/cache/indexer.hpp"
#include "core/cache/mutation_detector.hpp"
#include "core/cache/queue.hpp"
#include "core/cache/reflector.hpp"
#include "core/cache/resource_event_handler.hpp"
#include "core/cache/sync/done_checker.hpp"
#include "core/features/release_profile.hpp"
#include "core/runtime/interface.hpp"

namespace watchlab::cache {

/// A handler's registration with a shared informer. Mirrors client-go
/// tools/cache/shared_informer.go, ResourceEventHandlerRegistration.
class ResourceEventHandlerRegistration : public runtime::Interface {
 public:
  /// Whether the handler has returned from every add of the first list, or of what existed when it
  /// was added. Any task may call it.
  [[nodiscard]] virtual bool has_synced() const = 0;
  /// Done when `has_synced` becomes true; not after the informer's stop. Always returns the same
  /// channel. For release profiles with a `RealFIFO`; panics otherwise. Mirrors client-go 0.36
  /// HasSyncedChecker.
  [[nodiscard]] virtual DoneChecker has_synced_checker() = 0;
};

using RegistrationPtr = std::shared_ptr<ResourceEventHandlerRegistration>;

/// Mirrors client-go 0.32 tools/cache/shared_informer.go, SharedIndexInformerOptions.
struct SharedIndexInformerOptions {
  std::shared_ptr<ListerWatcher> lister_watcher;
  /// The resync period of handlers that do not set one, and how often the informer checks whose
  /// resync is due. Zero: nothing ever resyncs, whatever handlers ask for.
  runtime::Duration resync_period{};
  Indexers indexers;
  /// Name, expected type, watch timeout, backoff, metrics. The resync period, resync check and
  /// watch error handler are ignored, because the informer sets them.
  ReflectorOptions reflector;
  std::shared_ptr<QueueDepthMetrics> queue_metrics;
  std::shared_ptr<StoreMetrics> store_metrics;
  /// Whether to check every object in the store for changes in place while the informer runs.
  /// Mirrors KUBE_CACHE_MUTATION_DETECTOR. Differs from client-go: an option, not an environment
  /// variable.
  std::optional<MutationDetectorOptions> mutation_detector;
  /// Whether a panic of a handler or of the processing escapes, as is Go's default. Otherwise it is
  /// logged; what was being handled is lost, and there is a pause of a second. Mirrors ReallyCrash.
  bool crash_on_panic = true;
  /// Which release of client-go the informer behaves like, from its queue to its handlers.
  features::ReleaseProfile machine;
};

/// One reflector, one queue and one store for any number of handlers. Each handler has an unbounded
/// buffer and its own task, so a slow one does not delay the others. It receives changes in queue
/// order, after the store has changed. Any task may call any function. Mirrors client-go 0.32
/// tools/cache/shared_informer.go, sharedIndexInformer.
///
/// Updates without news (the same revision on both sides) go only to handlers whose own resync is
/// due; everything else goes to all handlers.
///
/// A started run keeps everything that it needs alive, and so does a registration.
class SharedIndexInformer {
 public:
  SharedIndexInformer(runtime::Runtime& runtime, SharedIndexInformerOptions options);
  ~SharedIndexInformer();
  SharedIndexInformer(const SharedIndexInformer&) = delete;
  SharedIndexInformer& operator=(const SharedIndexInformer&) = delete;

  /// Blocks until the token stops and everything has ended: the reflector, then the processing of
  /// what was queued, then the handlers, whose buffers are dropped. Runs only once; a second call
  /// logs a warning and returns.
  void run(const runtime::StopToken& stop);

  /// The same handler may be added several times. A late one first gets an add for each object in
  /// the store, marked as part of an initial list, and then everything that follows, without gaps
  /// or duplicates. An error once the informer has stopped.
  [[nodiscard]] api::Result<RegistrationPtr> add_event_handler(
      std::shared_ptr<ResourceEventHandler> handler);
  /// With its own resync period; zero for none. A period below one second counts as one second.
  /// Before the start, a shorter period shortens the check period for all; afterwards no handler
  /// gets a period shorter than the check period.
  [[nodiscard]] api::Result<RegistrationPtr> add_event_handler_with_resync_period(
      std::shared_ptr<ResourceEventHandler> handler, runtime::Duration resync_period);
  /// Does not wait for the handler, which may be in a call and may be called once more. Succeeds
  /// even if the handler was removed before or belongs to another informer; an error for a
  /// registration that no shared informer made.
  api::Result<void> remove_event_handler(const RegistrationPtr& registration);
  /// The same, but waits until the handler is not in a call and will not be called again. So a
  /// handler that shuts itself down waits forever. It may have been removed before. Mirrors
  /// client-go 0.37 ShutDownEventHandler.
  api::Result<void> shut_down_event_handler(const RegistrationPtr& registration);

  /// An error after the start.
  api::Result<void> set_watch_error_handler(WatchErrorHandler handler);
  api::Result<void> set_transform(TransformFunction transform);
  /// An error after the stop, or if a name is taken. Also indexes what is already stored.
  api::Result<void> add_indexers(const Indexers& indexers);

  /// Only for reading.
  [[nodiscard]] std::shared_ptr<Indexer> indexer() const;
  /// Whether the store has all of the first list. Handlers may still be behind: see
  /// `ResourceEventHandlerRegistration`. False before the start.
  [[nodiscard]] bool has_synced() const;
  /// Done when `has_synced` becomes true; not after the stop. Always returns the same channel. For
  /// release profiles with a `RealFIFO`; panics otherwise. Mirrors client-go 0.36 HasSyncedChecker.
  [[nodiscard]] DoneChecker has_synced_checker();
  /// "" before the start and until the first list.
  [[nodiscard]] std::string last_sync_resource_version() const;
  [[nodiscard]] bool is_stopped() const;

 private:
  class Impl;
  class Registration;
  std::shared_ptr<Impl> impl_;
};

}  // namespace watchlab::cache
