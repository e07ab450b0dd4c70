#pragma once

#include <memory>

#include "core/cache/informer.hpp"
#include "core/features/release_profile.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watchtools {

/// A running informer as a watch.
struct InformerWatcher {
  /// The informer's store, for lookups.
  std::shared_ptr<cache::Indexer> indexer;
  /// For checking whether the first list has arrived.
  std::shared_ptr<cache::Controller> controller;
  /// The informer's changes: listed objects as Added, then changes. A relist shows up as the
  /// changes it brought, a missed deletion as Deleted with the last known object. There is no order
  /// between different objects. Stopping it stops the informer, but closes no channel: see
  /// `watch::ProxyWatcher`.
  std::shared_ptr<watch::Watcher> watcher;
  /// Closed when the informer has ended after a stop.
  runtime::Channel<runtime::Unit> done;
};

/// Starts an informer that reads `lister_watcher` and never resyncs. `reflector` sets the expected
/// type. The reader of the watch may be arbitrarily slow: events wait in memory. Mirrors client-go
/// tools/watch/informerwatcher.go, NewIndexerInformerWatcher.
[[nodiscard]] InformerWatcher new_indexer_informer_watcher(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> lister_watcher,
    cache::ReflectorOptions reflector = {}, runtime::Location here = runtime::Location::current());

/// The same with an informer of this release profile, which may stream its lists.
[[nodiscard]] InformerWatcher new_indexer_informer_watcher(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> lister_watcher,
    features::ReleaseProfile machine, cache::ReflectorOptions reflector = {},
    runtime::Location here = runtime::Location::current());

}  // namespace watchlab::watchtools
