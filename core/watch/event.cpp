#include "core/watch/event.hpp"

#include "core/runtime/ensure.hpp"

namespace watchlab::watch {

std::string_view name_of(EventType type) {
  switch (type) {
    case EventType::Added:
      return "ADDED";
    case EventType::Modified:
      return "MODIFIED";
    case EventType::Deleted:
      return "DELETED";
    case EventType::Bookmark:
      return "BOOKMARK";
    case EventType::Error:
      return "ERROR";
  }
  runtime::ensure_failed("an event type without a name", runtime::Location::current());
}

}  // namespace watchlab::watch
