#pragma once

#include <optional>

#include "sim/apiserver/object_store.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

/// What the objects of a namespace use of what its ResourceQuotas allow. Mirrors kubernetes
/// pkg/quota/v1/evaluator/core and apiserver pkg/admission/plugin/resourcequota, with one
/// difference: what is used is counted in the store for each write, and not kept in a status, so it
/// is never late.
namespace watchlab::sim {

/// What a quota's status says, `hard` and `used`.
[[nodiscard]] boost::json::object quota_status(const ObjectStore& store, const ResourceTypes& types,
                                               const api::Object& quota);

/// 403 when a namespace's quotas leave no room for an object, or for its next state; `before` is
/// null for a new one.
[[nodiscard]] std::optional<api::Status> refusal_of_quota(const ObjectStore& store,
                                                          const ResourceType& type,
                                                          const api::Object* before,
                                                          const api::Object& next);

}  // namespace watchlab::sim
