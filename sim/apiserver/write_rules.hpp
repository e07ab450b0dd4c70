#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/api/result.hpp"
#include "core/runtime/time.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"

/// The rules of writing one object, as functions of what is there and what is asked: no store.
namespace watchlab::sim {

/// An object that is not stored yet, so that its holder may still change it. Objects are
/// handed on this way because each move of one is a dozen strings.
using FreshObject = std::shared_ptr<api::Object>;

/// A new object as it shall be stored. Fails with a Status: 400 for a namespace that contradicts
/// the request's, 422 without a name, 500 with a resourceVersion.
[[nodiscard]] api::Result<FreshObject> new_object(const ResourceType& type, const Request& request,
                                                  runtime::TimePoint now);

/// An existing object as it shall be stored after an update: what belongs to the server stays the
/// server's. Fails with a Status: 409 for an old revision or another uid, 422 for a custom resource
/// without a revision, and for a finalizer added to an object that is being deleted.
[[nodiscard]] api::Result<FreshObject> updated_object(const ResourceType& type,
                                                      const api::Object& existing,
                                                      const Request& request);

/// An existing object with a PATCH applied, as the object of an update; for all kinds of patches
/// but `PatchType::Apply` (sim/apiserver/apply_patch.hpp). Fails with a Status: 400 and 422 for
/// patches that do not fit.
[[nodiscard]] api::Result<api::Object> patched_object(const api::Object& existing,
                                                      const Request& request);

/// Whether storing `next` in place of `existing` would change anything.
[[nodiscard]] bool changes_nothing(const api::Object& existing, const api::Object& next);

/// Makes a namespace as a server stores it: active, and with the finalizer in its spec for whoever
/// empties it. Leaves all other objects as they are.
void hold_namespace(const ResourceType& type, api::Object& object);
/// Whether it is a namespace with such a finalizer: it is marked by a DELETE, and goes later.
[[nodiscard]] bool is_held_namespace(const ResourceType& type, const api::Object& object);
void set_namespace_phase(api::Object& object, std::string_view phase);

/// How many seconds the object may take for its end when it is deleted; 0 for all but pods that run
/// on a node. Mirrors registry/core/pod/strategy.go, CheckGracefulDelete.
[[nodiscard]] std::int64_t grace_of(const ResourceType& type, const api::Object& existing,
                                    const DeleteOptions& options);
/// How many seconds it was given when it was deleted; 0 for none.
[[nodiscard]] std::int64_t granted_grace(const api::ObjectMeta& metadata);

/// The object marked as being deleted, with that many seconds for its end. Mirrors what a server
/// does while finalizers, or a grace period, hold it.
[[nodiscard]] api::Object marked_for_deletion(const api::Object& existing,
                                              const DeleteOptions& options, runtime::TimePoint now,
                                              std::int64_t grace);

/// Succeeds when the delete names one of the three policies, or none; 422 otherwise.
[[nodiscard]] api::Result<void> check_policy(const DeleteOptions& options);

/// Succeeds when the object is the one that the delete means; 409 otherwise.
[[nodiscard]] api::Result<void> check_preconditions(const ResourceType& type,
                                                    const api::Object& existing,
                                                    const DeleteOptions& options);

}  // namespace watchlab::sim
