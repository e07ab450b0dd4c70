#pragma once

#include "core/api/result.hpp"
#include "core/runtime/time.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"

/// Server-side apply: a writer sends the fields that it wants an object to have, and owns them
/// until it sends something else. `metadata.managedFields` says who owns which field. Pure
/// functions of the existing object and the request, without a store. Mirrors apimachinery
/// managedfields, FieldManager.
///
/// Differs from a real server: owners are tracked only of objects that have ever been applied, so
/// that other objects stay small; the fields that such an object had before its first apply belongs
/// to "before-first-apply", as on a real server whose object has no managed fields. An update
/// cannot set the owners itself; it can only remove all of them by one empty entry. Objects have no
/// schemas: see sim/apiserver/applied_fields.hpp. An old entry of an updater is never merged into
/// "ancient-changes". Configurations are JSON, which is YAML too.
namespace watchlab::sim {

/// Checks the options of a PATCH. Fails with a 422 Status for an apply without a field manager,
/// for a manager's name that is too long, and for `force` beside another kind of patch.
[[nodiscard]] api::Result<void> check_patch_options(const Request& request);

/// The object that an apply asks for: `existing`, or nothing at all when that is null, with the
/// configuration merged in and without the fields that the same manager applied before and has
/// left out now, unless others own them. Its managedFields say who owns what from then on. As the
/// object of a create or an update. Fails with a Status: 400 for a configuration that cannot be
/// read or is of another kind, version, name or namespace; 409 when it changes what another manager
/// owns and does not force it; 500 for a list with one key twice.
[[nodiscard]] api::Result<api::Object> applied_object(const ResourceType& type,
                                                      const api::Object* existing,
                                                      const Request& request,
                                                      runtime::TimePoint now);

/// Whether the applied object, as it would be stored, differs from the existing one only in the
/// times of its managedFields: then there is nothing to write. New times may change the order of
/// the owners, and that is a difference. Mirrors IgnoreManagedFieldsTimestampsTransformer.
[[nodiscard]] bool only_times_differ(const api::Object& existing, const api::Object& applied);

/// An update: of which object, by which request, and when.
struct UpdateContext {
  const ResourceType& type;
  const Request& request;
  runtime::TimePoint now;
};

/// The object that an update is about to store, with its new managedFields: fields that the update
/// changes belong to the updater alone. An object whose fields have no owners stays as it is.
[[nodiscard]] api::Object with_updated_owners(const api::Object& existing, api::Object next,
                                              const UpdateContext& update);

}  // namespace watchlab::sim
