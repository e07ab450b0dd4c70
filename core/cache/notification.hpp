#pragma once

#include <memory>
#include <variant>

#include "core/cache/item.hpp"

namespace watchlab::cache {

/// One call of a handler, on its way from the shared informer to that handler.
/// Mirrors client-go tools/cache/shared_informer.go, addNotification and its siblings.
struct AddNotification {
  api::ObjectPtr object;
  bool is_in_initial_list = false;
};

struct UpdateNotification {
  api::ObjectPtr old_object;
  api::ObjectPtr new_object;
};

struct DeleteNotification {
  Item item;
};

using Notification = std::variant<AddNotification, UpdateNotification, DeleteNotification>;

/// One notification is shared by all handlers that get it.
using NotificationPtr = std::shared_ptr<const Notification>;

}  // namespace watchlab::cache
