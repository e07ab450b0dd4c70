#include "core/cache/resource_event_handler.hpp"

#include <boost/core/demangle.hpp>
#include <typeinfo>
#include <utility>

namespace watchlab::cache {
namespace {

class FunctionHandler final : public ResourceEventHandler {
 public:
  explicit FunctionHandler(ResourceEventHandlerFuncs funcs) : funcs_(std::move(funcs)) {}

  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override {
    if (funcs_.add) {
      funcs_.add(object, is_in_initial_list);
    }
  }
  void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) override {
    if (funcs_.update) {
      funcs_.update(old_object, new_object);
    }
  }
  void on_delete(const Item& item) override {
    if (funcs_.remove) {
      funcs_.remove(item);
    }
  }
  [[nodiscard]] std::string name() const override { return funcs_.name; }

 private:
  ResourceEventHandlerFuncs funcs_;
};

}  // namespace

std::string ResourceEventHandler::name() const {
  return boost::core::demangle(typeid(*this).name());
}

std::shared_ptr<ResourceEventHandler> make_handler(ResourceEventHandlerFuncs funcs) {
  return std::make_shared<FunctionHandler>(std::move(funcs));
}

FilteringResourceEventHandler::FilteringResourceEventHandler(
    Filter filter, std::shared_ptr<ResourceEventHandler> handler)
    : filter_(std::move(filter)), handler_(std::move(handler)) {}

void FilteringResourceEventHandler::on_add(const api::ObjectPtr& object, bool is_in_initial_list) {
  if (filter_(Item(object))) {
    handler_->on_add(object, is_in_initial_list);
  }
}

void FilteringResourceEventHandler::on_update(const api::ObjectPtr& old_object,
                                              const api::ObjectPtr& new_object) {
  const bool is_in = filter_(Item(new_object));
  const bool was_in = filter_(Item(old_object));
  if (is_in && was_in) {
    handler_->on_update(old_object, new_object);
  } else if (is_in) {
    handler_->on_add(new_object, false);
  } else if (was_in) {
    handler_->on_delete(Item(old_object));
  }
}

void FilteringResourceEventHandler::on_delete(const Item& item) {
  if (filter_(item)) {
    handler_->on_delete(item);
  }
}

}  // namespace watchlab::cache
