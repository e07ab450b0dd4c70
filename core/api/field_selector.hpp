#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/result.hpp"

namespace watchlab::api {

/// One condition on a field.
struct FieldRequirement {
  std::string field;  ///< "metadata.name", "status.phase"
  std::string value;
  bool equal = true;  ///< whether the field must have the value, or must not

  bool operator==(const FieldRequirement&) const = default;
};

/// Reads the query parameter's form, "metadata.name=demo,status.phase!=Failed"; "" has no
/// requirements. A backslash takes the meaning from a comma, an equals sign or a backslash in a
/// value. The failure is of `ErrorKind::Other` and quotes what it did not understand. Mirrors
/// apimachinery pkg/fields, ParseSelector.
[[nodiscard]] Result<std::vector<FieldRequirement>> parse_field_requirements(std::string_view text);

/// Chooses objects by fields: all requirements must hold. Mirrors apimachinery pkg/fields,
/// Selector.
///
/// Only the two fields that every resource offers are known. A server offers more for some kinds
/// (a pod's node); asking for one of those is an error here, as it is there for other kinds.
class FieldSelector {
 public:
  /// Matches everything.
  FieldSelector() = default;
  /// As `parse_field_requirements`; "" matches everything, and so does "=". Any other field is a
  /// failure of `ErrorKind::Other`, too.
  [[nodiscard]] static Result<FieldSelector> parse(std::string_view text);

  [[nodiscard]] bool matches(const ObjectMeta& metadata) const;
  /// Whether it has no requirements and so matches everything.
  [[nodiscard]] bool is_everything() const { return requirements_.empty(); }
  [[nodiscard]] const std::vector<FieldRequirement>& requirements() const { return requirements_; }

 private:
  std::vector<FieldRequirement> requirements_;
};

}  // namespace watchlab::api
