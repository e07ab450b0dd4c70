#pragma once

#include <string>
#include <string_view>

#include "core/api/error.hpp"
#include "core/api/options.hpp"
#include "core/client/http_message.hpp"
#include "core/client/url.hpp"

/// What clients of API servers send and read, as HTTP.
namespace watchlab::client {

/// What a client asks for as the query of its URL: in the order of the names, what is unset left
/// out, as client-go encodes it.
[[nodiscard]] Query query_from(const api::ListOptions& options);

/// "/api/v1/namespaces/default/configmaps/demo": a collection, or the object of that name in it. An
/// empty namespace is none: a cluster-wide collection, or objects of all namespaces.
[[nodiscard]] std::string path_of(const api::GroupVersionResource& resource,
                                  std::string_view namespace_name, std::string_view name = {});

/// Whether the body is JSON, by its Content-Type.
[[nodiscard]] bool is_json(const HttpHead& head);
/// The failure of an answer that should be JSON and is not.
[[nodiscard]] api::Error not_json(const HttpHead& head);
/// A failure that the server has answered: what the body says, or what the code says when the body
/// is no Status. `Retry-After` counts when the body says nothing.
[[nodiscard]] api::Error failure_from(const HttpHead& head, std::string_view body);

}  // namespace watchlab::client
