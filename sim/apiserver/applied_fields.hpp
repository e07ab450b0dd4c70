#pragma once

#include <string>

#include "core/api/result.hpp"
#include "sim/apiserver/managed_fields.hpp"

/// The fields of objects that writers own: which fields a JSON text has, which of them a write
/// changes, and how an applied configuration is merged and pruned. Texts are JSON objects; one that
/// cannot be read counts as empty. Values that only the server writes (kind, name, revision and so
/// on) are not fields. In a custom resource the maps are fields as well as the values in them,
/// except in its metadata. Differs from a real server: there are no schemas, so lists are known by
/// their names (sim/apiserver/managed_fields.hpp), and no member of a custom resource is by one.
namespace watchlab::sim {

/// All fields of an object.
[[nodiscard]] FieldSet fields_in(const std::string& object, bool custom);

/// How the fields of an object changed between two of its states.
struct FieldChanges {
  FieldSet changed;  ///< new, or with another value
  FieldSet removed;
  /// Objects and lists that were not there or were empty, and have parts now. They belong to the
  /// writer of the parts; a writer that had applied an empty one loses it.
  FieldSet begun;

  [[nodiscard]] bool none() const { return changed.empty() && removed.empty(); }
};
[[nodiscard]] FieldChanges field_changes(const std::string& before, const std::string& after,
                                         bool custom);

/// Merges the object that a manager wants into the existing one: members and elements with the same
/// key are merged, sets are united, and everything else takes the new value, which may be null.
[[nodiscard]] std::string with_configuration(const std::string& object,
                                             const std::string& configuration);

/// An object without the fields of `gone` that are not `kept`. An element of a list, and a map of a
/// custom resource, is removed with everything in it unless it is kept itself; a member that a
/// schema names stays as long as anything below it is kept, and is removed when it becomes empty. A
/// map of a custom resource that is left empty is null then.
[[nodiscard]] std::string without_fields(const std::string& object, const FieldSet& gone,
                                         const FieldSet& kept, bool custom);

/// An object as its type reads it: null members are left out, but texts of labels, annotations and
/// data are empty then. Custom resources keep what is null beside their metadata.
[[nodiscard]] std::string without_nulls(const std::string& object, bool custom);

/// Fails with a 413 Status when the paths of all fields take more than 64 MiB, as long names with
/// many fields below them make them: each field would be kept with its own.
[[nodiscard]] api::Result<void> check_paths(const std::string& object);

/// Fails with a 500 Status when two elements of one list have the same key.
[[nodiscard]] api::Result<void> check_keys(const std::string& configuration);

}  // namespace watchlab::sim
