#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "core/runtime/channel.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/timer.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/faults/message_context.hpp"
#include "sim/network/exchange.hpp"

namespace watchlab::sim {

/// Lets one task sleep until it is woken, its time has come, or it is stopped. One ring that comes
/// while nobody sleeps is kept.
class WakeUp {
 public:
  explicit WakeUp(runtime::Runtime& runtime) : runtime_(runtime), bell_(runtime, 1, "wake_up") {}

  /// Any task may call it.
  void ring() {
    if (listener_) {
      listener_();
    } else {
      (void)bell_.try_send({});
    }
  }
  /// For a carrier that is not a task and cannot sleep: from now on a ring calls `listener`, with
  /// the host's lock held; it must not call the host.
  void notify(std::function<void()> listener) { listener_ = std::move(listener); }
  /// For the one task that sleeps. Returns false if `stop` ended the sleep.
  bool sleep(const runtime::StopToken& stop, std::optional<runtime::TimePoint> until);
  /// Sleeps until this time, ignoring rings. Returns false if `stop` ended the sleep.
  bool sleep_through(const runtime::StopToken& stop, runtime::TimePoint until);
  /// Releases the timer of the last sleep; call it when there will be no other.
  void rest();

 private:
  void arm(runtime::TimePoint until);

  runtime::Runtime& runtime_;
  runtime::Channel<runtime::Unit> bell_;
  std::optional<runtime::Timer> timer_;
  std::optional<runtime::TimePoint> armed_for_;
  std::function<void()> listener_;
};

/// An open watch between a server and a client. The host's lock protects everything except
/// `wake_up`.
struct Stream {
  Stream(runtime::Runtime& runtime, Request opening, WatchId id)
      : request(std::move(opening)), watch(id), wake_up(runtime) {}

  Request request;  ///< the one that opened it
  WatchId watch;
  std::uint64_t exchange = 0;
  std::size_t server = 0;
  runtime::TimePoint opened;
  std::uint64_t frames_sent = 0;
  bool silent = false;  ///< something was dropped, so nothing that follows can arrive
  bool busy = false;    ///< events are on their way to the client
  WakeUp wake_up;       ///< rings if there may be something to do
};

/// What an open stream does next; one of these.
namespace stream_step {

/// Events leave for the client.
struct Deliver {
  boost::container::small_vector<watch::Event, 1> events;     ///< usually one
  boost::container::small_vector<std::uint64_t, 1> messages;  ///< one for each event
  runtime::TimePoint left;  ///< when they left the server, delays included
  std::string text;         ///< on the wire instead of the first event's JSON, unless it is ""
  /// On the wire: changes the bytes of the events, for the fault with this name.
  std::function<void(WireMessage&)> distort;
  std::string fault;
};

/// The stream is over.
struct End {
  runtime::TimePoint left;  ///< when the end left the server, delays included
  StreamEnding ending;
  std::function<void(WireMessage&)> distort;  ///< on the wire: changes the bytes of the end
  std::optional<watch::Event> torn;  ///< on the wire, half of it still comes before the end
};

/// Nothing happens now: call again when woken, or at `wake_at`.
struct Wait {
  std::optional<runtime::TimePoint> wake_at;
};

/// What was about to leave is dropped: call again at once.
struct Retry {};

}  // namespace stream_step

using StreamStep =
    std::variant<stream_step::Deliver, stream_step::End, stream_step::Wait, stream_step::Retry>;

}  // namespace watchlab::sim
