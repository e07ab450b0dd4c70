#pragma once

#include <string>
#include <string_view>

#include "sim/apiserver/resource_type.hpp"

/// The schema of what a server serves, as far as clients need it: so much that `kubectl explain`
/// has something to say, and that kubectl leaves the checking of objects to the server.
namespace watchlab::sim {

/// /openapi/v3: where the document of each group and version is.
[[nodiscard]] std::string openapi_index(const ResourceTypes& types);
/// The document of one group and version; "" when nothing is served there.
[[nodiscard]] std::string openapi_document(const ResourceTypes& types, std::string_view group,
                                           std::string_view version);

}  // namespace watchlab::sim
