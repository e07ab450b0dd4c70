#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watchtools {

/// Opens one watch. A null watcher counts as a failure that is retried. Mirrors client-go
/// tools/cache/listwatch.go, Watcher; the watch function of any `cache::ListerWatcher` works.
using WatchFunction = std::function<api::Result<std::shared_ptr<watch::Watcher>>(
    const runtime::StopToken&, const api::ListOptions&)>;

/// Where a retry watcher starts and how long it pauses.
struct RetryWatcherOptions {
  /// Reports events after this revision. Neither "" nor "0", because a watch from there starts with
  /// events that are not ordered by revision, and cannot be resumed.
  std::string initial_resource_version;
  /// Opens the watches, always with bookmarks. Called by the watcher's task.
  WatchFunction watch;
  /// Also ends the watcher.
  runtime::StopToken stop;
  /// The minimum time between the starts of two watches.
  runtime::Duration restart_delay_min = std::chrono::seconds(1);
};

/// A watch that does not end: when its stream ends, it watches again from the last revision it saw.
/// Mirrors client-go tools/watch/retrywatcher.go, RetryWatcher, of 0.32.
///
/// It passes on Added, Modified and Deleted, which count as seen once the reader has them; a
/// Bookmark only counts. It gives up, after one Error event, if the history is gone (an Error event
/// with code 410), if the server forbids the watch (401, 403), or if it cannot tell from an event
/// where to continue (no object, no revision, unknown type). It retries everything else, after the
/// number of seconds that the server asked for, if any. As in the original, it always retries a 410
/// that answers the request itself instead of coming as an event (kubernetes issue 138295).
///
/// Differs from client-go: a stop also cancels a pending watch request. Any task may call any
/// function; its owner must stop it. A stop ends it soon, even while an event waits for its reader;
/// that event is lost.
class RetryWatcher : public watch::Watcher {
 public:
  /// Starts watching. Fails for an initial revision of "" or "0".
  [[nodiscard]] static api::Result<std::shared_ptr<RetryWatcher>> make(
      runtime::Runtime& runtime, RetryWatcherOptions options,
      runtime::Location here = runtime::Location::current());

  /// Closed when the watch has ended, after the result channel.
  [[nodiscard]] virtual const runtime::Channel<runtime::Unit>& done() const = 0;

 private:
  /// Shared with the watching task, which may outlive its owner's handle.
  class State;
};

}  // namespace watchlab::watchtools
