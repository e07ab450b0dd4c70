#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/apiserver/stamps.hpp"
#include "sim/http/media_types.hpp"
#include "sim/network/http_names.hpp"

/// What stands below objects of built-in kinds beside their status and scale: an eviction, a
/// binding, an approval. Each is served as the request to the object that it comes to.
namespace watchlab::sim {

/// Whether discovery tells of it: a status, a scale, a token, or what is served as such a request.
[[nodiscard]] bool is_served_below(const std::string& collection, const std::string& subresource);

/// What such a request comes to; the same request when its path has nothing of that below an
/// object. Its body is JSON. Fails with a Status.
[[nodiscard]] api::Result<HttpRequest> request_behind_subresource(HttpRequest http,
                                                                  const Target& target);
/// How it is answered; nothing for all other paths.
[[nodiscard]] std::optional<BodyForm> form_of_subresource(const Target& target);

/// Whether the path is that of the tokens of a service account.
[[nodiscard]] bool is_token_request(const std::vector<std::string>& path);
/// The answer to a request for a token of the account that the path names; `body` is JSON. Nobody
/// has signed the token.
[[nodiscard]] std::string token_page(const std::vector<std::string>& path, const std::string& body,
                                     runtime::TimePoint now);

}  // namespace watchlab::sim
