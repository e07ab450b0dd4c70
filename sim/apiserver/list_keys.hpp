#pragma once

#include <optional>
#include <string_view>

/// What the schema of a real server says about lists, as far as it is known here: by the list's
/// name alone, because this server has no schemas.
namespace watchlab::sim {

/// By which member the elements of a list of objects meet when it is merged: `name` for containers
/// and volumes, `type` for conditions, `uid` for owners. Nothing for a list that is replaced as a
/// whole. Differs from the real one: ports meet by `containerPort` alone, also those of Services.
[[nodiscard]] std::optional<std::string_view> merge_key_of(std::string_view list);

/// Whether a list of strings is a set, whose elements can belong to different writers: finalizers.
[[nodiscard]] bool is_set_of_strings(std::string_view list);

/// Whether an object is one value, replaced and owned as a whole: selectors.
[[nodiscard]] bool is_atomic_object(std::string_view member);

}  // namespace watchlab::sim
