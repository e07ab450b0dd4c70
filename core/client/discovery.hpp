#pragma once

#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/client/rest_client.hpp"

namespace watchlab::client {

/// A collection that a server serves.
struct ServedResource {
  api::GroupVersionResource resource;
  std::string kind;  ///< of its objects, such as "Deployment"
  bool namespaced = true;
  std::string singular{};
  std::vector<std::string> short_names{};
};

/// What the server serves: the core group, and the preferred version of every other group. Mirrors
/// client-go discovery, ServerPreferredResources.
[[nodiscard]] api::Result<std::vector<ServedResource>> served_resources(
    RestClient& client, const runtime::StopToken& stop);

/// The collection for a name as people write it: "deployments", "deployment", "deploy",
/// "Deployment", or "deployments.apps" if several groups have one. If there is none, fails with
/// Other and names the nearest. Mirrors client-go restmapper, as far as kubectl uses it.
[[nodiscard]] api::Result<ServedResource> find_resource(RestClient& client,
                                                        const runtime::StopToken& stop,
                                                        const std::string& name);

}  // namespace watchlab::client
