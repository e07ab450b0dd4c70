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

/// The inverse of `query_from`. Fails with the Status that a server answers: 400 for an invalid
/// number, 422 for an unknown match.
[[nodiscard]] api::Result<api::ListOptions> options_from(const Query& query);
/// Whether the query has this flag and it is true: anything but "0" and "false", ignoring case.
[[nodiscard]] bool flag_in(const Query& query, std::string_view name);

// What a write asks for beyond its object, as its query and the body of a DELETE say it. Mirrors
// apimachinery meta/v1 CreateOptions, UpdateOptions, PatchOptions and DeleteOptions.

/// The body of a DELETE.
[[nodiscard]] std::string deletion_text(const DeleteOptions& options);
/// The inverse; "" means no options. Fails with a 400 for invalid text, and with a 422 for an
/// unknown `dryRun`, which must not become a write.
[[nodiscard]] api::Result<DeleteOptions> deletion_from(const std::string& body);
/// Adds the query's options to a request whose verb and body are known. Fails in the same ways.
[[nodiscard]] api::Result<void> read_write_query(Request& request, const Query& query);

// Requests to API servers as HTTP and back: paths, queries and bodies as real clients send them
// (docs/serve.md). The client's name travels as its User-Agent.

/// What a client sends. ListOptions become the query, sorted by name, without unset ones.
[[nodiscard]] HttpRequest http_from(const Request& request);
/// How a server reads it. Fails with the server's Status: 400 for an invalid request, 404 for an
/// unknown path, 405 for a wrong method, 415 for another body type, 422 for unknown options.
[[nodiscard]] api::Result<Request> request_from(const HttpRequest& http);

// What API servers answer as HTTP, and what clients make of it.

/// A head with the length of the following body, and the end of the connection.
[[nodiscard]] WireMessage message_of(const HttpHead& head, std::string body);
/// A response as a server writes it: JSON with its length, or for an accepted watch only the head,
/// which announces chunks. `Retry-After` comes from the Status.
[[nodiscard]] WireMessage message_of(const Response& response);
/// How a failure that comes instead of an answer looks on the wire; nothing if it has no bytes
/// there: a refused connection, or a timeout.
[[nodiscard]] std::optional<WireMessage> message_of(const api::Error& failure);
/// One event of a watch: a chunk with a line of JSON. `text` replaces it unless it is "".
[[nodiscard]] WireMessage message_of(const watch::Event& event, const std::string& text = {});
/// Half an event before the end of a stream: in a chunk of its own length, or broken off.
[[nodiscard]] WireMessage torn_message(const watch::Event& event, bool politely);
/// The end of a watch's response.
[[nodiscard]] WireMessage end_message();
/// How a stream ended if this message did that to the connection.
[[nodiscard]] StreamEnd end_for(WireMessage::After after);

/// Whether the answer is an event stream.
[[nodiscard]] bool opens_watch(const HttpHead& head, Verb verb);
/// How a client reads an answer that is not a stream. A failure is the server's Status, or the
/// code's if the body is not a Status; `Retry-After` counts if the body does not set it.
[[nodiscard]] api::Result<Response> response_from(const HttpHead& head, std::string_view body,
                                                  Verb verb);

}  // namespace watchlab::sim
