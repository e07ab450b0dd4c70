#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/cache/key.hpp"
#include "core/runtime/interface.hpp"

namespace watchlab::cache {

/// Receives changes. Calls come one after the other, in queue order, from one task at a time. In an
/// update both objects may have the same revision: that is a resync, or a list with nothing new.
/// Objects must not be changed. Mirrors client-go tools/cache/controller.go, ResourceEventHandler.
class ResourceEventHandler : public runtime::Interface {
 public:
  /// `is_in_initial_list`: the object already existed when the informer, or this handler, started.
  virtual void on_add(const api::ObjectPtr& object, bool is_in_initial_list) = 0;
  /// Several changes may lie between the two states. After a missed deletion they may even be two
  /// objects with the same name and different uids.
  virtual void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) = 0;
  /// The last state, or a tombstone if the deletion itself was missed.
  virtual void on_delete(const Item& item) = 0;
  /// For log lines and reports: the name of the class unless overridden. Mirrors client-go 0.36
  /// tools/cache/event_handler_name.go, nameForHandler.
  [[nodiscard]] virtual std::string name() const;
};

/// A handler made of functions; empty ones ignore their calls. Mirrors client-go
/// tools/cache/controller.go, ResourceEventHandlerDetailedFuncs, and, if `add` ignores its second
/// argument, ResourceEventHandlerFuncs.
struct ResourceEventHandlerFuncs {
  std::function<void(const api::ObjectPtr& object, bool is_in_initial_list)> add;
  std::function<void(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object)> update;
  std::function<void(const Item& item)> remove;
  /// For log lines. Differs from client-go, which uses the names of the functions; functions have
  /// no names here.
  std::string name = "functions";
};

/// Wraps the functions in the interface; the handler owns them.
[[nodiscard]] std::shared_ptr<ResourceEventHandler> make_handler(ResourceEventHandlerFuncs funcs);

/// Passes on calls about objects that a filter accepts. If an update makes an object acceptable,
/// the handler gets an add (never of the initial list); if it makes it unacceptable, a delete of
/// the old state. Mirrors client-go tools/cache/controller.go, FilteringResourceEventHandler.
class FilteringResourceEventHandler : public ResourceEventHandler {
 public:
  /// Must always give the same answer for the same state. For a deletion it gets what the handler
  /// would get, including tombstones.
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
