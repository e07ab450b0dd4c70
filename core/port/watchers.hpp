#pragma once

#include <memory>
#include <vector>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watch {

/// Presents a channel that another task feeds as a watch. Mirrors apimachinery pkg/watch,
/// ProxyWatcher.
///
/// A stop only closes `stop_channel`; the feeder must notice that and close the result channel
/// itself. Nobody else does, so a reader that waits for the end after a stop may wait forever
/// (client-go issue 1351). Any task may call any function.
class ProxyWatcher : public Watcher {
 public:
  ProxyWatcher(runtime::Runtime& runtime, runtime::Channel<Event> result,
               runtime::Location here = runtime::Location::current());

  /// Closes the stop channel; the second and later calls do nothing.
  void stop(runtime::Location here = runtime::Location::current()) override;
  /// Whether `stop` has been called.
  [[nodiscard]] bool stopping(runtime::Location here = runtime::Location::current()) const;
  [[nodiscard]] const runtime::Channel<Event>& result_channel() const override;
  /// Closed by `stop`; for the feeder.
  [[nodiscard]] const runtime::Channel<runtime::Unit>& stop_channel() const;

 private:
  mutable runtime::Mutex mutex_;
  runtime::Channel<Event> result_;
  runtime::Channel<runtime::Unit> stop_channel_;
  runtime::Shared<bool> stopped_;
};

/// Passes a watch on and records all of its events. Mirrors apimachinery pkg/watch/filter.go,
/// Recorder. An event is recorded before it is passed on, so a recorded event may never have been
/// read. Stops and ends like a `filter`, with the same duty to read on. Any task may call any
/// function.
class Recorder : public Watcher {
 public:
  Recorder(runtime::Runtime& runtime, std::shared_ptr<Watcher> source,
           runtime::Location here = runtime::Location::current());

  void stop(runtime::Location here = runtime::Location::current()) override;
  [[nodiscard]] const runtime::Channel<Event>& result_channel() const override;
  /// A copy of the events so far, in order.
  [[nodiscard]] std::vector<Event> events(
      runtime::Location here = runtime::Location::current()) const;

 private:
  struct Journal;

  /// Shared with the copying task, which may outlive the recorder.
  std::shared_ptr<Journal> journal_;
  std::shared_ptr<Watcher> filtered_;
};

}  // namespace watchlab::watch
