#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/api/object.hpp"
#include "core/api/status.hpp"

namespace watchlab::watch {

enum class EventType : std::uint8_t { Added, Modified, Deleted, Bookmark, Error };

/// "ADDED" and so on, as on the wire.
[[nodiscard]] std::string_view name_of(EventType type);

/// One event of a watch. Mirrors apimachinery pkg/watch, Event.
struct Event {
  EventType type = EventType::Added;
  /// The object after the change; before it for Deleted (with the deletion's revision); an empty
  /// object with a revision for Bookmark; null for Error.
  api::ObjectPtr object;
  /// Why the watch failed, for Error only.
  std::shared_ptr<const api::Status> status;
};

}  // namespace watchlab::watch
