#pragma once

#include <optional>
#include <string>

#include "core/api/object.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::sim {

// The subresource /scale of what has replicas: one number of an object, in a form that is the same
// for all kinds (autoscaling/v1 Scale).

/// Where the objects have it that a path to a scale is about; nothing for other paths, and for
/// objects without one.
[[nodiscard]] std::optional<ScalePaths> scale_paths(const Target& target,
                                                    const ResourceTypes& types);
/// The request to the object itself that a request to its scale stands for. Fails with a Status:
/// 422 for a number of replicas that is none, 405 and 415 for what cannot be done with a scale.
[[nodiscard]] api::Result<HttpRequest> request_behind_scale(HttpRequest http, const Target& target,
                                                            const ScalePaths& paths);
/// The JSON of an object's scale.
[[nodiscard]] std::string scale_of(const api::Object& object, const ScalePaths& paths);

}  // namespace watchlab::sim
