#pragma once

#include <compare>
#include <string>

namespace watchlab::api {

/// Names a collection of objects: {"", "v1", "configmaps"}.
struct GroupVersionResource {
  std::string group;
  std::string version;
  std::string resource;

  auto operator<=>(const GroupVersionResource&) const = default;
};

}  // namespace watchlab::api
