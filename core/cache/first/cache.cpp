#include "core/cache/first/cache.hpp"

#include "core/cache/store.hpp"

namespace watchlab::cache::first {

Cache::Cache(runtime::Runtime& runtime)
    : runtime_(runtime), mutex_(runtime, "first/cache"), items_(runtime, {}, "first/cache") {}

void Cache::add(const std::string& id, const api::ObjectPtr& object) {
  const runtime::WriteLock lock(mutex_);
  items_.write()[id] = object;
}

void Cache::update(const std::string& id, const api::ObjectPtr& object) { add(id, object); }

void Cache::remove(const std::string& id) {
  const runtime::WriteLock lock(mutex_);
  items_.write().erase(id);
}

std::vector<api::ObjectPtr> Cache::list() const {
  std::vector<api::ObjectPtr> objects;
  {
    const runtime::ReadLock lock(mutex_);
    for (const auto& [id, object] : items_.read()) {
      objects.push_back(object);
    }
  }
  return in_visiting_order(runtime_, std::move(objects), "list");
}

api::ObjectPtr Cache::get(const std::string& id) const {
  const runtime::ReadLock lock(mutex_);
  const auto& items = items_.read();
  const auto found = items.find(id);
  return found != items.end() ? found->second : nullptr;
}

}  // namespace watchlab::cache::first
