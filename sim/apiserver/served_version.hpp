#pragma once

#include <vector>

#include "core/api/object.hpp"
#include "core/api/status.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"

/// What the schemas and versions of custom resources make of objects on their way to and from the
/// store. Versions are converted as with the strategy None: only apiVersion changes, and a field
/// that the other version does not have is gone. Nothing here touches objects of other types.
namespace watchlab::sim {

/// Makes of an object that a client has sent what its version's schema says: unknown fields are
/// gone, and defaults are there.
void follow_schema(const ResourceType& type, api::Object& object);
/// The object, which is in the type's version, as it is kept. The defaults of that version are
/// added, as a real server adds them when it reads an object.
void make_kept(const ResourceType& type, api::Object& object);
/// Whether objects may be served differently than they are stored: in another version, or with
/// defaults that their schema got later.
[[nodiscard]] bool changes_answers(const ResourceType& type);
/// A stored object as it is served; the same pointer if nothing differs. Null for null.
[[nodiscard]] api::ObjectPtr as_served(const ResourceType& type, const api::ObjectPtr& object);
/// The same for all objects of an answer.
void show_as_served(const ResourceType& type, Response& response);
/// What the schema refuses of a new or changed body; `before` is null for a new object.
[[nodiscard]] std::vector<api::StatusCause> schema_mistakes(const ResourceType& type,
                                                            const api::Object* before,
                                                            const api::Object& next);

}  // namespace watchlab::sim
