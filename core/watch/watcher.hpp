#pragma once

#include "core/runtime/channel.hpp"
#include "core/watch/event.hpp"

namespace watchlab::watch {

/// A running watch. Mirrors apimachinery pkg/watch, Interface.
class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  virtual ~Watcher() = default;

  /// Ends the watch; the channel is closed soon after. Any task may call it, and again. Whoever
  /// received a watcher must stop it: dropping it is not enough, the producer may wait to send.
  virtual void stop(runtime::Location here = runtime::Location::current()) = 0;
  /// The events; closed when the watch has ended, for whatever reason.
  [[nodiscard]] virtual const runtime::Channel<Event>& result_channel() const = 0;
};

}  // namespace watchlab::watch
