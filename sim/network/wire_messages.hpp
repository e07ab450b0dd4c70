#pragma once

#include <optional>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/faults/message_context.hpp"
#include "sim/network/http_names.hpp"
#include "sim/record/vocabulary.hpp"

namespace watchlab::sim {

/// What `query_from` says, back. Fails with the Status that a server answers: 400 for a number that
/// is none, 422 for a match that does not exist.
[[nodiscard]] api::Result<api::ListOptions> options_from(const Query& query);
/// Whether the query has that flag and it is true, as all is but "0" and "false" in any case.
[[nodiscard]] bool flag_in(const Query& query, std::string_view name);

// What a write asks for beyond its object, as its query and the body of a DELETE say it. Mirrors
// apimachinery meta/v1 CreateOptions, UpdateOptions, PatchOptions and DeleteOptions.

/// The body of a DELETE.
[[nodiscard]] std::string deletion_text(const DeleteOptions& options);
/// The reverse; "" reads as no options. Fails with a 400 for what is none, and with a 422 for a
/// `dryRun` that is not understood, which must not become a write.
[[nodiscard]] api::Result<DeleteOptions> deletion_from(const std::string& body);
/// Adds what the query says to a request whose verb and body are known. Fails in the same ways.
[[nodiscard]] api::Result<void> read_write_query(Request& request, const Query& query);

// Requests to API servers as HTTP, and back: paths, queries and bodies as real clients send them
// (docs/serve.md). The client's name travels as its User-Agent.

/// What a client sends. ListOptions become the query, sorted by name, what is unset left out.
[[nodiscard]] HttpRequest http_from(const Request& request);
/// What a server makes of it; fails with the Status that it answers: 400 for what cannot be read,
/// 404 for a path that it does not serve, 405 for a method, 415 for a body of another type, 422 for
/// options that do not exist.
[[nodiscard]] api::Result<Request> request_from(const HttpRequest& http);

// What API servers answer as HTTP, and what clients make of it.

/// A head with the length of the body that follows, and the end of the connection.
[[nodiscard]] WireMessage message_of(const HttpHead& head, std::string body);
/// A response as a server writes it: JSON with its length, or for an accepted watch the head alone,
/// which promises chunks. `Retry-After` says what the Status says.
[[nodiscard]] WireMessage message_of(const Response& response);
/// How a failure that comes instead of an answer looks on the wire; nothing for one that has no
/// bytes there: a refused connection, or a time that is up.
[[nodiscard]] std::optional<WireMessage> message_of(const api::Error& failure);
/// One event of a watch: a chunk with a line of JSON. `text` stands in its place unless it is "".
[[nodiscard]] WireMessage message_of(const watch::Event& event, const std::string& text = {});
/// A half of an event, before the end of a stream: in a chunk of its own length, or broken off.
[[nodiscard]] WireMessage torn_message(const watch::Event& event, bool politely);
/// The end of a watch's response.
[[nodiscard]] WireMessage end_message();
/// How a stream has ended after whose message the connection did that.
[[nodiscard]] StreamEnd end_for(WireMessage::After after);

/// Whether the answer is a stream of events to be read.
[[nodiscard]] bool opens_watch(const HttpHead& head, Verb verb);
/// What a client makes of an answer that is no stream. A failure is what the server says, or what
/// its code says when the body is no Status; `Retry-After` counts when the body says nothing.
[[nodiscard]] api::Result<Response> response_from(const HttpHead& head, std::string_view body,
                                                  Verb verb);

}  // namespace watchlab::sim
