#pragma once

#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/client/rest_client.hpp"

namespace watchlab::client {

/// A collection that a server says it has.
struct ServedResource {
  api::GroupVersionResource resource;
  std::string kind;  ///< of its objects: "Deployment"
  bool namespaced = true;
  std::string singular{};
  std::vector<std::string> short_names{};
};

/// What the server has: the core group, and of each other group the version that it prefers.
/// Mirrors client-go discovery, ServerPreferredResources.
[[nodiscard]] api::Result<std::vector<ServedResource>> served_resources(
    RestClient& client, const runtime::StopToken& stop);

/// The collection that people call that: "deployments", "deployment", "deploy", "Deployment", or
/// "deployments.apps" where several groups have one. Fails with Other, and names the nearest, when
/// there is none. Mirrors client-go restmapper, as far as kubectl uses it.
[[nodiscard]] api::Result<ServedResource> find_resource(RestClient& client,
                                                        const runtime::StopToken& stop,
                                                        const std::string& name);

}  // namespace watchlab::client
