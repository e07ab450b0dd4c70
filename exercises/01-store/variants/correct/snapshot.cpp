// Breaks: each write makes a new map; readers hold the lock for one pointer only.
#include <map>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/01-store/subject.hpp"

namespace watchlab::exercise {

std::string key_of(const api::ObjectPtr& object) { return api::key_of(object->metadata); }

namespace {

class SnapshotStore final : public Store {
 public:
  explicit SnapshotStore(runtime::Runtime& runtime)
      : mutex_(runtime), now_(runtime, std::make_shared<const Objects>()) {}

  void put(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    Objects next = *now_.read();
    next[key_of(object)] = object;
    show(std::move(next));
  }
  void remove(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    Objects next = *now_.read();
    next.erase(key_of(object));
    show(std::move(next));
  }
  void replace(const std::vector<api::ObjectPtr>& list) override {
    const runtime::Lock lock(mutex_);
    Objects next;
    for (const api::ObjectPtr& object : list) {
      next[key_of(object)] = object;
    }
    show(std::move(next));
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    const std::shared_ptr<const Objects> now = snapshot();
    const auto found = now->find(key);
    return found != now->end() ? found->second : nullptr;
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override {
    const std::shared_ptr<const Objects> now = snapshot();
    std::vector<api::ObjectPtr> objects;
    for (const auto& [key, object] : *now) {
      objects.push_back(object);
    }
    return objects;
  }

 private:
  using Objects = std::map<std::string, api::ObjectPtr>;

  /// The lock must be held.
  void show(Objects next) { now_.write() = std::make_shared<const Objects>(std::move(next)); }
  [[nodiscard]] std::shared_ptr<const Objects> snapshot() const {
    const runtime::Lock lock(mutex_);
    return now_.read();
  }

  mutable runtime::Mutex mutex_;
  runtime::Shared<std::shared_ptr<const Objects>> now_;
};

}  // namespace

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  return std::make_unique<SnapshotStore>(runtime);
}

}  // namespace watchlab::exercise
