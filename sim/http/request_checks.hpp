#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/status.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::sim {

// What a request is refused for before anything is done with it. A real server has these checks in
// front of its storage; stories of a simulation may have such names.

/// Whether these bytes can be a text of a URL or of a JSON document.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Makes of what Go reads as JSON what all of this server reads: half of a pair of surrogates
/// becomes U+FFFD, as there. 400 for a number that is none of float64, as there; what is no JSON at
/// all is found later.
[[nodiscard]] std::optional<api::Status> refusal_of_json(std::string& body);

/// Why a request cannot be told from what follows it, or whom it is for; nothing when all is well.
/// 501 for a transfer encoding other than `chunked`, 400 for a Content-Length that is no number or
/// differs from another, and for a missing or a second Host. Mirrors Go's net/http.
[[nodiscard]] std::optional<api::Status> refusal_of_head(const HttpRequest& http);

/// What the client shows as `Authorization: Bearer …`, whose first word is the same in capitals; ""
/// for nothing. Mirrors apiserver authentication/request/bearertoken.
[[nodiscard]] std::string_view bearer_token_of(const HttpFields& fields);

/// Why a target is not served whatever is behind it; "" for no reason.
[[nodiscard]] std::string refusal_of_target(const Target& target);

/// What kubectl's commands ask of a kubelet or a controller that is not there; "" for all else.
[[nodiscard]] std::string missing_subresource(const Target& target);

/// Why an object is not of that type: its kind, or the version of a custom resource, is another;
/// nothing when all is well, or it is no JSON. It is made one of that kind when it says none.
[[nodiscard]] std::optional<api::Status> refusal_of_kind(std::string& body,
                                                         const ResourceType& type);

/// 422 for a name that no object of that type can have; nothing for a good one. `generated` is the
/// beginning of a name that the server makes, where there is no name.
[[nodiscard]] std::optional<api::Status> refusal_of_name(const ResourceType& type,
                                                         const std::string& name,
                                                         const std::string& generated);

/// 422 for a CustomResourceDefinition without a group, a plural or a kind, or with another name
/// than these make; nothing for a good one, and for all that is none. Mirrors
/// apiextensions-apiserver ValidateCustomResourceDefinition.
[[nodiscard]] std::optional<api::Status> refusal_of_definition(const Request& request);

}  // namespace watchlab::sim
