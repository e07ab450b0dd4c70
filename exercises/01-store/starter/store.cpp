// Your store. What it promises is in subject.hpp; what is here compiles and keeps none of it.
#include <map>

#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "exercises/01-store/subject.hpp"

namespace watchlab::exercise {

std::string key_of(const api::ObjectPtr& object) { return object->metadata.name; }

namespace {

class MapStore final : public Store {
 public:
  explicit MapStore(runtime::Runtime& runtime) : mutex_(runtime), objects_(runtime, {}) {}

  void put(const api::ObjectPtr& object) override {
    // `const runtime::WriteLock lock(mutex_);` locks for writing until the end of the block,
    // `runtime::ReadLock` for reading. `objects_.write()` is the map, to be changed.
    (void)object;
  }
  void remove(const api::ObjectPtr& object) override { (void)object; }
  void replace(const std::vector<api::ObjectPtr>& list) override { (void)list; }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    // `objects_.read()` is the map, to be looked at.
    (void)key;
    return nullptr;
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return {}; }

 private:
  mutable runtime::SharedMutex mutex_;
  // Keep your data in a `runtime::Shared`: it shows you when two tasks use it without a lock.
  runtime::Shared<std::map<std::string, api::ObjectPtr>> objects_;
};

}  // namespace

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  return std::make_unique<MapStore>(runtime);
}

}  // namespace watchlab::exercise
