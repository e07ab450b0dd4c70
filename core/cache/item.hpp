#pragma once

#include <memory>
#include <string>
#include <variant>

#include "core/api/object.hpp"

namespace watchlab::cache {

/// A tombstone: an object is known to be gone, but its last state was not seen. The object may be
/// stale, or null when not even an old state is known. Mirrors client-go tools/cache/delta_fifo.go,
/// DeletedFinalStateUnknown.
struct DeletedFinalStateUnknown {
  std::string key;
  api::ObjectPtr object;

  bool operator==(const DeletedFinalStateUnknown&) const = default;
};

using TombstonePtr = std::shared_ptr<const DeletedFinalStateUnknown>;

/// What travels through queues: an object, or a tombstone in place of one. In the original this is
/// an `interface{}`.
using Item = std::variant<api::ObjectPtr, TombstonePtr>;

/// Whether the object is gone and its last state may be old.
[[nodiscard]] inline bool is_tombstone(const Item& item) {
  return std::holds_alternative<TombstonePtr>(item);
}

/// The object itself, or the tombstone's last known one, which may be null.
[[nodiscard]] inline api::ObjectPtr object_of(const Item& item) {
  const auto* tombstone = std::get_if<TombstonePtr>(&item);
  return tombstone != nullptr ? (*tombstone)->object : std::get<api::ObjectPtr>(item);
}

}  // namespace watchlab::cache
