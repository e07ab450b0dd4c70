// Breaks: the order of objects that are not fresh; each update leaves a key in the queue.
#include "core/cache/first/fifo.hpp"
#include "exercises/04-fifo/subject.hpp"

namespace watchlab::exercise {
namespace {

class FirstQueue final : public Queue {
 public:
  explicit FirstQueue(runtime::Runtime& runtime) : queue_(runtime) {}

  void add(const api::ObjectPtr& object) override { queue_.add(key_of(object), object); }
  void update(const api::ObjectPtr& object) override { queue_.update(key_of(object), object); }
  void remove(const api::ObjectPtr& object) override { queue_.remove(key_of(object)); }
  [[nodiscard]] api::ObjectPtr pop() override { return queue_.pop(); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return queue_.get(key);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return queue_.list(); }

 private:
  static std::string key_of(const api::ObjectPtr& object) { return api::key_of(object->metadata); }

  cache::first::FIFO queue_;
};

}  // namespace

std::unique_ptr<Queue> make_queue(runtime::Runtime& runtime) {
  return std::make_unique<FirstQueue>(runtime);
}

}  // namespace watchlab::exercise
