#pragma once

#include <memory>
#include <variant>

#include "core/cache/item.hpp"

namespace watchlab::cache {

/// One call of a handler, on its way from the shared informer to that handler.
/// Mirrors client-go tools/cache/shared_informer.go, addNotification and its siblings.
struct AddNotification {
  api::ObjectPtr object;  ///< never null
  bool is_in_initial_list = false;
};

/// The states before and after; the same one twice when a resync tells it.
struct UpdateNotification {
  api::ObjectPtr old_object;
  api::ObjectPtr new_object;
};

/// The last state, or a tombstone where that was not seen.
struct DeleteNotification {
  Item item;
};

/// What a handler is told: exactly one call.
using Notification = std::variant<AddNotification, UpdateNotification, DeleteNotification>;

/// One notification is shared by all handlers that get it.
using NotificationPtr = std::shared_ptr<const Notification>;

}  // namespace watchlab::cache
