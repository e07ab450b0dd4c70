#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/cache/key.hpp"
#include "core/runtime/interface.hpp"

namespace watchlab::cache {

/// Receives what changed. The calls come one after the other, in the order of the queue, from one
/// task at a time. An update can have the same revision twice: that is a resync or a list that
/// brought nothing new. Objects must not be changed. Mirrors client-go tools/cache/controller.go,
/// ResourceEventHandler.
class ResourceEventHandler : public runtime::Interface {
 public:
  /// `is_in_initial_list`: the object was there already when the informer, or this handler, began.
  virtual void on_add(const api::ObjectPtr& object, bool is_in_initial_list) = 0;
  /// Several changes can have been made between the two states. After a missed deletion they can
  /// even be two objects of the same name, with different uids.
  virtual void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) = 0;
  /// The last state, or a tombstone when the deletion itself was missed.
  virtual void on_delete(const Item& item) = 0;
  /// For log lines and reports: the name of its class, unless overridden. Mirrors client-go 0.36
  /// tools/cache/event_handler_name.go, nameForHandler.
  [[nodiscard]] virtual std::string name() const;
};

/// A handler out of functions; an empty one ignores its calls.
/// Mirrors client-go tools/cache/controller.go, ResourceEventHandlerDetailedFuncs, and with an
/// `add` that does not look at its second argument ResourceEventHandlerFuncs.
struct ResourceEventHandlerFuncs {
  std::function<void(const api::ObjectPtr& object, bool is_in_initial_list)> add;
  std::function<void(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object)> update;
  std::function<void(const Item& item)> remove;
  /// For log lines. Differs from client-go, which takes it from the names of the functions: those
  /// have none here.
  std::string name = "functions";
};

/// Puts the functions behind the interface; the handler keeps them.
[[nodiscard]] std::shared_ptr<ResourceEventHandler> make_handler(ResourceEventHandlerFuncs funcs);

/// Passes on what concerns the objects that a filter lets through. An object that an update brings
/// in is an add (never one of the initial list), one that an update takes out is a deletion of its
/// old state. Mirrors client-go tools/cache/controller.go, FilteringResourceEventHandler.
class FilteringResourceEventHandler : public ResourceEventHandler {
 public:
  /// Must say the same about the same state each time. On a deletion it gets what the handler would
  /// get, tombstones included.
  using Filter = std::function<bool(const Item& item)>;

  FilteringResourceEventHandler(Filter filter, std::shared_ptr<ResourceEventHandler> handler);

  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override;
  void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) override;
  void on_delete(const Item& item) override;

 private:
  Filter filter_;
  std::shared_ptr<ResourceEventHandler> handler_;
};

}  // namespace watchlab::cache
