#pragma once

#include <optional>

#include "core/api/result.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/faults/passage.hpp"
#include "sim/network/http_messages.hpp"

/// What API servers answer as HTTP, and what clients make of it.
namespace watchlab::sim {

/// A response as a server writes it: JSON with its length, or for an accepted watch the head alone,
/// which promises chunks. `Retry-After` says what the Status says.
[[nodiscard]] WireMessage message_of(const Response& response);
/// How a failure that comes instead of an answer looks on the wire; nothing for one that has no
/// bytes there: a refused connection, or a time that is up.
[[nodiscard]] std::optional<WireMessage> message_of(const api::Error& failure);
/// One event of a watch: a chunk with a line of JSON. `text` stands in its place unless it is "".
[[nodiscard]] WireMessage message_of(const watch::Event& event, const std::string& text = {});
/// The end of a watch's response.
[[nodiscard]] WireMessage end_message();

/// Whether the answer is a stream of events to be read.
[[nodiscard]] bool opens_watch(const HttpHead& head, Verb verb);
/// What a client makes of an answer that is no stream. A failure is what the server says, or what
/// its code says when the body is no Status; `Retry-After` counts when the body says nothing.
[[nodiscard]] api::Result<Response> response_from(const HttpHead& head, std::string_view body,
                                                  Verb verb);

}  // namespace watchlab::sim
