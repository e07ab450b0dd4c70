#pragma once

#include <memory>
#include <optional>

#include "core/runtime/stop_token.hpp"
#include "core/watch/watch.hpp"
#include "sim/network/server_host.hpp"

namespace watchlab::sim {

/// The client's end of a watch. A task carries the events from the host to the result channel,
/// which is unbuffered: a client that does not receive holds its stream back until the server gives
/// up on it.
class WatchStream : public watch::Watcher, public std::enable_shared_from_this<WatchStream> {
 public:
  /// `stop` ends the watch as `stop()` does; events take `latency` to arrive.
  WatchStream(std::shared_ptr<ServerHost> host, std::shared_ptr<Stream> stream,
              const runtime::StopToken& stop, runtime::Duration latency);

  /// Starts the task. The maker calls it once.
  void start();
  void stop(runtime::Location here = runtime::Location::current()) override;
  [[nodiscard]] const runtime::Channel<watch::Event>& result_channel() const override {
    return result_;
  }

 private:
  void run();
  /// How the stream ended; returns when it is over.
  StreamEnding carry_until_the_end();
  [[nodiscard]] bool deliver(const stream_step::Deliver& step);

  std::shared_ptr<ServerHost> host_;
  std::shared_ptr<Stream> stream_;
  runtime::StopSource stop_source_;
  runtime::Duration latency_;
  std::optional<runtime::TimePoint> taken_;  // when the client took the last event
  runtime::Channel<watch::Event> result_;
};

}  // namespace watchlab::sim
