#pragma once

#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "sim/apiserver/field_set.hpp"

namespace watchlab::sim {

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
  /// Whether both are the same writer, whatever it owns. An applier is one whichever version of
  /// the object it writes.
  [[nodiscard]] bool same_writer(const ManagedEntry& other) const;
};
using ManagedEntries = std::vector<ManagedEntry>;

/// `"web" with subresource "status" using v1`: a writer as messages about conflicts name it. The
/// version is that of updates only.
[[nodiscard]] std::string writer_text(const ManagedEntry& entry);

/// The entries of an object, none when it has no managedFields or something else in their place.
[[nodiscard]] ManagedEntries managed_entries_of(const api::ObjectMeta& metadata);
/// Whether the managedFields are one empty entry, by which a writer asks for all to be forgotten.
[[nodiscard]] bool forgets_managers(const api::ObjectMeta& metadata);
/// Writes entries into an object: those that own nothing are left out, appliers come first, then
/// the older ones, then the names decide. No member is left when there is none.
void set_managed_entries(api::ObjectMeta& metadata, ManagedEntries entries);

}  // namespace watchlab::sim
