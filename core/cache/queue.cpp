#include "core/cache/queue.hpp"

namespace watchlab::cache {

std::string_view name_of(DeltaType type) {
  switch (type) {
    case DeltaType::Added:
      return "Added";
    case DeltaType::Updated:
      return "Updated";
    case DeltaType::Deleted:
      return "Deleted";
    case DeltaType::Replaced:
      return "Replaced";
    case DeltaType::Sync:
      return "Sync";
  }
  return "";
}

const Delta* oldest(const Deltas& deltas) { return deltas.empty() ? nullptr : &deltas.front(); }

const Delta* newest(const Deltas& deltas) { return deltas.empty() ? nullptr : &deltas.back(); }

std::string types_of(const Deltas& deltas) {
  std::string types;
  for (const Delta& delta : deltas) {
    types.append(types.empty() ? "" : " ").append(name_of(delta.type));
  }
  return types;
}

api::Error fifo_closed() {
  return {.kind = api::ErrorKind::Closed, .message = "the queue is closed"};
}

}  // namespace watchlab::cache
