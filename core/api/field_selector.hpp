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
  bool equal = true;  ///< whether the field must or must not have the value

  bool operator==(const FieldRequirement&) const = default;
};

/// Parses the query parameter's form, "metadata.name=demo,status.phase!=Failed"; "" has no
/// requirements. In a value, a backslash escapes a comma, an equals sign or a backslash. The error
/// is of `ErrorKind::Other` and quotes the part that it did not understand. Mirrors apimachinery
/// pkg/fields, ParseSelector.
[[nodiscard]] Result<std::vector<FieldRequirement>> parse_field_requirements(std::string_view text);

/// Selects objects by fields: all requirements must hold. Mirrors apimachinery pkg/fields,
/// Selector.
///
/// Knows only the two fields that every resource offers. A server offers more for some kinds (such
/// as a pod's node). Asking for one of those is an error here, as it is on a server for other
/// kinds.
class FieldSelector {
 public:
  /// Matches everything.
  FieldSelector() = default;
  /// Like `parse_field_requirements`; "" and "=" match everything. Any other field is also an error
  /// of `ErrorKind::Other`.
  [[nodiscard]] static Result<FieldSelector> parse(std::string_view text);

  [[nodiscard]] bool matches(const ObjectMeta& metadata) const;
  /// Whether it has no requirements and so matches everything.
  [[nodiscard]] bool is_everything() const { return requirements_.empty(); }
  [[nodiscard]] const std::vector<FieldRequirement>& requirements() const { return requirements_; }

 private:
  std::vector<FieldRequirement> requirements_;
};

}  // namespace watchlab::api
