#pragma once

#include <optional>

#include "core/api/object.hpp"
#include "core/api/status.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace watchlab::sim {

/// 422 for an object that a real server does not store: what is required is missing, a word is none
/// of those that there are, labels are no labels, a selector does not select its own template, or a
/// field has changed that never may. Nothing for a good one. `before` is null for a new object.
/// Mirrors what kubernetes pkg/apis/*/validation most often refuses, and the schemas of custom
/// resources.
[[nodiscard]] std::optional<api::Status> refusal_of_object(const ResourceType& type,
                                                           const api::Object* before,
                                                           const api::Object& next);

}  // namespace watchlab::sim
