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
/// A stop only closes `stop_channel`; the feeder must see that and close the result channel itself.
/// No other task ever does, so a reader that waits for the end after a stop may wait without end
/// (client-go issue 1351). Any task may call any function.
class ProxyWatcher : public Watcher {
 public:
  ProxyWatcher(runtime::Runtime& runtime, runtime::Channel<Event> result,
               runtime::Location here = runtime::Location::current());

  /// Closes the stop channel; the second and later calls do nothing.
  void stop(runtime::Location here = runtime::Location::current()) override;
  /// Whether `stop` was called.
  [[nodiscard]] bool stopping(runtime::Location here = runtime::Location::current()) const;
  [[nodiscard]] const runtime::Channel<Event>& result_channel() const override;
  /// Closed once `stop` was called: for the feeder.
  [[nodiscard]] const runtime::Channel<runtime::Unit>& stop_channel() const;

 private:
  mutable runtime::Mutex mutex_;
  runtime::Channel<Event> result_;
  runtime::Channel<runtime::Unit> stop_channel_;
  runtime::Shared<bool> stopped_;
};

/// Passes a watch on and remembers every event of it. Mirrors apimachinery pkg/watch/filter.go,
/// Recorder. An event is remembered before it is passed on, so it may be remembered and never read.
/// Stops and ends as a `filter` does, with the same duty to read on. Any task may call any
/// function.
class Recorder : public Watcher {
 public:
  Recorder(runtime::Runtime& runtime, std::shared_ptr<Watcher> source,
           runtime::Location here = runtime::Location::current());

  void stop(runtime::Location here = runtime::Location::current()) override;
  [[nodiscard]] const runtime::Channel<Event>& result_channel() const override;
  /// A copy of what came by until now, in order.
  [[nodiscard]] std::vector<Event> events(
      runtime::Location here = runtime::Location::current()) const;

 private:
  struct Journal;

  /// Shared with the copying task, which may outlive the recorder.
  std::shared_ptr<Journal> journal_;
  std::shared_ptr<Watcher> filtered_;
};

}  // namespace watchlab::watch
