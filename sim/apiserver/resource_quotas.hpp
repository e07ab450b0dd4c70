#pragma once

#include <optional>

#include "sim/apiserver/object_store.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

/// Usage and limits of ResourceQuotas. Mirrors kubernetes pkg/quota/v1/evaluator/core and apiserver
/// pkg/admission/plugin/resourcequota, with one difference: each write counts the usage in the
/// store instead of reading it from a status, so it is never stale.
namespace watchlab::sim {

/// The status of a quota: `hard` and `used`.
[[nodiscard]] boost::json::object quota_status(const ObjectStore& store, const ResourceTypes& types,
                                               const api::Object& quota);

/// A 403 if a namespace's quotas leave no room for an object or for its next state; `before` is
/// null for a new one.
[[nodiscard]] std::optional<api::Status> refusal_of_quota(const ObjectStore& store,
                                                          const ResourceType& type,
                                                          const api::Object* before,
                                                          const api::Object& next);

}  // namespace watchlab::sim
