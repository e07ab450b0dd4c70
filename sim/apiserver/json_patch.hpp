#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/api/result.hpp"

/// The three ways in which a PATCH body changes JSON text. All of them fail with a Status: 400 for
/// a patch that cannot be read, 422 for one that cannot be applied or is too much work, 413 for one
/// that makes more than 3 MiB.
namespace watchlab::sim {

/// How long an object may become by a patch or an apply, in bytes of JSON: as long as what is
/// posted.
inline constexpr std::size_t kPatchedMax = std::size_t{3} << 20;

/// RFC 7386: members replace members, null removes, everything else replaces the whole.
[[nodiscard]] api::Result<std::string> merge_patched(const std::string& document,
                                                     const std::string& patch);
/// Whether the text is a JSON pointer (RFC 6901): "" or "/data/a", with ~1 for "/" and ~0 for "~".
[[nodiscard]] bool is_json_pointer(std::string_view text);
/// RFC 6902: a list of add, remove, replace, move, copy and test.
[[nodiscard]] api::Result<std::string> json_patched(const std::string& document,
                                                    const std::string& patch);
/// A merge patch that also merges lists of objects: elements meet by the key that the Kubernetes
/// API uses for the list (`merge_key_of`), and `$patch: delete` takes one away; where the list is
/// new, such an element is left out. Lists of other things are replaced. What the document says its
/// kind is has the keys; a kind that is not built in has those that are known by a list's name.
/// Differs from the real one: lists keep their own order, whatever `$setElementOrder` says.
[[nodiscard]] api::Result<std::string> strategic_patched(const std::string& document,
                                                         const std::string& patch);

}  // namespace watchlab::sim
