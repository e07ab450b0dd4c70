#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

namespace watchlab::sim {

/// How deep the JSON of an object, and of a change to it, may be: deeper than the readers of
/// objects accept, which is deeper than the schemas of custom resources need.
inline constexpr std::size_t kJsonDepthMax = 128;

/// The text as a JSON object; an empty one if the text is not a JSON object.
[[nodiscard]] boost::json::object object_in(std::string_view text);
/// A member that is a string; "" where there is none.
[[nodiscard]] std::string text_in(const boost::json::object& object, std::string_view member);

// What the schema of a real server says about lists, as far as it is known here: by the list's
// name alone, because this server has no schemas.

/// The member by which elements of a list of objects are identified when it is merged: `name` for
/// containers and volumes, `type` for conditions, `uid` for owners. Nothing for a list that is
/// replaced as a whole. Differs from the real one: ports are identified by `containerPort` alone,
/// also those of Services.
[[nodiscard]] std::optional<std::string_view> merge_key_of(std::string_view list);

/// Whether a list of strings is a set, whose elements can belong to different writers: finalizers.
[[nodiscard]] bool is_set_of_strings(std::string_view list);

/// Whether an object is one value, replaced and owned as a whole: selectors.
[[nodiscard]] bool is_atomic_object(std::string_view member);

/// The path to a field of an object, in the form of `metadata.managedFields`: `f:spec` for a
/// member, `k:{"name":"web"}` for the element of a list that has this key, `v:"x"` for the element
/// of a set.
using FieldPath = std::vector<std::string>;

/// ".spec.containers[name=\"web\"].image": a path as messages of the server write it.
[[nodiscard]] std::string path_text(const FieldPath& path);

/// Fields of an object that belong together: those that one writer owns, or that a write has
/// changed. A field is a value without structure (a string, a list that is replaced as a whole, an
/// empty object), or an element of a list that is merged by keys; objects that hold fields are none
/// themselves. Mirrors structured-merge-diff fieldpath, Set.
class FieldSet {
 public:
  FieldSet() = default;
  /// Reads the FieldsV1 form; other values are ignored.
  [[nodiscard]] static FieldSet from_json(std::string_view text);
  /// The FieldsV1 form: objects within objects, `{}` for a field, "." for one that has fields
  /// below it. Equal sets give equal text.
  [[nodiscard]] std::string to_json() const;

  void insert(FieldPath path) { paths_.insert(std::move(path)); }
  [[nodiscard]] bool empty() const { return paths_.empty(); }
  [[nodiscard]] bool contains(const FieldPath& path) const { return paths_.contains(path); }
  /// Whether the path itself or anything below it is in the set.
  [[nodiscard]] bool reaches(const FieldPath& path) const;
  /// In the order of the steps, each field before what is below it.
  [[nodiscard]] const std::set<FieldPath>& paths() const { return paths_; }

  void add(const FieldSet& other);
  void subtract(const FieldSet& other);
  [[nodiscard]] FieldSet shared_with(const FieldSet& other) const;

  bool operator==(const FieldSet&) const = default;

 private:
  std::set<FieldPath> paths_;
};

/// One writer of an object and what it owns: an entry of `metadata.managedFields`. Mirrors
/// apimachinery meta/v1 ManagedFieldsEntry.
struct ManagedEntry {
  std::string manager;
  bool applies = false;     ///< operation Apply, or else Update
  std::string api_version;  ///< of the object as it was written
  std::string subresource;  ///< "status", or "" for the object itself
  std::string time;         ///< RFC 3339: when it last changed something
  FieldSet fields;

  bool operator==(const ManagedEntry&) const = default;
  /// Whether both are the same writer, whatever it owns. An applier is the same writer whichever
  /// version of the object it writes.
  [[nodiscard]] bool same_writer(const ManagedEntry& other) const;
};
using ManagedEntries = std::vector<ManagedEntry>;

/// `"web" with subresource "status" using v1`: a writer as messages about conflicts name it. The
/// version is that of updates only.
[[nodiscard]] std::string writer_text(const ManagedEntry& entry);

/// The entries of an object, none when it has no managedFields or something else in their place.
[[nodiscard]] ManagedEntries managed_entries_of(const api::ObjectMeta& metadata);
/// Whether the managedFields are one empty entry, by which a writer removes all owners.
[[nodiscard]] bool forgets_managers(const api::ObjectMeta& metadata);
/// Writes entries into an object: those that own nothing are left out, appliers come first, then
/// the older ones, then the names decide. Without entries the member is removed.
void set_managed_entries(api::ObjectMeta& metadata, ManagedEntries entries);

}  // namespace watchlab::sim
