#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "core/api/object.hpp"
#include "core/api/status.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/interface.hpp"

namespace watchlab::watch {

enum class EventType : std::uint8_t { Added, Modified, Deleted, Bookmark, Error };

/// "ADDED" and so on, as on the wire.
[[nodiscard]] std::string_view to_string(EventType type);

/// One event of a watch. Mirrors apimachinery pkg/watch, Event.
struct Event {
  EventType type = EventType::Added;
  /// The object after the change; for Deleted, before it (with the deletion's revision); for
  /// Bookmark an empty object with a revision; for Error null.
  api::ObjectPtr object;
  /// Why the watch failed, for Error only.
  std::shared_ptr<const api::Status> status;
};

/// A running watch. Mirrors apimachinery pkg/watch, Interface.
class Watcher : public runtime::Interface {
 public:
  /// Ends the watch; the channel is closed soon after. Any task may call it, repeatedly. The task
  /// that received a watcher must stop it; dropping it is not enough, because the producer may be
  /// waiting to send.
  virtual void stop(runtime::Location here = runtime::Location::current()) = 0;
  /// The events; closed when the watch has ended, for whatever reason.
  [[nodiscard]] virtual const runtime::Channel<Event>& result_channel() const = 0;
};

/// A watch that is over before it started: its channel is already closed. A client uses it if a
/// connection ended, or took too long, before the first event. Mirrors apimachinery pkg/watch,
/// NewEmptyWatch.
[[nodiscard]] std::shared_ptr<Watcher> make_empty_watch(
    runtime::Runtime& runtime, runtime::Location here = runtime::Location::current());

/// Inspects one event: returns it, unchanged or changed, or nothing to drop it. Runs in the
/// filter's own task.
using FilterFunction = std::function<std::optional<Event>(Event)>;

/// A watch that passes on the events that `function` accepts. Mirrors apimachinery
/// pkg/watch/filter.go, Filter.
///
/// A task copies the events, so one more event than in `source` can be in flight. Stopping it stops
/// `source`. When the channel of `source` is closed, the result channel is closed and the task
/// ends. If the reader stops reading and the source does not close, the task waits forever to send
/// (kubernetes issue 113254). So after a stop, read until the channel is closed.
[[nodiscard]] std::shared_ptr<Watcher> filter(
    runtime::Runtime& runtime, std::shared_ptr<Watcher> source, FilterFunction function,
    runtime::Location here = runtime::Location::current());

}  // namespace watchlab::watch
