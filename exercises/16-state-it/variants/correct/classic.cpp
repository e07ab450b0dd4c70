// Breaks: the order of objects that are not fresh; a key stands in the queue once.
#include "core/cache/fifo.hpp"
#include "core/runtime/ensure.hpp"
#include "exercises/16-state-it/subject.hpp"

namespace watchlab::exercise {
namespace {

class ClassicQueue final : public SmallQueue {
 public:
  explicit ClassicQueue(runtime::Runtime& runtime) : queue_(runtime) {}

  void add(const api::ObjectPtr& object) override { check(queue_.add(object)); }
  void remove(const api::ObjectPtr& object) override { check(queue_.remove(object)); }
  [[nodiscard]] api::ObjectPtr pop() override {
    const auto take = [](const cache::PopItem&, bool) { return cache::Processed(); };
    return std::get<api::ObjectPtr>(queue_.pop(take).item);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> waiting() const override { return queue_.list(); }

 private:
  static void check(const api::Result<void>& result) {
    runtime::ensure(result.ok(), "an object with a name has a key");
  }

  cache::FIFO queue_;
};

}  // namespace

std::unique_ptr<SmallQueue> make_queue(runtime::Runtime& runtime) {
  return std::make_unique<ClassicQueue>(runtime);
}

}  // namespace watchlab::exercise
