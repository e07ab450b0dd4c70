#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/status.hpp"
#include "core/runtime/time.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/apiserver/stamps.hpp"

namespace watchlab::sim::status_bodies {

// The Status bodies that an API server answers with, each under the name of its situation. All
// fields are as a real server fills them (docs/apiserver_rules.md E and U).

/// 404 for one object.
[[nodiscard]] api::Status not_found(const api::GroupVersionResource& resource,
                                    std::string_view name);
/// 404 for a collection that the server does not serve.
[[nodiscard]] api::Status unknown_resource();
/// 409 for a create of what exists.
[[nodiscard]] api::Status already_exists(const api::GroupVersionResource& resource,
                                         std::string_view name);
/// The same while the one that exists is being deleted.
[[nodiscard]] api::Status still_exists(const api::GroupVersionResource& resource,
                                       std::string_view name);
/// 409 for an update from an old revision.
[[nodiscard]] api::Status modified_since(const api::GroupVersionResource& resource,
                                         std::string_view name);
/// 409 for the uid in an object that is written, when that of the stored one is another.
[[nodiscard]] api::Status other_uid(const ResourceType& type, const std::string& key,
                                    std::string_view asked, std::string_view found);
/// 409 for an apply that names the uid of what is not there.
[[nodiscard]] api::Status nothing_of_uid(const ResourceType& type, std::string_view name,
                                         std::string_view asked);
/// 409 for a precondition of a delete, on `what` ("UID"), that does not hold. `hint` says what may
/// have happened to the object.
[[nodiscard]] api::Status precondition_failed(const ResourceType& type, std::string_view name,
                                              std::string_view why, std::string_view hint);
/// 422 for an object with bad fields.
[[nodiscard]] api::Status invalid_object(const api::GroupVersionResource& resource,
                                         std::string_view kind, std::string_view name,
                                         std::vector<api::StatusCause> causes);
/// 422 for list options that contradict each other.
[[nodiscard]] api::Status invalid_options(std::vector<api::StatusCause> causes);
/// 422 for options of a patch that are missing or contradict each other.
[[nodiscard]] api::Status invalid_patch_options(api::StatusCause cause);
/// 415 for a strategic merge patch of a custom resource.
[[nodiscard]] api::Status unsupported_patch();
/// 409 for an apply that changes what other managers own; it does not name the object.
[[nodiscard]] api::Status apply_conflict(std::string message, std::vector<api::StatusCause> causes);
/// 400.
[[nodiscard]] api::Status bad_request(std::string message);
/// 500 without a reason: what a server says to that for which it has no answer of its own.
[[nodiscard]] api::Status nameless_failure(std::string message);
/// 500 for a resourceVersion that is no number.
[[nodiscard]] api::Status no_revision(std::string_view text);
/// 400 for that of a list.
[[nodiscard]] api::Status list_of_no_revision(std::string_view text);
/// 410 for an exact list of a compacted state.
[[nodiscard]] api::Status list_expired();
/// 410 for a continue token of a compacted state; carries a token for the rest as it is now.
[[nodiscard]] api::Status continue_expired(std::string inconsistent_token);
/// 410 for a watch that starts before the watch cache window.
[[nodiscard]] api::Status watch_too_old(Revision asked, Revision oldest);
/// 410 for a watch of an uncached collection that starts before the compacted revision.
[[nodiscard]] api::Status uncached_watch_too_old();
/// 504 for a revision that this server has not reached in time.
[[nodiscard]] api::Status too_large_revision(Revision asked, Revision current);
/// 413 for an object that a write would make longer than that many bytes.
[[nodiscard]] api::Status too_large_object(std::size_t limit);
/// 429 while a watch cache is being filled.
[[nodiscard]] api::Status cache_not_ready(runtime::Duration down_for);
/// 403 for a create in a namespace that is going away.
[[nodiscard]] api::Status namespace_terminating(const api::GroupVersionResource& resource,
                                                std::string_view name,
                                                std::string_view namespace_name);
/// What a delete is answered with; names what was deleted, and has no code, unlike all failures.
[[nodiscard]] api::Status deleted(const api::GroupVersionResource& resource, std::string_view name,
                                  std::string_view uid);

}  // namespace watchlab::sim::status_bodies

namespace watchlab::sim {

// The body of an object is JSON text with every member but the metadata; these functions look at
// its status and at the rest apart. A body that is no JSON object reads as an empty one.

/// Whether both bodies say the same, members in any order.
[[nodiscard]] bool same_body(std::string_view a, std::string_view b);
/// Whether both bodies say the same once the status is left out.
[[nodiscard]] bool same_but_for_status(std::string_view a, std::string_view b);
/// `body` with its status taken from `source`: replaced, added, or removed when there is none.
[[nodiscard]] std::string with_status_of(const std::string& body, const std::string& source);

}  // namespace watchlab::sim
