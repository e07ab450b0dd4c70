#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "core/cache/resource_event_handler.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watchtools {

/// Passes events on to a channel without blocking their sender: it buffers as many as needed, in
/// order. Mirrors client-go tools/watch/informerwatcher.go, eventProcessor. One task runs it; any
/// task may push and stop.
///
/// Differs from client-go: `stop` takes the lock. Without it (as in every release so far; found
/// here, not reported upstream), a stop between the runner's check and its wait is lost, and the
/// runner waits forever.
class EventProcessor {
 public:
  EventProcessor(runtime::Runtime& runtime, runtime::Channel<watch::Event> out,
                 runtime::Location here = runtime::Location::current());

  /// Sends what is pushed until a stop, even if it is waiting for a reader. Unsent events are then
  /// lost. Does not close the channel.
  void run();
  /// Adds an event. Never waits for a reader.
  void push(watch::Event event, runtime::Location here = runtime::Location::current());
  /// Ends `run`. Call it once; a second call panics.
  void stop(runtime::Location here = runtime::Location::current());

 private:
  /// Guarded by the lock.
  struct State {
    std::deque<watch::Event> pending;
    bool stopped = false;
  };

  /// Waits for an event; returns nothing once it is stopped.
  [[nodiscard]] std::optional<watch::Event> next();
  /// Waits for a reader. Returns false if the stop comes first.
  [[nodiscard]] bool deliver(watch::Event event);

  runtime::Runtime& runtime_;
  runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
  runtime::Channel<watch::Event> out_;
  runtime::Channel<runtime::Unit> given_up_;  ///< closed by the stop, for a waiting delivery
};

/// Pushes what an informer reports as watch events; for a tombstone the last known object. A
/// tombstone without one panics, as in the original.
[[nodiscard]] std::shared_ptr<cache::ResourceEventHandler> make_pushing_handler(
    std::shared_ptr<EventProcessor> processor);

}  // namespace watchlab::watchtools
