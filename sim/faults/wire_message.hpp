#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/runtime/time.hpp"

namespace watchlab::sim {

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
  std::size_t piece = 0;       ///< it comes in pieces of that many bytes; 0 for in one
  runtime::Duration pause{};   ///< between the pieces
  runtime::Duration linger{};  ///< it may wait that long for what follows, to leave with it

  [[nodiscard]] std::string bytes() const { return framing + payload + trailer; }
  /// Keeps that many of its first bytes.
  void cut_to(std::size_t length) {
    payload = bytes().substr(0, length);
    framing.clear();
    trailer.clear();
  }
};

}  // namespace watchlab::sim
