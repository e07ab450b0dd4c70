// Your processor. What it promises is in subject.hpp. What is here takes the type of a change
// for the kind of the call, and no other task may call it meanwhile: begin with B1 and B2.
#include <memory>
#include <vector>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/10-cache-first/subject.hpp"

namespace watchlab::exercise {
namespace {

class OwnRegistration final : public Registration {
 public:
  void remove() override {
    // How does the processor learn of it? A registration may have a std::shared_ptr of what it
    // changes.
  }
};

class OwnProcessor final : public Processor {
 public:
  OwnProcessor(runtime::Runtime& runtime, Cache& cache)
      : cache_(cache), mutex_(runtime), handlers_(runtime, {}) {}

  void process(const Changes& changes, bool in_first_list) override {
    for (const Change& change : changes) {
      for (Handler* const handler : handlers_.read()) {
        if (change.type == ChangeType::Added) {
          handler->on_add(change.object, in_first_list);
        } else if (change.type == ChangeType::Deleted) {
          handler->on_delete(change.object, change.was_missed);
        }
      }
      cache_.put(change.object);
    }
  }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(Handler& handler,
                                                          bool /*wants_resyncs*/) override {
    const runtime::Lock lock(mutex_);
    handlers_.write().push_back(&handler);
    return std::make_unique<OwnRegistration>();
  }

 private:
  Cache& cache_;
  runtime::Mutex mutex_;
  runtime::Shared<std::vector<Handler*>> handlers_;
};

}  // namespace

std::unique_ptr<Processor> make_processor(runtime::Runtime& runtime, Cache& cache) {
  return std::make_unique<OwnProcessor>(runtime, cache);
}

}  // namespace watchlab::exercise
