#pragma once

#include <compare>
#include <string>

namespace watchlab::api {

/// Names a collection of objects: {"", "v1", "configmaps"}, {"apps", "v1", "deployments"}. Mirrors
/// apimachinery runtime/schema, GroupVersionResource. Compared and sorted by all three.
struct GroupVersionResource {
  std::string group;
  std::string version;
  std::string resource;

  auto operator<=>(const GroupVersionResource&) const = default;
};

}  // namespace watchlab::api
