#pragma once

#include <string>

#include "core/api/object.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::sim {

// The subresource /scale of what has replicas: one number of an object, in a form that is the same
// for all kinds (autoscaling/v1 Scale).

/// Whether objects of that kind have it.
[[nodiscard]] bool has_scale(const api::GroupVersionResource& resource);
/// Whether a path leads to one.
[[nodiscard]] bool is_scale(const Target& target);
/// The request to the object itself that a request to its scale stands for. Fails with a Status:
/// 422 for a number of replicas that is none, 405 and 415 for what cannot be done with a scale.
[[nodiscard]] api::Result<HttpRequest> request_behind_scale(HttpRequest http, const Target& target);
/// The JSON of an object's scale.
[[nodiscard]] std::string scale_of(const api::Object& object);

}  // namespace watchlab::sim
