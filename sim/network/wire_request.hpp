#pragma once

#include "core/api/result.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/network/http_messages.hpp"

/// Requests to API servers as HTTP, and back: paths, queries and bodies as real clients send them
/// (docs/wire.md). The client's name travels as its User-Agent.
namespace watchlab::sim {

/// What a client sends. ListOptions become the query, sorted by name, what is unset left out.
[[nodiscard]] HttpRequest http_from(const Request& request);
/// What a server makes of it; fails with the Status that it answers: 400 for what cannot be read,
/// 404 for a path that it does not serve, 405 for a method, 415 for a body of another type, 422 for
/// options that do not exist.
[[nodiscard]] api::Result<Request> request_from(const HttpRequest& http);

}  // namespace watchlab::sim
