// Breaks: indices as nested sorted maps, one mutex; the smallest store that maintains its indices.
#include <map>
#include <set>

#include "core/cache/store.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/02-index/subject.hpp"

namespace watchlab::exercise {
namespace {

using Texts = std::vector<std::string>;

struct Index {
  ValuesOf values_of;
  std::map<std::string, std::set<std::string>> keys_by_value;

  void enter(const std::string& key, const api::ObjectPtr& object) {
    for (const std::string& value : values_of(object)) {
      keys_by_value[value].insert(key);
    }
  }
  void leave(const std::string& key, const api::ObjectPtr& object) {
    for (const std::string& value : values_of(object)) {
      const auto place = keys_by_value.find(value);
      if (place != keys_by_value.end()) {
        place->second.erase(key);
        if (place->second.empty()) {
          keys_by_value.erase(place);
        }
      }
    }
  }
};

struct State {
  std::map<std::string, api::ObjectPtr> objects;
  std::map<std::string, Index> indices;

  void take_out(const std::string& key) {
    const auto found = objects.find(key);
    if (found == objects.end()) {
      return;
    }
    for (auto& [name, index] : indices) {
      index.leave(key, found->second);
    }
    objects.erase(found);
  }
  void put_in(const api::ObjectPtr& object) {
    const std::string key = api::key_of(object->metadata);
    take_out(key);
    objects[key] = object;
    for (auto& [name, index] : indices) {
      index.enter(key, object);
    }
  }
};

class MaintainedStore final : public IndexedStore {
 public:
  explicit MaintainedStore(runtime::Runtime& runtime)
      : runtime_(runtime), mutex_(runtime), state_(runtime, {}) {}

  void put(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    state_.write().put_in(object);
  }
  void remove(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    state_.write().take_out(api::key_of(object->metadata));
  }
  void replace(const Objects& list) override {
    const runtime::Lock lock(mutex_);
    State& state = state_.write();
    while (!state.objects.empty()) {
      state.take_out(state.objects.begin()->first);
    }
    for (const api::ObjectPtr& object : list) {
      state.put_in(object);
    }
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    const runtime::Lock lock(mutex_);
    const auto found = state_.read().objects.find(key);
    return found != state_.read().objects.end() ? found->second : nullptr;
  }

  api::Result<void> add_index(const std::string& index, const ValuesOf& values_of) override {
    const runtime::Lock lock(mutex_);
    State& state = state_.write();
    const auto [place, is_new] = state.indices.try_emplace(index, Index{values_of, {}});
    if (!is_new) {
      return api::Error{.message = "there is an index " + index + " already"};
    }
    for (const auto& [key, object] : state.objects) {
      place->second.enter(key, object);
    }
    return {};
  }
  [[nodiscard]] api::Result<Objects> find(const std::string& index,
                                          const std::string& value) const override {
    const runtime::Lock lock(mutex_);
    return objects_with(index, {value});
  }
  [[nodiscard]] api::Result<Texts> keys(const std::string& index,
                                        const std::string& value) const override {
    const runtime::Lock lock(mutex_);
    const Index* found = index_named(index);
    if (found == nullptr) {
      return no_such(index);
    }
    const auto place = found->keys_by_value.find(value);
    return place != found->keys_by_value.end() ? Texts(place->second.begin(), place->second.end())
                                               : Texts();
  }
  [[nodiscard]] api::Result<Objects> alike(const std::string& index,
                                           const api::ObjectPtr& object) const override {
    const runtime::Lock lock(mutex_);
    const Index* found = index_named(index);
    if (found == nullptr) {
      return no_such(index);
    }
    return objects_with(index, found->values_of(object));
  }
  [[nodiscard]] api::Result<Texts> values(const std::string& index) const override {
    const runtime::Lock lock(mutex_);
    const Index* found = index_named(index);
    if (found == nullptr) {
      return no_such(index);
    }
    Texts values;
    for (const auto& [value, keys] : found->keys_by_value) {
      values.push_back(value);
    }
    return cache::in_visiting_order(runtime_, std::move(values), "values");
  }

 private:
  static api::Error no_such(const std::string& index) {
    return {.message = "there is no index " + index};
  }
  // The lock must be held for what follows.
  [[nodiscard]] const Index* index_named(const std::string& index) const {
    const auto found = state_.read().indices.find(index);
    return found != state_.read().indices.end() ? &found->second : nullptr;
  }
  [[nodiscard]] api::Result<Objects> objects_with(const std::string& index,
                                                  const Texts& values) const {
    const Index* found = index_named(index);
    if (found == nullptr) {
      return no_such(index);
    }
    std::set<std::string> keys;
    for (const std::string& value : values) {
      if (const auto place = found->keys_by_value.find(value);
          place != found->keys_by_value.end()) {
        keys.insert(place->second.begin(), place->second.end());
      }
    }
    Objects objects;
    for (const std::string& key : keys) {
      objects.push_back(state_.read().objects.at(key));
    }
    return cache::in_visiting_order(runtime_, std::move(objects), "find");
  }

  runtime::Runtime& runtime_;
  mutable runtime::Mutex mutex_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<IndexedStore> make_store(runtime::Runtime& runtime) {
  return std::make_unique<MaintainedStore>(runtime);
}

}  // namespace watchlab::exercise
