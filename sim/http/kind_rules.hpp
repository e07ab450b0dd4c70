#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/status.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/kinds/kind_table.hpp"

/// What a server of a release does with objects of its built-in kinds, beside storing them.
namespace watchlab::sim {

/// Null for a custom resource, and for a collection that the newest release does not have.
[[nodiscard]] const Kind* built_in_kind(const ResourceType& type);

/// The collections of all built-in kinds.
[[nodiscard]] std::vector<ResourceType> built_in_collections();

/// Makes of an object of a built-in kind what a server has after it has read it: members that its
/// kind does not have are gone, and what a server adds is there. Other objects stay as they are.
void complete_object(const ResourceType& type, api::Object& object);

/// `unknown field "spec.x"` for each member of an object, or of a patch of one, that its kind does
/// not have, and `duplicate field "spec.y"` for each that it has twice; nothing for a text that is
/// no JSON object.
[[nodiscard]] std::vector<std::string> unknown_fields(std::string_view text,
                                                      const ResourceType& type);

/// How strictly a body is checked.
struct FieldValidation {
  std::string_view validation;  ///< "Strict", "Warn", "Ignore" or ""
  /// `line 5: key "a" already set in map` for each duplicate key in its YAML.
  const std::vector<std::string>& repeated_keys;
};

/// Why the body of a write is no object of that type: 400 for a value of another type, and for an
/// unknown field or a repeated key when `validation` is "Strict" (422 in a patch; in an apply
/// always a 500 for an unknown field); nothing when all is well.
[[nodiscard]] std::optional<api::Status> refusal_of_fields(const Request& request,
                                                           std::string_view body,
                                                           const ResourceType& type,
                                                           const FieldValidation& how);

}  // namespace watchlab::sim
