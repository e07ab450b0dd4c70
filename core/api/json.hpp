#pragma once

#include <string>
#include <string_view>

#include "core/api/object.hpp"
#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/api/status.hpp"

/// Objects, lists and statuses as JSON text, as an API server writes them. Output is compact, has
/// its members in the server's fixed order, and omits unset ones, so equal values give equal text.
/// Input may have any order and white space. Unknown members are kept verbatim in `Object::body`
/// and `ObjectMeta::other_members`.
///
/// Errors are of `ErrorKind::Decode` and say where in the text, or in which member. Any task may
/// call any of these functions.
namespace watchlab::api {

/// It is a bug if `body` or `other_members` is neither "" nor a JSON object.
[[nodiscard]] std::string to_json(const Object& object);
[[nodiscard]] std::string to_json(const ObjectList& list);
[[nodiscard]] std::string to_json(const Status& status);

/// Fails if there is no kind, as the original's decoder does.
[[nodiscard]] Result<Object> object_from_json(std::string_view text);
/// Items without a kind take it from the list: a "ConfigMapList" holds "ConfigMap"s.
[[nodiscard]] Result<ObjectList> list_from_json(std::string_view text);
/// Fails if the kind is not "Status".
[[nodiscard]] Result<Status> status_from_json(std::string_view text);
/// The kind in a JSON text, or "" if there is none: to find out how to decode it.
[[nodiscard]] Result<std::string> kind_in_json(std::string_view text);

}  // namespace watchlab::api
