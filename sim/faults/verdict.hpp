#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/api/error.hpp"
#include "core/runtime/time.hpp"
#include "core/watch/event.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/faults/wire_message.hpp"

namespace watchlab::sim {

/// The message goes on as it is.
struct Pass {};

/// The message leaves that much later than it was ready to (`Passage::left`); what follows on the
/// same stream comes after it.
struct Delay {
  runtime::Duration by{};
};

/// The request does not reach the server, or its answer not the client: this failure comes instead.
struct Fail {
  api::Error error;
  runtime::Duration after{};  ///< how long the client waits for it
};

/// The message vanishes. Who waits for it waits until it gives up.
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

/// Other events come in place of this one; none at all drops it.
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
