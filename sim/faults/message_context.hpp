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
/// fault can do with it.
namespace watchlab::sim {

/// Where a message is when the faults are asked about it.
enum class Stage : std::uint8_t {
  Request,  ///< a request leaves its client
  Answer,   ///< the answer leaves the server; for a watch the head of the response
  Frame,    ///< an event of a watch leaves the server
  Stream,   ///< nothing travels, but a stream is open: asked whenever the faults have changed
  End,      ///< the server has ended the stream, and that leaves the server
};

/// What a fault gets to see of a message. The pointers are valid during the call only.
struct MessageContext {
  Stage stage = Stage::Request;
  const Request& request;            ///< the request, or the one that opened the stream
  std::uint64_t exchange = 0;        ///< the number of that request; grows from request to request
  const Response* answer = nullptr;  ///< for Stage::Answer
  const watch::Event* event = nullptr;  ///< for Stage::Frame
  runtime::TimePoint now;
  runtime::TimePoint left;        ///< when the message was ready to leave; `now` but for events
  runtime::TimePoint opened;      ///< when the request was sent
  std::uint64_t frames_sent = 0;  ///< how many events the stream has delivered
};

/// One message of the wire transport as the bytes that it is: a request, a response, an event of a
/// watch, or the end of a response. Faults change it before it leaves.
struct WireMessage {
  /// What becomes of the connection after the message.
  enum class After : std::uint8_t {
    Open,      ///< more follows
    Finished,  ///< the orderly end of the connection
    Cut,       ///< a reset
  };

  std::string framing{};  ///< the head of a request or response; of an event the line of its chunk
  std::string payload{};  ///< the body; of an event its JSON and the line feed
  std::string trailer{};  ///< what ends a chunk, or a body in chunks
  After after = After::Open;
  std::size_t piece = 0;             ///< it comes in pieces of that many bytes; 0 for in one
  runtime::Duration pause{};         ///< between the pieces
  runtime::Duration grace_period{};  ///< it may wait that long for what follows, to leave with it

  [[nodiscard]] std::string bytes() const { return framing + payload + trailer; }
  /// Keeps that many of its first bytes.
  void cut_to(std::size_t length) {
    payload = bytes().substr(0, length);
    framing.clear();
    trailer.clear();
  }
};

/// The message continues as it is.
struct Pass {};

/// The message leaves that much later than it was ready to (`MessageContext::left`); what follows
/// on the same stream comes after it.
struct Delay {
  runtime::Duration by{};
};

/// The request does not reach the server, or its answer not the client: this failure comes instead.
struct Fail {
  api::Error error;
  runtime::Duration after{};  ///< how long the client waits for it
};

/// The message vanishes. Who waits for it waits until it gives up. An event that vanishes is
/// counted in `RequestRecord::lost`, and while its stream is open invariants do not expect the
/// client to know it.
struct Lose {
  /// The bytes of a stream arrive in order or not at all: what follows on it vanishes as well, even
  /// when the fault is healed.
  bool and_what_follows = false;
};

/// The stream ends before the message. A clean end is a complete response, an unclean one a broken
/// connection; a client of the watch machinery sees a closed channel either way.
struct EndStream {
  bool clean = true;
  bool torn = false;  ///< on the wire the first half of the message still comes
};

/// Other events come in place of this one; none at all drops it without counting it as lost, so
/// invariants still expect the client to know it. That fits bookmarks, which change no object.
struct Rewrite {
  std::vector<watch::Event> events;
  /// What stands on the wire in their place; "" for their JSON.
  std::string text;
};

/// Another answer comes in place of this one.
struct RewriteAnswer {
  Response response;
};

/// The bytes of the message are changed on their way. On the direct transport, which has no bytes,
/// the message passes.
struct Distort {
  std::function<void(WireMessage&)> how;
};

/// What a fault says to a message.
using Verdict = std::variant<Pass, Delay, Fail, Lose, EndStream, Rewrite, RewriteAnswer, Distort>;

[[nodiscard]] inline bool passes(const Verdict& verdict) {
  return std::holds_alternative<Pass>(verdict);
}

}  // namespace watchlab::sim
