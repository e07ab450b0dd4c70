#pragma once

#include <cstdint>

#include "core/runtime/time.hpp"
#include "core/watch/event.hpp"
#include "sim/apiserver/request.hpp"

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
struct Passage {
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

}  // namespace watchlab::sim
