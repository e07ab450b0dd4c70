#pragma once

#include <string>

#include "core/api/resource.hpp"

namespace watchlab::informers {

/// A resource and the type of its objects: what an informer has to know of either.
struct InformedResource {
  api::GroupVersionResource resource;
  std::string api_version;  ///< of the objects; "" accepts any
  std::string kind;         ///< of the objects; "" accepts any
};

/// The resources that stories use most. A custom resource is written out in the same way.
[[nodiscard]] InformedResource config_maps();
[[nodiscard]] InformedResource pods();
[[nodiscard]] InformedResource events();
[[nodiscard]] InformedResource deployments();

}  // namespace watchlab::informers
