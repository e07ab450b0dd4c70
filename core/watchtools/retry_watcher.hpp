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

/// Opens one watch. A null watcher counts as a failure that is tried again. Mirrors client-go
/// tools/cache/listwatch.go, Watcher; the watch function of any `cache::ListerWatcher` will do.
using WatchFunction = std::function<api::Result<std::shared_ptr<watch::Watcher>>(
    const runtime::StopToken&, const api::ListOptions&)>;

/// Where a retry watcher begins and how long it rests.
struct RetryWatcherOptions {
  /// Events after this revision are reported. Neither "" nor "0": a watch from there begins with
  /// events that are not in the order of revisions, and cannot be continued.
  std::string initial_resource_version;
  /// Opens the watches, always with bookmarks. Called by the watcher's task.
  WatchFunction watch;
  /// Ends the watcher too.
  runtime::StopToken stop;
  /// The least time between the starts of two watches.
  runtime::Duration restart_delay_min = std::chrono::seconds(1);
};

/// A watch that does not end: when the stream ends, it watches again from the last revision it
/// saw. Mirrors client-go tools/watch/retrywatcher.go, RetryWatcher, of 0.32.
///
/// Added, Modified and Deleted are passed on, and count as seen once the reader has them; a
/// Bookmark only counts. It gives up, after one Error event, when the history is gone (an Error
/// event with code 410), when the server forbids the watch (401, 403), and when an event makes it
/// impossible to say where to continue (no object, no revision, unknown type). Everything else is
/// tried again, after the seconds that the server asked for, if it did. As in the original, a 410
/// that answers the request itself, instead of coming as an event, is always tried again
/// (kubernetes issue 138295).
///
/// Differs from client-go: a stop also ends a request for a watch that is under way.
/// Any task may call any function; its owner must stop it. A stop ends it soon, even while an event
/// waits for its reader: that event is lost.
class RetryWatcher : public watch::Watcher {
 public:
  /// Starts watching. Fails for an initial revision of "" or "0".
  [[nodiscard]] static api::Result<std::shared_ptr<RetryWatcher>> make(
      runtime::Runtime& runtime, RetryWatcherOptions options,
      runtime::Location here = runtime::Location::current());

  /// Closed when the watch has ended, after the result channel.
  [[nodiscard]] virtual const runtime::Channel<runtime::Unit>& done() const = 0;

 private:
  /// Shared with the watching task, which may outlive what its maker holds of it.
  class State;
};

}  // namespace watchlab::watchtools
