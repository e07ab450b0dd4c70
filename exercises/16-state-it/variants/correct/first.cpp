// Breaks: the order of objects that are not fresh; each update leaves a key in the queue.
#include "core/cache/first/fifo.hpp"
#include "exercises/16-state-it/subject.hpp"

namespace watchlab::exercise {
namespace {

class FirstQueue final : public SmallQueue {
 public:
  explicit FirstQueue(runtime::Runtime& runtime) : queue_(runtime) {}

  void add(const api::ObjectPtr& object) override {
    queue_.add(api::key_of(object->metadata), object);
  }
  void remove(const api::ObjectPtr& object) override {
    queue_.remove(api::key_of(object->metadata));
  }
  [[nodiscard]] api::ObjectPtr pop() override { return queue_.pop(); }
  [[nodiscard]] std::vector<api::ObjectPtr> waiting() const override { return queue_.list(); }

 private:
  cache::first::FIFO queue_;
};

}  // namespace

std::unique_ptr<SmallQueue> make_queue(runtime::Runtime& runtime) {
  return std::make_unique<FirstQueue>(runtime);
}

}  // namespace watchlab::exercise
