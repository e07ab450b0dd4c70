#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/cache/item.hpp"

namespace watchlab::cache {

/// What happened to an object, as far as a queue was told. Mirrors client-go
/// tools/cache/delta_fifo.go, DeltaType.
enum class DeltaType : std::uint8_t {
  Added,
  Updated,
  Deleted,   ///< with the last state, or with a tombstone when that was not seen
  Replaced,  ///< a list told it: after a relist, or for the first time
  Sync,      ///< nothing happened; a resync tells again what should be known
};

/// "Added" and so on.
[[nodiscard]] std::string_view name_of(DeltaType type);

/// One thing that happened, with the object's state after it, or before it for Deleted. Mirrors
/// client-go tools/cache/delta_fifo.go, Delta.
struct Delta {
  DeltaType type = DeltaType::Added;
  Item object;

  bool operator==(const Delta&) const = default;
};

/// What happened to one object since the consumer last looked, the oldest first; never empty in a
/// queue. Mirrors client-go tools/cache/delta_fifo.go, Deltas.
using Deltas = std::vector<Delta>;

/// Null when there is none. The pointer is good as long as `deltas` is not changed.
[[nodiscard]] const Delta* oldest(const Deltas& deltas);
[[nodiscard]] const Delta* newest(const Deltas& deltas);

/// The types in order, as "Added Updated": for notes and messages.
[[nodiscard]] std::string types_of(const Deltas& deltas);

}  // namespace watchlab::cache
