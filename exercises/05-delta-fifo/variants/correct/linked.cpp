// Breaks: everybody is woken by each change. The line is a list of groups that a map points into.
#include <list>
#include <map>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/05-delta-fifo/subject.hpp"

namespace watchlab::exercise {
namespace {

struct Group {
  std::string key;
  Changes changes;
};

class LinkedQueue final : public DeltaQueue {
 public:
  LinkedQueue(runtime::Runtime& runtime, const Known& known)
      : known_(known), mutex_(runtime), changed_(runtime), state_(runtime, {}) {}

  void add(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    push({ChangeType::Added, object});
  }
  void update(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    push({ChangeType::Updated, object});
  }
  void remove(const api::ObjectPtr& object) override {
    const runtime::Lock lock(mutex_);
    const Group* group = group_of(api::key_of(object->metadata));
    if (group == nullptr) {
      if (known_.has(api::key_of(object->metadata))) {
        push({ChangeType::Deleted, object});
      }
    } else if (group->changes.back().type != ChangeType::Deleted) {
      push({ChangeType::Deleted, object});
    }
  }

  [[nodiscard]] bool pop(const Process& process) override {
    runtime::Lock lock(mutex_);
    while (state_.read().line.empty() && !state_.read().closed) {
      changed_.wait(lock);
    }
    if (state_.read().line.empty()) {
      return false;
    }
    State& state = state_.write();
    const Group first = std::move(state.line.front());
    state.line.pop_front();
    state.places.erase(first.key);
    process(first.key, first.changes);
    return true;
  }
  void close() override {
    const runtime::Lock lock(mutex_);
    state_.write().closed = true;
    changed_.notify_all();
  }

  [[nodiscard]] std::vector<std::string> keys() const override {
    const runtime::Lock lock(mutex_);
    std::vector<std::string> keys;
    for (const Group& group : state_.read().line) {
      keys.push_back(group.key);
    }
    return keys;
  }
  [[nodiscard]] Changes queued(const std::string& key) const override {
    const runtime::Lock lock(mutex_);
    const Group* group = group_of(key);
    return group != nullptr ? group->changes : Changes();
  }

 private:
  struct State {
    std::list<Group> line;
    std::map<std::string, std::list<Group>::iterator> places;
    bool closed = false;
  };

  // The lock must be held for both.
  [[nodiscard]] const Group* group_of(const std::string& key) const {
    const auto found = state_.read().places.find(key);
    return found != state_.read().places.end() ? &*found->second : nullptr;
  }
  void push(Change change) {
    State& state = state_.write();
    const std::string key = api::key_of(change.object->metadata);
    auto found = state.places.find(key);
    if (found == state.places.end()) {
      found = state.places.emplace(key, state.line.insert(state.line.end(), {key, {}})).first;
    }
    found->second->changes.push_back(std::move(change));
    changed_.notify_all();
  }

  const Known& known_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<DeltaQueue> make_queue(runtime::Runtime& runtime, const Known& known) {
  return std::make_unique<LinkedQueue>(runtime, known);
}

}  // namespace watchlab::exercise
