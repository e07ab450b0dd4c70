// Breaks: the store of client-go: slots, buckets of slots, indices that change with the objects.
#include "core/cache/cache.hpp"
#include "core/runtime/ensure.hpp"
#include "exercises/02-index/subject.hpp"

namespace watchlab::exercise {
namespace {

class ClassicStore final : public IndexedStore {
 public:
  explicit ClassicStore(runtime::Runtime& runtime) : store_(runtime) {}

  void put(const api::ObjectPtr& object) override { check(store_.update(object)); }
  void remove(const api::ObjectPtr& object) override { check(store_.remove(object)); }
  void replace(const Objects& list) override { check(store_.replace(list, "0")); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return store_.get_by_key(key);
  }

  api::Result<void> add_index(const std::string& index, const ValuesOf& values_of) override {
    const auto function = [values_of](const api::ObjectPtr& object) {
      return api::Result<std::vector<std::string>>(values_of(object));
    };
    return store_.add_indexers({{index, function}});
  }
  [[nodiscard]] api::Result<Objects> find(const std::string& index,
                                          const std::string& value) const override {
    return store_.by_index(index, value);
  }
  [[nodiscard]] api::Result<std::vector<std::string>> keys(
      const std::string& index, const std::string& value) const override {
    return store_.index_keys(index, value);
  }
  [[nodiscard]] api::Result<Objects> alike(const std::string& index,
                                           const api::ObjectPtr& object) const override {
    return store_.index(index, object);
  }
  [[nodiscard]] api::Result<std::vector<std::string>> values(
      const std::string& index) const override {
    if (!store_.get_indexers().contains(index)) {
      return api::Error{.message = "there is no index " + index};
    }
    return store_.list_index_function_values(index);
  }

 private:
  static void check(const api::Result<void>& result) {
    runtime::ensure(result.ok(), "an object with a name has a key");
  }

  cache::Cache store_;
};

}  // namespace

std::unique_ptr<IndexedStore> make_store(runtime::Runtime& runtime) {
  return std::make_unique<ClassicStore>(runtime);
}

}  // namespace watchlab::exercise
