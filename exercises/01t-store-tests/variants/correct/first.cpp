// Breaks: lists in the order of keys; one lock around everything
#include <map>
#include <utility>

#include "core/runtime/mutex.hpp"
#include "exercises/01t-store-tests/subject.hpp"

namespace watchlab::exercise {
namespace {

class SortedStore final : public Store {
 public:
  explicit SortedStore(runtime::Runtime& runtime) : mutex_(runtime, "store") {}

  void add(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    objects_[api::key_of(object->metadata)] = object;
  }
  void update(const api::ObjectPtr& object) override { add(object); }
  void remove(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    objects_.erase(api::key_of(object->metadata));
  }
  void replace(const std::vector<api::ObjectPtr>& objects) override {
    std::map<std::string, api::ObjectPtr> fresh;
    for (const api::ObjectPtr& object : objects) {
      fresh[api::key_of(object->metadata)] = object;
    }
    const runtime::Lock lock(mutex_);
    objects_ = std::move(fresh);
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    const runtime::Lock lock(mutex_);
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override {
    const runtime::Lock lock(mutex_);
    std::vector<api::ObjectPtr> all;
    for (const auto& [key, object] : objects_) {
      all.push_back(object);
    }
    return all;
  }

 private:
  mutable runtime::Mutex mutex_;
  std::map<std::string, api::ObjectPtr> objects_;
};

}  // namespace

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  return std::make_unique<SortedStore>(runtime);
}

}  // namespace watchlab::exercise
