// Your queue of changes. What it promises is in subject.hpp. What is here keeps the last change
// of each object and forgets the rest, and no task is ever woken: begin by making `pop` wait.
#include <deque>
#include <map>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/05-delta-fifo/subject.hpp"

namespace watchlab::exercise {
namespace {

class GroupedQueue final : public DeltaQueue {
 public:
  GroupedQueue(runtime::Runtime& runtime, const Known& known)
      : known_(known), mutex_(runtime), changed_(runtime), state_(runtime, {}) {}

  void add(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    State& state = state_.write();
    const std::string key = api::key_of(object->metadata);
    state.line.push_back(key);
    state.changes[key] = {{ChangeType::Added, object}};
  }
  void update(const api::ObjectPtr& object) override { add(object); }
  void remove(const api::ObjectPtr& object) override {
    if (known_.has(api::key_of(object->metadata))) {
      // What now?
    }
  }

  [[nodiscard]] bool pop(const Process& process) override {
    // To wait: `while (…) { changed_.wait(lock); }` with a `runtime::Lock lock(mutex_);`.
    (void)process;
    return false;
  }
  void close() override {}

  [[nodiscard]] std::vector<std::string> keys() const override {
    const runtime::Lock lock(mutex_);
    return {state_.read().line.begin(), state_.read().line.end()};
  }
  [[nodiscard]] Changes queued(const std::string& key) const override {
    const runtime::Lock lock(mutex_);
    const auto found = state_.read().changes.find(key);
    return found != state_.read().changes.end() ? found->second : Changes();
  }

 private:
  struct State {
    std::deque<std::string> line;
    std::map<std::string, Changes> changes;
  };

  const Known& known_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<DeltaQueue> make_queue(runtime::Runtime& runtime, const Known& known) {
  return std::make_unique<GroupedQueue>(runtime, known);
}

}  // namespace watchlab::exercise
