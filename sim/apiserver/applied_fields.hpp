#pragma once

#include <string>

#include "core/api/result.hpp"
#include "sim/apiserver/managed_fields.hpp"

/// Objects as the fields that writers own: which fields some JSON text has, what a write changes,
/// and how an applied configuration is merged and pruned. Texts are JSON objects; one that cannot
/// be read counts as empty. What only the server writes (kind, name, revision and so on) is no
/// field. In a custom resource the maps are fields as well, beside what they hold, but for those of
/// its metadata. Differs from a real server: there are no schemas, so lists are known by their
/// names (sim/apiserver/managed_fields.hpp), and no member of a custom resource is by one.
namespace watchlab::sim {

/// All fields of an object.
[[nodiscard]] FieldSet fields_in(const std::string& object, bool custom);

/// What became of the fields of an object between two states of it.
struct FieldChanges {
  FieldSet changed;  ///< new, or with another value
  FieldSet removed;
  /// Objects and lists that were not there, and have parts now. They belong to who writes the
  /// parts; but who has applied an empty one before loses it.
  FieldSet begun;

  [[nodiscard]] bool none() const { return changed.empty() && removed.empty(); }
};
[[nodiscard]] FieldChanges field_changes(const std::string& before, const std::string& after,
                                         bool custom);

/// What a manager wants an object to be, merged into what it is: members and elements with the same
/// key meet, sets are united, all else takes the new value, which may be null.
[[nodiscard]] std::string with_configuration(const std::string& object,
                                             const std::string& configuration);

/// An object without the fields of `gone` that are not `kept`. An element of a list, and a map of a
/// custom resource, goes with all that it holds unless it is kept itself; a member that a schema
/// names stays as long as anything below it is kept, and goes if a removal leaves it empty. A map
/// of a custom resource that is left empty is null then.
[[nodiscard]] std::string without_fields(const std::string& object, const FieldSet& gone,
                                         const FieldSet& kept, bool custom);

/// An object as its type reads it: null members are left out, but texts of labels, annotations and
/// data are empty then. Custom resources keep what is null beside their metadata.
[[nodiscard]] std::string without_nulls(const std::string& object, bool custom);

/// Fails with a 500 Status when two elements of one list have the same key.
[[nodiscard]] api::Result<void> check_keys(const std::string& configuration);

}  // namespace watchlab::sim
