// Breaks: lists in whatever order the world decides; readers do not wait for each other
#include "core/cache/cache.hpp"
#include "core/cache/key.hpp"
#include "exercises/01t-store-tests/subject.hpp"

namespace watchlab::exercise {
namespace {

class ClassicStore final : public Store {
 public:
  explicit ClassicStore(runtime::Runtime& runtime)
      : store_(runtime, cache::meta_namespace_key, {}) {}

  void add(const api::ObjectPtr& object) override { static_cast<void>(store_.add(object)); }
  void update(const api::ObjectPtr& object) override { static_cast<void>(store_.update(object)); }
  void remove(const api::ObjectPtr& object) override { static_cast<void>(store_.remove(object)); }
  void replace(const std::vector<api::ObjectPtr>& objects) override {
    static_cast<void>(store_.replace(objects, ""));
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return store_.get_by_key(key);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return store_.list(); }

 private:
  cache::Cache store_;
};

}  // namespace

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  return std::make_unique<ClassicStore>(runtime);
}

}  // namespace watchlab::exercise
