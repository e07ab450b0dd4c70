#pragma once

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/watch/watcher.hpp"

namespace watchlab::watch {

/// Presents a channel that somebody else feeds as a watch. Mirrors apimachinery pkg/watch,
/// ProxyWatcher.
///
/// A stop only closes `stop_channel`; the feeder must see that and close the result channel itself.
/// Nobody else ever does, so a reader who waits for the end after a stop may wait for ever
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

}  // namespace watchlab::watch
