#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/apiserver/resource_type.hpp"

/// What a server says about itself: the pages by which clients find out which resources there are.
/// All of it follows from the table of resource types; JSON texts.
namespace watchlab::sim {

/// /api: the versions of the core group.
[[nodiscard]] std::string core_versions_page();
/// /apis: all other groups.
[[nodiscard]] std::string groups_page(const ResourceTypes& types);
/// /apis/GROUP; "" when there is no such group.
[[nodiscard]] std::string group_page(const ResourceTypes& types, std::string_view group);
/// /api/v1 and /apis/GROUP/VERSION; "" when nothing is served there.
[[nodiscard]] std::string resources_page(const ResourceTypes& types, std::string_view group,
                                         std::string_view version);
/// The aggregated form of /api (`core`) or /apis, all groups and resources in one answer.
/// `version` is that of the format, "v2" or "v2beta1".
[[nodiscard]] std::string aggregated_page(const ResourceTypes& types, bool core,
                                          std::string_view version);
/// The answer to a client that asks what it may do, or who it is, as `kubectl auth` does: all, once
/// its token was taken. "" for a path that is no review; `body` is JSON.
[[nodiscard]] std::string access_review(const std::vector<std::string>& path,
                                        const std::string& body);
/// /version: what the server says it is.
[[nodiscard]] std::string version_page();

/// A group and one of its versions.
struct ServedVersion {
  std::string group;
  std::string version;

  auto operator<=>(const ServedVersion&) const = default;
};
/// All that have resources, in order, and the types of each.
[[nodiscard]] std::vector<ServedVersion> served_versions(const ResourceTypes& types);
[[nodiscard]] std::vector<const ResourceType*> types_in(const ResourceTypes& types,
                                                        std::string_view group,
                                                        std::string_view version);

/// What a collection can be called beside its own name, and the words that stand for several.
struct ResourceNames {
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
};

// The schema of what a server serves, as far as clients need it: so much that `kubectl explain`
// has something to say, and that kubectl leaves the checking of objects to the server.

/// /openapi/v3: where the document of each group and version is.
[[nodiscard]] std::string openapi_index(const ResourceTypes& types);
/// The document of one group and version; "" when nothing is served there.
[[nodiscard]] std::string openapi_document(const ResourceTypes& types, std::string_view group,
                                           std::string_view version);
/// /openapi/v2: all schemas, without paths.
[[nodiscard]] std::string openapi_two(const ResourceTypes& types);

}  // namespace watchlab::sim
