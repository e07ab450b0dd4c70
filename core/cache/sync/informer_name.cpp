#include "core/cache/sync/informer_name.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "core/runtime/mutex.hpp"

namespace watchlab::cache {

struct InformerNames::State {
  explicit State(runtime::Runtime& runtime_in) : runtime(runtime_in), mutex(runtime, "names") {}

  runtime::Runtime& runtime;
  runtime::Mutex mutex;
  std::set<std::string> taken;  ///< guarded by the mutex, as what each name holds is
};

struct InformerName::Registered {
  std::string name;
  std::shared_ptr<InformerNames::State> names;
  bool released = false;
  std::map<api::GroupVersionResource, std::shared_ptr<runtime::Atomic<bool>>> resources;
};

InformerNames::InformerNames(runtime::Runtime& runtime)
    : state_(std::make_shared<State>(runtime)) {}

api::Result<InformerName> InformerNames::take(const std::string& name) {
  if (name.empty()) {
    return api::Error{.message = "the name of informers cannot be empty"};
  }
  const runtime::Lock lock(state_->mutex);
  if (!state_->taken.insert(name).second) {
    return api::Error{.message = fmt::format("the name \"{}\" of informers is taken", name)};
  }
  auto registered = std::make_shared<InformerName::Registered>();
  registered->name = name;
  registered->names = state_;
  return InformerName(std::move(registered));
}

const std::string& InformerName::text() const {
  static const std::string kNone;
  return registered_ != nullptr ? registered_->name : kNone;
}

InformerIdentity InformerName::with_resource(const api::GroupVersionResource& resource) const {
  if (registered_ == nullptr) {
    return {"", resource, nullptr};
  }
  const InformerNames::State& names = *registered_->names;
  const runtime::Lock lock(registered_->names->mutex);
  if (registered_->released) {
    return {registered_->name, resource, nullptr};
  }
  std::shared_ptr<runtime::Atomic<bool>>& reserved = registered_->resources[resource];
  if (reserved != nullptr) {
    names.runtime.log(runtime::LogLevel::Error,
                      fmt::format("{}: a second informer of {} publishes no metrics",
                                  registered_->name, resource.resource));
    return {registered_->name, resource, nullptr};
  }
  reserved = std::make_shared<runtime::Atomic<bool>>(names.runtime, true, "reserved");
  return {registered_->name, resource, reserved};
}

void InformerName::release() const {
  if (registered_ == nullptr) {
    return;
  }
  const runtime::Lock lock(registered_->names->mutex);
  if (registered_->released) {
    return;
  }
  registered_->released = true;
  for (const auto& [resource, reserved] : registered_->resources) {
    reserved->store(false);
  }
  registered_->resources.clear();
  registered_->names->taken.erase(registered_->name);
}

}  // namespace watchlab::cache
