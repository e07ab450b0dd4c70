// The reference solution: the changes by key, and the line of the keys.
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

  void add(const api::ObjectPtr& object) override { append(ChangeType::Added, object); }
  void update(const api::ObjectPtr& object) override { append(ChangeType::Updated, object); }
  void remove(const api::ObjectPtr& object) override { append(ChangeType::Deleted, object); }

  [[nodiscard]] bool pop(const Process& process) override {
    runtime::Lock lock(mutex_);
    while (state_.read().line.empty()) {
      if (state_.read().closed) {
        return false;
      }
      changed_.wait(lock);
    }
    State& state = state_.write();
    const auto taken = state.changes.extract(state.line.front());
    state.line.pop_front();
    process(taken.key(), taken.mapped());
    return true;
  }
  void close() override {
    const runtime::Lock lock(mutex_);
    state_.write().closed = true;
    changed_.notify_all();
  }

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
  /// Always: the line has exactly the keys of the changes, each once.
  struct State {
    std::deque<std::string> line;
    std::map<std::string, Changes> changes;
    bool closed = false;
  };

  void append(ChangeType type, const api::ObjectPtr& object) {
    const std::string key = api::key_of(object->metadata);
    const runtime::Lock lock(mutex_);
    State& state = state_.write();
    const bool is_queued = state.changes.contains(key);
    if (type == ChangeType::Deleted) {
      if (!is_queued && !known_.has(key)) {
        return;
      }
      if (is_queued && state.changes[key].back().type == ChangeType::Deleted) {
        return;
      }
    }
    if (!is_queued) {
      state.line.push_back(key);
    }
    state.changes[key].push_back({type, object});
    changed_.notify_one();
  }

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
