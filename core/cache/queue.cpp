#include "core/cache/queue.hpp"

#include <array>

namespace watchlab::cache {

std::string_view to_string(DeltaType type) {
  constexpr std::array<std::string_view, 5> kNames{"Added", "Updated", "Deleted", "Replaced",
                                                   "Sync"};
  return kNames.at(static_cast<std::size_t>(type));
}

const Delta* oldest(const Deltas& deltas) { return deltas.empty() ? nullptr : &deltas.front(); }

const Delta* newest(const Deltas& deltas) { return deltas.empty() ? nullptr : &deltas.back(); }

std::string types_of(const Deltas& deltas) {
  std::string types;
  for (const Delta& delta : deltas) {
    types.append(types.empty() ? "" : " ").append(to_string(delta.type));
  }
  return types;
}

api::Error fifo_closed() {
  return {.kind = api::ErrorKind::Closed, .message = "the queue is closed"};
}

}  // namespace watchlab::cache
