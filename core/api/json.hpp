#pragma once

#include <string>
#include <string_view>

#include "core/api/object.hpp"
#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "core/api/status.hpp"

/// Objects, lists and statuses as JSON text, the way an API server writes them. What is written is
/// compact, its members stand in the server's fixed order, and what is unset is left out; so equal
/// values give equal text. What is read may have any order and any white space. Members that we do
/// not know are kept as they are, to the letter, in `Object::body` and `ObjectMeta::other_members`.
///
/// Failures are of `ErrorKind::Decode` and say where in the text, or which member. Any task may
/// call any of these functions.
namespace watchlab::api {

/// It is a bug when `body` or `other_members` is neither "" nor a JSON object.
[[nodiscard]] std::string to_json(const Object& object);
[[nodiscard]] std::string to_json(const ObjectList& list);
[[nodiscard]] std::string to_json(const Status& status);

/// Fails without a kind, as the original's decoder does.
[[nodiscard]] Result<Object> object_from_json(std::string_view text);
/// Items that do not say what they are take it from the list: a "ConfigMapList" holds "ConfigMap"s.
[[nodiscard]] Result<ObjectList> list_from_json(std::string_view text);
/// Fails when the kind is not "Status".
[[nodiscard]] Result<Status> status_from_json(std::string_view text);
/// The kind that some JSON text says it is, "" when it says none: to find out what to read it as.
[[nodiscard]] Result<std::string> kind_in_json(std::string_view text);

}  // namespace watchlab::api
