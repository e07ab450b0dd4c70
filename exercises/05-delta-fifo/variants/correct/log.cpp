// Breaks: one log of all changes; who pops gathers what belongs to the first object.
#include <algorithm>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/05-delta-fifo/subject.hpp"

namespace watchlab::exercise {
namespace {

struct Entry {
  std::string key;
  Change change;
};

class LogQueue final : public DeltaQueue {
 public:
  LogQueue(runtime::Runtime& runtime, const Known& known)
      : known_(known), mutex_(runtime), filled_(runtime), state_(runtime, {}) {}

  void add(const api::ObjectPtr& object) override { write({ChangeType::Added, object}); }
  void update(const api::ObjectPtr& object) override { write({ChangeType::Updated, object}); }
  void remove(const api::ObjectPtr& object) override {
    const std::string key = api::key_of(object->metadata);
    const runtime::Lock lock(mutex_);
    const Changes before = changes_of(key);
    const bool is_there =
        before.empty() ? known_.has(key) : before.back().type != ChangeType::Deleted;
    if (is_there) {
      append({key, {ChangeType::Deleted, object}});
    }
  }

  [[nodiscard]] bool pop(const Process& process) override {
    runtime::Lock lock(mutex_);
    while (state_.read().log.empty()) {
      if (state_.read().closed) {
        return false;
      }
      filled_.wait(lock);
    }
    State& state = state_.write();
    const std::string key = state.log.front().key;
    const Changes changes = changes_of(key);
    std::erase_if(state.log, [&](const Entry& entry) { return entry.key == key; });
    process(key, changes);
    return true;
  }
  void close() override {
    const runtime::Lock lock(mutex_);
    state_.write().closed = true;
    filled_.notify_all();
  }

  [[nodiscard]] std::vector<std::string> keys() const override {
    const runtime::Lock lock(mutex_);
    std::vector<std::string> keys;
    for (const Entry& entry : state_.read().log) {
      if (std::ranges::find(keys, entry.key) == keys.end()) {
        keys.push_back(entry.key);
      }
    }
    return keys;
  }
  [[nodiscard]] Changes queued(const std::string& key) const override {
    const runtime::Lock lock(mutex_);
    return changes_of(key);
  }

 private:
  struct State {
    std::vector<Entry> log;
    bool closed = false;
  };

  void write(Change change) {
    const runtime::Lock lock(mutex_);
    append({api::key_of(change.object->metadata), change});
  }
  // The lock must be held for both.
  void append(Entry entry) {
    state_.write().log.push_back(std::move(entry));
    filled_.notify_one();
  }
  [[nodiscard]] Changes changes_of(const std::string& key) const {
    Changes changes;
    for (const Entry& entry : state_.read().log) {
      if (entry.key == key) {
        changes.push_back(entry.change);
      }
    }
    return changes;
  }

  const Known& known_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar filled_;
  runtime::Shared<State> state_;
};

}  // namespace

std::unique_ptr<DeltaQueue> make_queue(runtime::Runtime& runtime, const Known& known) {
  return std::make_unique<LogQueue>(runtime, known);
}

}  // namespace watchlab::exercise
