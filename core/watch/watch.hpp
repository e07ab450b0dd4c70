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
  /// The object after the change; before it for Deleted (with the deletion's revision); an empty
  /// object with a revision for Bookmark; null for Error.
  api::ObjectPtr object;
  /// Why the watch failed, for Error only.
  std::shared_ptr<const api::Status> status;
};

/// A running watch. Mirrors apimachinery pkg/watch, Interface.
class Watcher : public runtime::Interface {
 public:
  /// Ends the watch; the channel is closed soon after. Any task may call it, and again. The task
  /// that received a watcher must stop it: dropping it is not enough, the producer may wait to
  /// send.
  virtual void stop(runtime::Location here = runtime::Location::current()) = 0;
  /// The events; closed when the watch has ended, for whatever reason.
  [[nodiscard]] virtual const runtime::Channel<Event>& result_channel() const = 0;
};

/// A watch that is over before it began: its channel is closed already. A client uses it where a
/// connection ended, or took too long, before the first event. Mirrors apimachinery pkg/watch,
/// NewEmptyWatch.
[[nodiscard]] std::shared_ptr<Watcher> make_empty_watch(
    runtime::Runtime& runtime, runtime::Location here = runtime::Location::current());

/// Looks at one event: returns it, as it is or altered, or nothing to drop it. Runs in the filter's
/// own task.
using FilterFunction = std::function<std::optional<Event>(Event)>;

/// A watch that passes on what `function` lets through. Mirrors apimachinery pkg/watch/filter.go,
/// Filter.
///
/// A task copies the events, so one more event than in `source` can be on its way. Stopping stops
/// `source`; the result channel is closed when the channel of `source` is, and the task ends then.
/// A reader who neither reads on nor has a source that closes leaves the task waiting to send for
/// ever (kubernetes issue 113254), so after a stop read until the channel is closed.
[[nodiscard]] std::shared_ptr<Watcher> filter(
    runtime::Runtime& runtime, std::shared_ptr<Watcher> source, FilterFunction function,
    runtime::Location here = runtime::Location::current());

}  // namespace watchlab::watch
