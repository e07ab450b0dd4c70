#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/api/result.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watch {

/// What to do with an event for a watcher whose queue is full.
enum class FullChannelBehavior : std::uint8_t {
  WaitIfChannelFull,  ///< wait until that watcher reads or stops
  DropIfChannelFull,  ///< drop the event for that watcher only
};

/// How much a broadcaster buffers, and what it does with a watcher that falls behind.
struct BroadcasterOptions {
  /// How many events a watcher may leave unread before its queue is full.
  std::size_t queue_length = 0;
  FullChannelBehavior full_channel_behavior = FullChannelBehavior::WaitIfChannelFull;
  /// How many events may wait to be distributed.
  std::size_t incoming_length = 25;
};

/// Options with room for `queue_length` events on both sides. Mirrors apimachinery
/// pkg/watch/mux.go, NewLongQueueBroadcaster.
[[nodiscard]] BroadcasterOptions long_queue(std::size_t queue_length, FullChannelBehavior behavior);

/// Sends every event to every watcher. Mirrors apimachinery pkg/watch/mux.go, Broadcaster.
///
/// One task distributes, so all watchers see the events in the same order, that of the `action`
/// calls. Watching and stopping are functions that go through the same queue and run between two
/// events. So a new watcher sees exactly the events added after `watch` returned, plus those that
/// others added while it ran.
///
/// The owner must call `shutdown`; until then the distributing task lives, even without the
/// broadcaster. Any task may call any function, with one trap that the original has too: under
/// WaitIfChannelFull, a task that reads a watcher must not call `action` or stop another watcher
/// while its own queue is full, because the distributing task is waiting for that queue.
class Broadcaster {
 public:
  explicit Broadcaster(runtime::Runtime& runtime, BroadcasterOptions options = {},
                       runtime::Location here = runtime::Location::current());

  /// Adds a watcher. Fails with ErrorKind::Closed after a shutdown. The caller must stop the watch,
  /// or read until its channel is closed.
  [[nodiscard]] api::Result<std::shared_ptr<Watcher>> watch(
      runtime::Location here = runtime::Location::current());
  /// The same, but this watcher first receives `prefix`. Its queue has room for all of that and one
  /// more, or the default length if that is longer.
  [[nodiscard]] api::Result<std::shared_ptr<Watcher>> watch_with_prefix(
      std::vector<Event> prefix, runtime::Location here = runtime::Location::current());

  /// Adds an event; blocks while the incoming queue is full. Fails with ErrorKind::Closed after a
  /// shutdown.
  [[nodiscard]] api::Result<void> action(Event event,
                                         runtime::Location here = runtime::Location::current());
  /// The same, but does not block on a full incoming queue: false means that the event was dropped.
  /// It still waits for other tasks that are adding something.
  [[nodiscard]] api::Result<bool> action_or_drop(
      Event event, runtime::Location here = runtime::Location::current());

  /// Distributes what was added before, closes the channels of all watchers, and returns when that
  /// is done. A second call only waits.
  void shutdown(runtime::Location here = runtime::Location::current());

 private:
  class State;
  class Watch;

  api::Result<std::shared_ptr<Watcher>> open(std::vector<Event> prefix, std::size_t length,
                                             runtime::Location here);

  std::shared_ptr<State> state_;
};

}  // namespace watchlab::watch
