// The store that tests meet: a library's, but for who asks what values an object has. A suite is
// asked once about each object that it hands over, and not when the library wants to know. When and
// how often that is, is not promised, and tests could know libraries by it.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exercises/02-index/remote.hpp"

namespace watchlab::exercise {
namespace {

/// What a suite's function has said.
class SaidValues {
 public:
  explicit SaidValues(ValuesOf asked) : asked_(std::move(asked)) {}

  void ask(const api::ObjectPtr& object) {
    if (find(object) == nullptr) {
      std::vector<std::string> values = asked_(object);
      said_.emplace_back(object, std::move(values));
    }
  }
  /// Of an object that no test has handed over, which only a wrong library makes, it is asked now.
  [[nodiscard]] std::vector<std::string> of(const api::ObjectPtr& object) const {
    const Said* const said = find(object);
    return said != nullptr ? said->second : asked_(object);
  }

 private:
  using Said = std::pair<api::ObjectPtr, std::vector<std::string>>;

  [[nodiscard]] const Said* find(const api::ObjectPtr& object) const {
    const auto found = std::find_if(said_.rbegin(), said_.rend(), [&](const Said& said) {
      return said.first == object || *said.first == *object;
    });
    return found == said_.rend() ? nullptr : &*found;
  }

  ValuesOf asked_;
  std::vector<Said> said_;
};

class AskedStore final : public IndexedStore {
 public:
  explicit AskedStore(runtime::Runtime& runtime) : library_(make_store(runtime)) {}

  void put(const api::ObjectPtr& object) override {
    ask_about(object);
    library_->put(object);
  }
  void remove(const api::ObjectPtr& object) override { library_->remove(object); }
  void replace(const Objects& list) override {
    for (const api::ObjectPtr& object : list) {
      ask_about(object);
    }
    library_->replace(list);
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return library_->get(key);
  }
  api::Result<void> add_index(const std::string& index, const ValuesOf& values_of) override {
    const auto values = std::make_shared<SaidValues>(values_of);
    indices_.push_back(values);
    for (std::size_t i = 0; i < handed_over_.size(); ++i) {  // more may come meanwhile
      values->ask(api::ObjectPtr(handed_over_[i]));
    }
    return library_->add_index(
        index, [values](const api::ObjectPtr& object) { return values->of(object); });
  }
  [[nodiscard]] api::Result<Objects> find(const std::string& index,
                                          const std::string& value) const override {
    return library_->find(index, value);
  }
  [[nodiscard]] api::Result<std::vector<std::string>> keys(
      const std::string& index, const std::string& value) const override {
    return library_->keys(index, value);
  }
  [[nodiscard]] api::Result<Objects> alike(const std::string& index,
                                           const api::ObjectPtr& object) const override {
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      std::shared_ptr(indices_[i])->ask(object);
    }
    return library_->alike(index, object);
  }
  [[nodiscard]] api::Result<std::vector<std::string>> values(
      const std::string& index) const override {
    return library_->values(index);
  }

 private:
  void ask_about(const api::ObjectPtr& object) {
    handed_over_.push_back(object);
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      std::shared_ptr(indices_[i])->ask(object);
    }
  }

  std::unique_ptr<IndexedStore> library_;
  std::vector<api::ObjectPtr> handed_over_;
  std::vector<std::shared_ptr<SaidValues>> indices_;
};

}  // namespace

std::unique_ptr<IndexedStore> make_asked_store(runtime::Runtime& runtime) {
  return std::make_unique<AskedStore>(runtime);
}

}  // namespace watchlab::exercise
