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
#include "core/features/machine_profile.hpp"
#include "core/runtime/interface.hpp"

namespace watchlab::cache {

/// A handler's place in a shared informer. Mirrors client-go tools/cache/shared_informer.go,
/// ResourceEventHandlerRegistration.
class ResourceEventHandlerRegistration : public runtime::Interface {
 public:
  /// Whether the handler has come back from every add of the first list, or of what was there when
  /// it came. Any task may ask.
  [[nodiscard]] virtual bool has_synced() const = 0;
  /// Done when `has_synced` becomes true; not after the informer's stop. The same each time. For
  /// machines with a `RealFIFO`; panics otherwise. Mirrors client-go 0.36 HasSyncedChecker.
  [[nodiscard]] virtual DoneChecker has_synced_checker() = 0;
};

using RegistrationPtr = std::shared_ptr<ResourceEventHandlerRegistration>;

/// Mirrors client-go 0.32 tools/cache/shared_informer.go, SharedIndexInformerOptions.
struct SharedIndexInformerOptions {
  std::shared_ptr<ListerWatcher> lister_watcher;
  /// The resync period of handlers that name none, and how often is checked whose resync is due.
  /// Zero: nothing ever resyncs, whatever handlers ask for.
  runtime::Duration resync_period{};
  Indexers indexers;
  /// Name, expected type, watch timeout, backoff, metrics. Its resync period, resync check and
  /// watch error handler are the informer's business and not looked at.
  ReflectorOptions reflector;
  std::shared_ptr<QueueDepthMetrics> queue_metrics;
  std::shared_ptr<StoreMetrics> store_metrics;
  /// Has every object that comes into the store watched for changes in place, while the informer
  /// runs. Mirrors KUBE_CACHE_MUTATION_DETECTOR. Differs from client-go: an option, no environment
  /// variable.
  std::optional<MutationDetectorOptions> mutation_detector;
  /// Whether a panic of a handler or of the processing is let out, as Go's default is. Otherwise it
  /// is logged, costs what was being handled, and a second. Mirrors ReallyCrash.
  bool crash_on_panic = true;
  /// Which release the informer is like, from its queue to its handlers.
  features::MachineProfile machine;
};

/// One reflector, one queue and one store for any number of handlers. Each handler has a buffer
/// without bound and a task of its own, so that a slow one delays no other; it receives in the
/// order of the queue, later than the store changes. Any task may call any function. Mirrors
/// client-go 0.32 tools/cache/shared_informer.go, sharedIndexInformer.
///
/// Updates that are no news (same revision on both sides) go to those handlers whose own resync
/// is due; everything else goes to all.
///
/// A run that was started keeps what it needs alive, and so does a registration.
class SharedIndexInformer {
 public:
  SharedIndexInformer(runtime::Runtime& runtime, SharedIndexInformerOptions options);
  ~SharedIndexInformer();
  SharedIndexInformer(const SharedIndexInformer&) = delete;
  SharedIndexInformer& operator=(const SharedIndexInformer&) = delete;

  /// Blocks until the token stops and everything has ended: the reflector, then the processing of
  /// what was queued, then the handlers; what waits in their buffers then is dropped. Can run once;
  /// a second call logs a warning and returns.
  void run(const runtime::StopToken& stop);

  /// The same handler may be added several times. One that comes late first gets an add for each
  /// object of the store, marked as of an initial list, and then everything that follows, without
  /// gap or double. An error once the informer has stopped.
  [[nodiscard]] api::Result<RegistrationPtr> add_event_handler(
      std::shared_ptr<ResourceEventHandler> handler);
  /// With a resync period of its own; zero for none. Below one second it counts as one second.
  /// Before the start a shorter period shortens the check period of all; afterwards the check
  /// period is the least that one can get.
  [[nodiscard]] api::Result<RegistrationPtr> add_event_handler_with_resync_period(
      std::shared_ptr<ResourceEventHandler> handler, runtime::Duration resync_period);
  /// Does not wait for the handler: it may be in a call, and may be called once more. Success also
  /// when it was removed before, or belongs to another informer; an error for a registration that
  /// no shared informer made.
  api::Result<void> remove_event_handler(const RegistrationPtr& registration);
  /// The same, and waits until the handler is in no call and will not be called again; so a handler
  /// that shuts itself down waits indefinitely. It may have been removed before. Mirrors client-go
  /// 0.37 ShutDownEventHandler.
  api::Result<void> shut_down_event_handler(const RegistrationPtr& registration);

  /// Errors after the start.
  api::Result<void> set_watch_error_handler(WatchErrorHandler handler);
  api::Result<void> set_transform(TransformFunction transform);
  /// An error once stopped, or when a name is taken. Indexes what is stored already.
  api::Result<void> add_indexers(const Indexers& indexers);

  /// To be read only.
  [[nodiscard]] std::shared_ptr<Indexer> indexer() const;
  /// Whether the store has seen all of the first list. Handlers may still be behind: see
  /// `ResourceEventHandlerRegistration`. False before the start.
  [[nodiscard]] bool has_synced() const;
  /// Done when `has_synced` becomes true; not after the stop. The same each time. For machines with
  /// a `RealFIFO`; panics otherwise. Mirrors client-go 0.36 HasSyncedChecker.
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
