// The reference solution: a map behind a readers-writer lock.
#include <map>

#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "exercises/01-store/subject.hpp"

namespace watchlab::exercise {

std::string key_of(const api::ObjectPtr& object) {
  const api::ObjectMeta& metadata = object->metadata;
  return metadata.namespace_.empty() ? metadata.name : metadata.namespace_ + "/" + metadata.name;
}

namespace {

class MapStore final : public Store {
 public:
  explicit MapStore(runtime::Runtime& runtime) : mutex_(runtime), objects_(runtime, {}) {}

  void put(const api::ObjectPtr& object) override {
    const runtime::WriteLock lock(mutex_);
    objects_.write()[key_of(object)] = object;
  }
  void remove(const api::ObjectPtr& object) override {
    const runtime::WriteLock lock(mutex_);
    objects_.write().erase(key_of(object));
  }
  void replace(const std::vector<api::ObjectPtr>& list) override {
    Objects objects;
    for (const api::ObjectPtr& object : list) {
      objects[key_of(object)] = object;
    }
    const runtime::WriteLock lock(mutex_);
    objects_.write() = std::move(objects);
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    const runtime::ReadLock lock(mutex_);
    const auto found = objects_.read().find(key);
    return found != objects_.read().end() ? found->second : nullptr;
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override {
    const runtime::ReadLock lock(mutex_);
    std::vector<api::ObjectPtr> objects;
    for (const auto& [key, object] : objects_.read()) {
      objects.push_back(object);
    }
    return objects;
  }

 private:
  using Objects = std::map<std::string, api::ObjectPtr>;

  mutable runtime::SharedMutex mutex_;
  runtime::Shared<Objects> objects_;
};

}  // namespace

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  return std::make_unique<MapStore>(runtime);
}

}  // namespace watchlab::exercise
