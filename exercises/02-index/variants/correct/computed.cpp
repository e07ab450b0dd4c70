// Breaks: it keeps no index at all: each question looks at every object.
#include <algorithm>
#include <map>
#include <set>

#include "core/cache/store.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "exercises/02-index/subject.hpp"

namespace watchlab::exercise {
namespace {

using Texts = std::vector<std::string>;

class ComputedStore final : public IndexedStore {
 public:
  explicit ComputedStore(runtime::Runtime& runtime)
      : runtime_(runtime), mutex_(runtime), state_(runtime, {}) {}

  void put(const api::ObjectPtr& object) override {
    const runtime::WriteLock lock(mutex_);
    state_.write().objects[api::key_of(object->metadata)] = object;
  }
  void remove(const api::ObjectPtr& object) override {
    const runtime::WriteLock lock(mutex_);
    state_.write().objects.erase(api::key_of(object->metadata));
  }
  void replace(const Objects& list) override {
    const runtime::WriteLock lock(mutex_);
    State& state = state_.write();
    state.objects.clear();
    for (const api::ObjectPtr& object : list) {
      state.objects[api::key_of(object->metadata)] = object;
    }
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    const runtime::ReadLock lock(mutex_);
    const auto found = state_.read().objects.find(key);
    return found != state_.read().objects.end() ? found->second : nullptr;
  }

  api::Result<void> add_index(const std::string& index, const ValuesOf& values_of) override {
    const runtime::WriteLock lock(mutex_);
    if (!state_.write().indices.emplace(index, values_of).second) {
      return api::Error{.message = "there is an index " + index + " already"};
    }
    return {};
  }
  [[nodiscard]] api::Result<Objects> find(const std::string& index,
                                          const std::string& value) const override {
    return shuffled(with_any(index, {value}));
  }
  [[nodiscard]] api::Result<Texts> keys(const std::string& index,
                                        const std::string& value) const override {
    const api::Result<Objects> objects = with_any(index, {value});
    if (!objects) {
      return objects.error();
    }
    Texts keys;
    for (const api::ObjectPtr& object : *objects) {
      keys.push_back(api::key_of(object->metadata));
    }
    return keys;
  }
  [[nodiscard]] api::Result<Objects> alike(const std::string& index,
                                           const api::ObjectPtr& object) const override {
    const api::Result<ValuesOf> values_of = function_of(index);
    if (!values_of) {
      return values_of.error();
    }
    return shuffled(with_any(index, (*values_of)(object)));
  }
  [[nodiscard]] api::Result<Texts> values(const std::string& index) const override {
    const api::Result<ValuesOf> values_of = function_of(index);
    if (!values_of) {
      return values_of.error();
    }
    std::set<std::string> all;
    {
      const runtime::ReadLock lock(mutex_);
      for (const auto& [key, object] : state_.read().objects) {
        for (const std::string& value : (*values_of)(object)) {
          all.insert(value);
        }
      }
    }
    return cache::in_visiting_order(runtime_, Texts(all.begin(), all.end()), "values");
  }

 private:
  struct State {
    std::map<std::string, api::ObjectPtr> objects;
    std::map<std::string, ValuesOf> indices;
  };

  [[nodiscard]] api::Result<ValuesOf> function_of(const std::string& index) const {
    const runtime::ReadLock lock(mutex_);
    const auto found = state_.read().indices.find(index);
    if (found == state_.read().indices.end()) {
      return api::Error{.message = "there is no index " + index};
    }
    return found->second;
  }
  /// By key.
  [[nodiscard]] api::Result<Objects> with_any(const std::string& index, const Texts& wanted) const {
    const api::Result<ValuesOf> values_of = function_of(index);
    if (!values_of) {
      return values_of.error();
    }
    Objects objects;
    const runtime::ReadLock lock(mutex_);
    for (const auto& [key, object] : state_.read().objects) {
      const Texts values = (*values_of)(object);
      if (std::ranges::find_first_of(values, wanted) != values.end()) {
        objects.push_back(object);
      }
    }
    return objects;
  }
  [[nodiscard]] api::Result<Objects> shuffled(api::Result<Objects> objects) const {
    if (!objects) {
      return objects;
    }
    return cache::in_visiting_order(runtime_, std::move(objects).value(), "find");
  }

  runtime::Runtime& runtime_;
  mutable runtime::SharedMutex mutex_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<IndexedStore> make_store(runtime::Runtime& runtime) {
  return std::make_unique<ComputedStore>(runtime);
}

}  // namespace watchlab::exercise
