// Breaks: the order of objects that are not fresh; a key stands in the queue once.
#include "core/cache/fifo.hpp"
#include "core/runtime/ensure.hpp"
#include "exercises/04-fifo/subject.hpp"

namespace watchlab::exercise {
namespace {

class ClassicQueue final : public Queue {
 public:
  explicit ClassicQueue(runtime::Runtime& runtime) : queue_(runtime) {}

  void add(const api::ObjectPtr& object) override { check(queue_.add(object)); }
  void update(const api::ObjectPtr& object) override { check(queue_.update(object)); }
  void remove(const api::ObjectPtr& object) override { check(queue_.remove(object)); }
  [[nodiscard]] api::ObjectPtr pop() override {
    const cache::Popped popped =
        queue_.pop([](const cache::PopItem&, bool) { return cache::Processed(); });
    check(popped.outcome);
    return std::get<api::ObjectPtr>(popped.item);
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return queue_.get_by_key(key);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return queue_.list(); }

 private:
  static void check(const api::Result<void>& result) {
    runtime::ensure(result.ok(), "an object with a name has a key, and the queue is never closed");
  }

  cache::FIFO queue_;
};

}  // namespace

std::unique_ptr<Queue> make_queue(runtime::Runtime& runtime) {
  return std::make_unique<ClassicQueue>(runtime);
}

}  // namespace watchlab::exercise
