// Breaks: the order of objects that are not fresh: they go to the front, removed ones to the back.
#include <deque>
#include <map>
#include <set>

#include "core/cache/store.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/04-fifo/subject.hpp"

namespace watchlab::exercise {
namespace {

/// Whoever has been through before need not stand in line again.
class TurnstileQueue final : public Queue {
 public:
  explicit TurnstileQueue(runtime::Runtime& runtime)
      : runtime_(runtime), mutex_(runtime), filled_(runtime), line_(runtime, {}) {}

  void add(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    Line& line = line_.write();
    const std::string key = api::key_of(object->metadata);
    if (line.waiting.insert_or_assign(key, object).second) {
      if (line.passed.contains(key)) {
        line.order.push_front(key);
      } else {
        line.order.push_back(key);
      }
      filled_.notify_one();
    }
  }
  void update(const api::ObjectPtr& object) override { add(object); }
  void remove(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    Line& line = line_.write();
    const std::string key = api::key_of(object->metadata);
    if (line.waiting.erase(key) != 0) {
      std::erase(line.order, key);
    }
  }
  [[nodiscard]] api::ObjectPtr pop() override {
    runtime::Lock lock(mutex_);
    while (line_.read().order.empty()) {
      filled_.wait(lock);
    }
    Line& line = line_.write();
    const std::string key = line.order.front();
    line.order.pop_front();
    line.passed.insert(key);
    return std::move(line.waiting.extract(key).mapped());
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    const runtime::Lock lock(mutex_);
    const auto found = line_.read().waiting.find(key);
    return found != line_.read().waiting.end() ? found->second : nullptr;
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override {
    std::vector<api::ObjectPtr> objects;
    {
      const runtime::Lock lock(mutex_);
      for (const auto& [key, object] : line_.read().waiting) {
        objects.push_back(object);
      }
    }
    return cache::in_visiting_order(runtime_, std::move(objects), "list");
  }

 private:
  struct Line {
    std::map<std::string, api::ObjectPtr> waiting;
    std::deque<std::string> order;  ///< the keys of what waits, each once
    std::set<std::string> passed;
  };

  runtime::Runtime& runtime_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar filled_;
  runtime::Shared<Line> line_;
};

}  // namespace

std::unique_ptr<Queue> make_queue(runtime::Runtime& runtime) {
  return std::make_unique<TurnstileQueue>(runtime);
}

}  // namespace watchlab::exercise
