#pragma once

#include <memory>

#include "core/cache/informer.hpp"
#include "core/features/machine_profile.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watchtools {

/// An informer that is running, seen as a watch.
struct InformerWatcher {
  /// The informer's store, to look things up.
  std::shared_ptr<cache::Indexer> indexer;
  /// To ask whether the first list has come.
  std::shared_ptr<cache::Controller> controller;
  /// What the informer finds out: the listed objects as Added, then changes; a relist shows as the
  /// changes it brought, a missed deletion as Deleted with the last known object. No order between
  /// different objects. Stopping it stops the informer, but closes no channel: see
  /// `watch::ProxyWatcher`.
  std::shared_ptr<watch::Watcher> watcher;
  /// Closed when the informer has ended after a stop.
  runtime::Channel<runtime::Unit> done;
};

/// Starts an informer that reads `lister_watcher` and never resyncs. `reflector` says the expected
/// type. The reader of the watch may be as slow as it likes: events wait in memory.
/// Mirrors client-go tools/watch/informerwatcher.go, NewIndexerInformerWatcher.
[[nodiscard]] InformerWatcher new_indexer_informer_watcher(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> lister_watcher,
    cache::ReflectorOptions reflector = {}, runtime::Location here = runtime::Location::current());

/// The same with an informer of that release, which may stream its lists.
[[nodiscard]] InformerWatcher new_indexer_informer_watcher(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> lister_watcher,
    features::MachineProfile machine, cache::ReflectorOptions reflector = {},
    runtime::Location here = runtime::Location::current());

}  // namespace watchlab::watchtools
