#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "core/api/result.hpp"
#include "core/cache/informer.hpp"
#include "core/cache/list_watch.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/watch/watch.hpp"
#include "core/watchtools/retry_watcher.hpp"

namespace watchlab::watchtools {

/// Whether an event is what the caller waits for; an error ends the wait. Mirrors client-go
/// tools/watch/until.go, ConditionFunc. Called by the waiting task.
using Condition = std::function<api::Result<bool>(const watch::Event&)>;

/// How long to wait at most. Mirrors client-go tools/watch/until.go, ContextWithOptionalTimeout.
struct WaitLimit {
  runtime::StopToken stop;
  /// Zero or less means no limit. (The original also logs a negative one as a programming error.)
  runtime::Duration timeout = runtime::Duration::zero();
};

/// The result of a wait: success or an error, and in both cases the last event that was checked.
struct [[nodiscard]] UntilResult {
  std::optional<watch::Event> last;
  /// ErrorKind::Timeout if the limit came first, ErrorKind::Closed if the watch ended first, or the
  /// error of a condition or of the server.
  std::optional<api::Error> error;

  [[nodiscard]] bool ok() const { return !error.has_value(); }
};

/// Reads events until all conditions have become true, one after the other, and stops the watcher
/// in any case. The event that made one condition true is also offered to the next one, so one
/// event can satisfy several. Without conditions it succeeds at once, without an event. Mirrors
/// client-go tools/watch/until.go, UntilWithoutRetry, and apimachinery's Until of 1.6 to 1.11.
UntilResult until_without_retry(runtime::Runtime& runtime, const WaitLimit& limit,
                                watch::Watcher& watcher, std::span<const Condition> conditions);

/// The same on a `RetryWatcher` from `initial_resource_version`, so that the end of a stream is not
/// the end of the wait. Mirrors client-go tools/watch/until.go, Until.
struct UntilOptions {
  /// Neither "" nor "0".
  std::string initial_resource_version;
  WatchFunction watch;
  WaitLimit limit;
};
UntilResult until(runtime::Runtime& runtime, UntilOptions options,
                  std::span<const Condition> conditions);

/// Lists, offers each object to the conditions as if it were just added, then watches from the
/// list's revision for those that did not come true. The limit's time counts from the watch on, and
/// the end of the stream reads as a time-out. No conditions: holds at once, without a request.
/// Mirrors client-go tools/cache, ListWatchUntil, of 2.0 to 8.0; 0.32 has no such function. Differs
/// from client-go: a later condition is never looked at before an earlier one came true.
UntilResult list_watch_until(runtime::Runtime& runtime, const WaitLimit& limit,
                             cache::ListerWatcher& source, std::span<const Condition> conditions);

/// Whether there is nothing to wait for, as a store shows that has seen the first list. A failure
/// ends the waiting. Mirrors client-go tools/watch/until.go, PreconditionFunc.
using Precondition = std::function<api::Result<bool>(const cache::Store&)>;

/// What is waited for, and for how long.
struct UntilWithSyncOptions {
  std::shared_ptr<cache::ListerWatcher> lister_watcher;
  /// Says the expected type.
  cache::ReflectorOptions reflector;
  /// Of which release the informer is.
  features::ReleaseProfile machine;
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

}  // namespace watchlab::watchtools
