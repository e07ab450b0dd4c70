#pragma once

#include <functional>
#include <memory>

#include "core/cache/informer.hpp"
#include "core/watch/until.hpp"

namespace watchlab::watch {

/// Whether there is nothing to wait for, as a store shows that has seen the first list. A failure
/// ends the waiting. Mirrors client-go tools/watch/until.go, PreconditionFunc.
using Precondition = std::function<api::Result<bool>(const cache::Store&)>;

/// What is waited for, and for how long.
struct UntilWithSyncOptions {
  std::shared_ptr<cache::ListerWatcher> lister_watcher;
  /// Says the expected type.
  cache::ReflectorOptions reflector;
  /// None: the conditions see everything from the first listed object on, without a wait for the
  /// whole list.
  Precondition precondition;
  /// Counts from the start of the informer.
  WaitLimit limit;
};

/// Runs an informer and offers what it finds out to the conditions, as `until_without_retry` does;
/// so neither the end of a stream nor lost history ends the wait, but intermediate states can be
/// missed. A precondition that holds already ends it well, without an event. Comes back when the
/// informer has ended. Mirrors client-go tools/watch/until.go, UntilWithSync.
UntilResult until_with_sync(runtime::Runtime& runtime, UntilWithSyncOptions options,
                            std::span<const Condition> conditions);

}  // namespace watchlab::watch
