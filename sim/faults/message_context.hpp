#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/api/error.hpp"
#include "core/runtime/time.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/request.hpp"

/// A message on its way between a client and a server: where it is, what its bytes are, and what a
/// fault can do to it.
namespace watchlab::sim {

/// Where a message is when the faults are evaluated.
enum class Stage : std::uint8_t {
  Request,  ///< a request leaves its client
  Answer,   ///< the answer leaves the server; for a watch the head of the response
  Frame,    ///< an event of a watch leaves the server
  Stream,   ///< no message, but a stream is open: evaluated whenever the faults have changed
  End,      ///< the server has ended the stream, and the end leaves the server
};

/// What a fault can see of a message. The pointers are valid only during the call.
struct MessageContext {
  Stage stage = Stage::Request;
  const Request& request;               ///< the request, or the one that opened the stream
  std::uint64_t exchange = 0;           ///< the number of that request; increases with each request
  const Response* answer = nullptr;     ///< for Stage::Answer
  const watch::Event* event = nullptr;  ///< for Stage::Frame
  runtime::TimePoint now;
  runtime::TimePoint left;        ///< when it was ready to leave; `now` except for events
  runtime::TimePoint opened;      ///< when the request was sent
  std::uint64_t frames_sent = 0;  ///< how many events the stream has delivered
};

/// The bytes of one message on the wire transport: a request, a response, an event of a watch, or
/// the end of a response. Faults change it before it leaves.
struct WireMessage {
  /// What happens to the connection after the message.
  enum class After : std::uint8_t {
    Open,      ///< more follows
    Finished,  ///< the connection ends cleanly
    Cut,       ///< a reset
  };

  std::string framing{};  ///< the head of a request or response; for an event the line of its chunk
  std::string payload{};  ///< the body; for an event its JSON and the newline
  std::string trailer{};  ///< the end of a chunk, or of a chunked body
  After after = After::Open;
  std::size_t piece = 0;             ///< sent in pieces of this many bytes; 0 for one piece
  runtime::Duration pause{};         ///< between the pieces
  runtime::Duration grace_period{};  ///< how long it may wait for the next message

  [[nodiscard]] std::string bytes() const { return framing + payload + trailer; }
  /// Keeps only the first `length` bytes.
  void cut_to(std::size_t length) {
    payload = bytes().substr(0, length);
    framing.clear();
    trailer.clear();
  }
};

/// The message passes unchanged.
struct Pass {};

/// The message leaves this much later than it was ready (`MessageContext::left`); later messages on
/// the same stream come after it.
struct Delay {
  runtime::Duration by{};
};

/// The request does not reach the server, or its answer does not reach the client: this failure
/// comes instead.
struct Fail {
  api::Error error;
  runtime::Duration after{};  ///< how long the client waits for it
};

/// The message is dropped. Whoever waits for it waits until they give up. A dropped event is
/// counted in `RequestRecord::lost`, and while its stream is open, invariants do not expect the
/// client to know about it.
struct Drop {
  /// The bytes of a stream arrive in order or not at all: later messages on it are dropped too,
  /// even when the fault is healed.
  bool and_what_follows = false;
};

/// The stream ends before the message. A clean end is a complete response, an unclean one a broken
/// connection; a client of the watch machinery sees a closed channel in both cases.
struct EndStream {
  bool clean = true;
  bool torn = false;  ///< on the wire, the first half of the message still arrives
};

/// Other events come instead of this one. If there are none, it is dropped without counting as
/// lost, so invariants still expect the client to know about it. That fits bookmarks, which change
/// no object.
struct Rewrite {
  std::vector<watch::Event> events;
  /// The text on the wire instead of their JSON; "" for their JSON.
  std::string text;
};

/// Another answer comes instead of this one.
struct RewriteAnswer {
  Response response;
};

/// The bytes of the message are changed in transit. On the direct transport, which has no bytes,
/// the message passes.
struct Distort {
  std::function<void(WireMessage&)> how;
};

/// A fault's verdict on a message.
using Verdict = std::variant<Pass, Delay, Fail, Drop, EndStream, Rewrite, RewriteAnswer, Distort>;

[[nodiscard]] inline bool passes(const Verdict& verdict) {
  return std::holds_alternative<Pass>(verdict);
}

}  // namespace watchlab::sim
