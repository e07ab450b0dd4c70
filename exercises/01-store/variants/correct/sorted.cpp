// Breaks: lists come backwards; the objects are a sorted vector.
#include <algorithm>
#include <utility>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/01-store/subject.hpp"

namespace watchlab::exercise {

std::string key_of(const api::ObjectPtr& object) { return api::key_of(object->metadata); }

namespace {

using Rows = std::vector<std::pair<std::string, api::ObjectPtr>>;

/// Where a key is, or belongs.
template <typename AnyRows>
auto place_of(AnyRows& rows, const std::string& key) {
  return std::ranges::lower_bound(rows, key, {}, &Rows::value_type::first);
}

class SortedStore final : public Store {
 public:
  explicit SortedStore(runtime::Runtime& runtime) : mutex_(runtime), rows_(runtime, {}) {}

  void put(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    put_into(rows_.write(), object);
  }
  void remove(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    Rows& rows = rows_.write();
    const std::string key = key_of(object);
    if (const auto place = place_of(rows, key); place != rows.end() && place->first == key) {
      rows.erase(place);
    }
  }
  void replace(const std::vector<api::ObjectPtr>& list) override {
    const runtime::Lock lock(mutex_);
    Rows& rows = rows_.write();
    rows.clear();
    for (const api::ObjectPtr& object : list) {
      put_into(rows, object);
    }
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    const runtime::Lock lock(mutex_);
    const Rows& rows = rows_.read();
    const auto place = place_of(rows, key);
    return place != rows.end() && place->first == key ? place->second : nullptr;
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override {
    const runtime::Lock lock(mutex_);
    const Rows& rows = rows_.read();
    std::vector<api::ObjectPtr> objects;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      objects.push_back(row->second);
    }
    return objects;
  }

 private:
  static void put_into(Rows& rows, const api::ObjectPtr& object) {
    std::string key = key_of(object);
    const auto place = place_of(rows, key);
    if (place != rows.end() && place->first == key) {
      place->second = object;
    } else {
      rows.emplace(place, std::move(key), object);
    }
  }

  mutable runtime::Mutex mutex_;
  runtime::Shared<Rows> rows_;
};

}  // namespace

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  return std::make_unique<SortedStore>(runtime);
}

}  // namespace watchlab::exercise
